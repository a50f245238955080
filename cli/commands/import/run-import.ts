// Runs an import: reads a local source into a space in memory, and copies that into the space on the server. Websites are
// imported by the server.

import { lstat, readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import type { Resources } from "octavo";
import { resolveOrganization, runWithConnection } from "../../connection/connect";
import { copyContent } from "../../content/copy-content";
import { archiveFolder } from "../../content/folder";
import { formatOmittedItems, type OmittedItem } from "../../content/omitted-items";
import { type ImportFile, readBookContent } from "../../content/scratch-space";
import type { SpaceSnapshot } from "../../content/space-snapshot";
import type { CommandInput } from "../../framework/command";
import {
  type CommandContext,
  formatCount,
  printResult,
  STATUS,
  type Status,
  UsageError,
} from "../../framework/command";

interface ImportResult {
  readonly space: string;
  /** The numbers of pages and files, or their sum if the server imported them. */
  readonly imported: { readonly pages: number; readonly files: number } | { readonly resources: number };
  readonly leftOut: readonly OmittedItem[];
}

/** A source that was read into a space in memory. */
interface LocalSource {
  readonly name: string;
  readonly content: SpaceSnapshot;
  readonly leftOut: readonly OmittedItem[];
}

/** The kinds of sources by file extension. */
const SOURCE_KINDS: Readonly<Record<string, Resources.ImportSource>> = {
  ".zip": "zip",
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".docx": "docx",
};

/** Content types by the kind of source. Default: an archive. */
const CONTENT_TYPES: Partial<Record<Resources.ImportSource, string>> = {
  markdown: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

export async function runImport(input: CommandInput, context: CommandContext): Promise<Status> {
  const { terminal } = context;
  return runWithConnection(input, context, async (connection) => {
    const source = input.args[0]!;
    const isUrl = /^https?:/.test(source);
    let local: LocalSource | undefined;
    if (!isUrl) {
      const stats = await lstat(source).catch(() => undefined);
      if (!stats) throw new UsageError(`File or folder not found: ${source}`);
      const givenKind = input.text("source") as Resources.ImportSource | undefined;
      const kind = givenKind ?? (stats.isDirectory() ? "zip" : SOURCE_KINDS[extname(source).toLowerCase()]);
      if (!kind) throw new UsageError(`Specify the type of ${source} with --source.`);
      const { bytes, leftOut } = stats.isDirectory()
        ? await archiveFolder(source)
        : { bytes: await readFile(source), leftOut: [] as OmittedItem[] };
      const name = stats.isDirectory() ? "folder.zip" : basename(source);
      const file: ImportFile = { name, bytes, contentType: CONTENT_TYPES[kind] ?? "application/zip" };
      const { content, leftOut: skipped } = await readBookContent(context.signal, kind, file);
      local = { name: basename(resolve(source)), content, leftOut: [...leftOut, ...skipped] };
    }
    let space = input.text("space");
    if (space === undefined) {
      // The new space is named after the source, unless the user gives a title.
      const organizationId = await resolveOrganization(input, connection);
      let title = input.text("title");
      if (title === undefined && isUrl) title = new URL(source).hostname;
      if (title === undefined) {
        const name = basename(resolve(source));
        title = name.slice(0, name.length - extname(name).length) || "Imported";
      }
      space = (await connection.ask("createSpace", { params: { organizationId }, body: { title } })).id;
    }
    let result: ImportResult;
    if (local) {
      const subject = `Import of ${local.name}`.slice(0, 100);
      const { pages, files, leftOut } = await copyContent(local.content, connection, space, subject, terminal);
      result = { space, imported: { pages, files }, leftOut: [...local.leftOut, ...leftOut] };
    } else {
      const kind = input.text("source") as Resources.ImportSource | undefined;
      if (!kind) throw new UsageError(`Specify the type of ${source} with --source, such as website.`);
      const body = { source: kind, url: source };
      const { revision } = await connection.ask("importContent", { params: { spaceId: space }, body });
      const report = await connection.ask("getImportReport", { params: { spaceId: space, revisionId: revision } });
      result = { space, imported: { resources: report.importedResources }, leftOut: report.skipped };
    }
    const { imported, leftOut } = result;
    const summary =
      "resources" in imported
        ? formatCount(imported.resources, "page or file", "pages and files")
        : `${formatCount(imported.pages, "page")} and ${formatCount(imported.files, "file")}`;
    const rest = leftOut.length > 0 ? `, and skipped ${leftOut.length}` : "";
    printResult(input, terminal, result, [...formatOmittedItems(leftOut), `Imported ${summary} into ${space}${rest}.`]);
    return leftOut.length > 0 && input.isEnabled("strict") ? STATUS.failed : STATUS.done;
  });
}
