// Runs an export: copies a space into memory, lets the library write it as files, and puts these on the disk.

import { join } from "node:path";
import type { Resources } from "octavo";
import { connected } from "../../connection/connect";
import type { Connection } from "../../connection/connection";
import { organizationOf } from "../../connection/organization";
import { copyContent, type LeftOut } from "../../content/copy-content";
import { beginFolder, endFolder, whyNot, writeFiles } from "../../content/folder";
import { leftOutLines } from "../../content/report";
import { filesOf, keepingClient, openScratch } from "../../content/scratch-space";
import { snapshotOf } from "../../content/space-snapshot";
import type { Surroundings } from "../../framework/command";
import { STATUS, type Status } from "../../framework/errors";
import { counted, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";

interface Exported {
  readonly space: string;
  readonly folder: string;
  /** Files that were written, those of pages among them. */
  readonly files: number;
  readonly leftOut: readonly LeftOut[];
}

export async function runExport(given: Given, surroundings: Surroundings): Promise<Status> {
  const folder = given.args[0]!;
  return connected(given, surroundings, async (connection) => {
    const spaces = await spacesToExport(given, connection);
    const isOne = given.texts("space").length === 1;
    if (!isOne) await beginFolder(folder, given.isOn("overwrite"));
    const folders = foldersFor(spaces);
    const exported: Exported[] = [];
    for (const [i, space] of spaces.entries()) {
      const own = isOne ? folder : join(folder, folders[i]!);
      await beginFolder(own, !isOne || given.isOn("overwrite"));
      exported.push(await exportSpace(space, own, connection, surroundings));
      await endFolder(own);
    }
    if (!isOne) await endFolder(folder);
    const leftOut = exported.flatMap((it) => it.leftOut);
    printResult(given, surroundings.terminal, exported, [
      ...leftOutLines(leftOut),
      ...exported.map((it) => `Exported ${it.space} to ${it.folder}: ${counted(it.files, "file")}.`),
    ]);
    return leftOut.length > 0 && given.isOn("strict") ? STATUS.failed : STATUS.done;
  });
}

async function spacesToExport(given: Given, connection: Connection): Promise<Resources.Space[]> {
  const { ask, each } = connection;
  const named = given.texts("space");
  const spaces: Resources.Space[] = [];
  for (const spaceId of named) spaces.push(await ask("getSpace", { params: { spaceId } }));
  if (named.length > 0) return spaces;
  const organizationId = await organizationOf(given, connection);
  for await (const space of each("listSpaces", { params: { organizationId } })) spaces.push(space);
  return spaces;
}

/** A folder for each space: its title as a plain name, with a number where another has the same. */
function foldersFor(spaces: readonly Resources.Space[]): string[] {
  const taken = new Map<string, string>();
  return spaces.map(({ title }) => {
    const letters = title
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-");
    const name = letters.replace(/^-+|-+$/g, "").slice(0, 80) || "space";
    let free = name;
    for (let n = 2; whyNot(free, taken) !== undefined; n++) free = `${name}-${n}`;
    return free;
  });
}

async function exportSpace(
  space: Resources.Space,
  folder: string,
  connection: Connection,
  { terminal, signal }: Surroundings,
): Promise<Exported> {
  const taken = keepingClient();
  const scratch = await openScratch(signal, { git: taken });
  const content = await snapshotOf(connection, space.id);
  const { leftOut } = await copyContent(content, scratch.connection, scratch.space, "Export", terminal);
  const files = await filesOf(scratch, taken);
  const progress = terminal.progress(`files of ${space.title}`, files.size);
  const unwritten = await writeFiles(folder, files, progress.at);
  progress.end();
  return { space: space.id, folder, files: files.size - unwritten.length, leftOut: [...leftOut, ...unwritten] };
}
