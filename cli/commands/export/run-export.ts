// Runs an export: copies each space into memory, lets the library export it as files, and writes these to the disk.

import { join } from "node:path";
import type { Resources } from "octavo";
import { resolveOrganization, runWithConnection } from "../../connection/connect";
import { copyContent } from "../../content/copy-content";
import { beginFolder, checkPath, finishFolder, writeFiles } from "../../content/folder";
import { formatOmittedItems, type OmittedItem } from "../../content/omitted-items";
import { createMemoryGitClient, createScratchSpace, exportScratchSpace } from "../../content/scratch-space";
import { readSpaceSnapshot } from "../../content/space-snapshot";
import type { CommandInput } from "../../framework/command";
import { type CommandContext, formatCount, printResult, STATUS, type Status } from "../../framework/command";

interface ExportedSpace {
  readonly space: string;
  readonly folder: string;
  /** The number of files written, including those of pages. */
  readonly files: number;
  readonly leftOut: readonly OmittedItem[];
}

export async function runExport(input: CommandInput, context: CommandContext): Promise<Status> {
  const { terminal, signal } = context;
  const folder = input.args[0]!;
  return runWithConnection(input, context, async (connection) => {
    const spaceIds = input.texts("space");
    const spaces: Resources.Space[] = [];
    for (const spaceId of spaceIds) spaces.push(await connection.ask("getSpace", { params: { spaceId } }));
    if (spaceIds.length === 0) {
      const organizationId = await resolveOrganization(input, connection);
      for await (const space of connection.each("listSpaces", { params: { organizationId } })) spaces.push(space);
    }
    const isSingleSpace = spaceIds.length === 1;
    if (!isSingleSpace) await beginFolder(folder, input.isEnabled("overwrite"));
    // A folder name for each space: its title in ASCII letters, with a number if another space has the same.
    const taken = new Map<string, string>();
    const folders = spaces.map(({ title }) => {
      const slug = title
        .normalize("NFKD")
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-");
      const name = slug.replace(/^-+|-+$/g, "").slice(0, 80) || "space";
      let freeName = name;
      for (let n = 2; checkPath(freeName, taken) !== undefined; n++) freeName = `${name}-${n}`;
      return freeName;
    });
    const exported: ExportedSpace[] = [];
    for (const [i, space] of spaces.entries()) {
      const spaceFolder = isSingleSpace ? folder : join(folder, folders[i]!);
      await beginFolder(spaceFolder, !isSingleSpace || input.isEnabled("overwrite"));
      const git = createMemoryGitClient();
      const scratch = await createScratchSpace(signal, { git });
      const content = await readSpaceSnapshot(connection, space.id);
      const copied = await copyContent(content, scratch.connection, scratch.space, "Export", terminal);
      const files = await exportScratchSpace(scratch, git);
      const progress = terminal.progress(`files of ${space.title}`, files.size);
      const unwritten = await writeFiles(spaceFolder, files, progress.at);
      progress.end();
      exported.push({
        space: space.id,
        folder: spaceFolder,
        files: files.size - unwritten.length,
        leftOut: [...copied.leftOut, ...unwritten],
      });
      await finishFolder(spaceFolder);
    }
    if (!isSingleSpace) await finishFolder(folder);
    const leftOut = exported.flatMap((it) => it.leftOut);
    printResult(input, terminal, exported, [
      ...formatOmittedItems(leftOut),
      ...exported.map((it) => `Exported ${it.space} to ${it.folder}: ${formatCount(it.files, "file")}.`),
    ]);
    return leftOut.length > 0 && input.isEnabled("strict") ? STATUS.failed : STATUS.done;
  });
}
