// Runs an import: reads the source into a space in memory, and copies that into the space on the server.

import { lstat, readFile } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import type { Resources } from "octavo";
import { connected } from "../../connection/connect";
import type { Connection } from "../../connection/connection";
import { organizationOf } from "../../connection/organization";
import { copyContent, type LeftOut } from "../../content/copy-content";
import { archiveOf } from "../../content/folder";
import { leftOutLines } from "../../content/report";
import { addressOf, openScratch, type Source } from "../../content/scratch-space";
import { snapshotOf } from "../../content/space-snapshot";
import type { Surroundings } from "../../framework/command";
import { STATUS, type Status, wrongUse } from "../../framework/errors";
import { counted, printResult } from "../../framework/output";
import type { Given } from "../../framework/parsed-arguments";

interface Imported {
  readonly space: string;
  /** What was read here is counted apart; what a server fetched, together. */
  readonly imported: { readonly pages: number; readonly files: number } | { readonly resources: number };
  readonly leftOut: readonly LeftOut[];
}

export async function runImport(given: Given, surroundings: Surroundings): Promise<Status> {
  const { terminal } = surroundings;
  return connected(given, surroundings, async (connection) => {
    const source = given.args[0]!;
    const isAddress = /^https?:/.test(source);
    const read = isAddress ? undefined : await readSource(source, given, surroundings.signal);
    const space = given.text("space") ?? (await newSpace(given, connection));
    const imported = read
      ? await importRead(read, connection, space, surroundings)
      : await importAddress(source, given, connection, space);
    const { leftOut } = imported;
    const rest = leftOut.length > 0 ? `, and left out ${leftOut.length}` : "";
    printResult(given, terminal, imported, [
      ...leftOutLines(leftOut),
      `Imported ${countOf(imported)} into ${space}${rest}.`,
    ]);
    return leftOut.length > 0 && given.isOn("strict") ? STATUS.failed : STATUS.done;
  });
}

function countOf({ imported }: Imported): string {
  if ("resources" in imported) return counted(imported.resources, "page or file", "pages and files");
  return `${counted(imported.pages, "page")} and ${counted(imported.files, "file")}`;
}

async function newSpace(given: Given, connection: Connection): Promise<string> {
  const organizationId = await organizationOf(given, connection);
  const title = given.text("title") ?? titleOf(given.args[0]!);
  return (await connection.ask("createSpace", { params: { organizationId }, body: { title } })).id;
}

function titleOf(source: string): string {
  if (/^https?:/.test(source)) return new URL(source).hostname;
  const name = basename(resolve(source));
  return name.slice(0, name.length - extname(name).length) || "Imported";
}

/** A source that was read: everything in it, as a space in memory has it. */
interface Read {
  readonly name: string;
  readonly content: Awaited<ReturnType<typeof snapshotOf>>;
  readonly leftOut: readonly LeftOut[];
}

const kinds: Readonly<Record<string, Resources.ImportSource>> = {
  ".zip": "zip",
  ".md": "markdown",
  ".markdown": "markdown",
  ".html": "html",
  ".htm": "html",
  ".docx": "docx",
};

const types: Partial<Record<Resources.ImportSource, string>> = {
  markdown: "text/markdown; charset=utf-8",
  html: "text/html; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
};

async function readSource(path: string, given: Given, signal: AbortSignal): Promise<Read> {
  const found = await lstat(path).catch(() => undefined);
  if (!found) throw wrongUse(`There is no file and no folder ${path}.`);
  const named = given.text("source") as Resources.ImportSource | undefined;
  const kind = named ?? (found.isDirectory() ? "zip" : kinds[extname(path).toLowerCase()]);
  if (!kind) throw wrongUse(`Say with --source what ${path} is.`);
  const { bytes, leftOut } = found.isDirectory()
    ? await archiveOf(path)
    : { bytes: await readFile(path), leftOut: [] as LeftOut[] };
  const name = found.isDirectory() ? "folder.zip" : basename(path);
  const source: Source = { name, bytes, contentType: types[kind] ?? "application/zip" };
  const { connection, space } = await openScratch(signal, { source });
  const params = { spaceId: space };
  const { revision } = await connection.ask("importContent", {
    params,
    body: { source: kind, url: addressOf(source) },
  });
  const report = await connection.ask("getImportReport", { params: { spaceId: space, revisionId: revision } });
  return {
    name: basename(resolve(path)),
    content: await snapshotOf(connection, space),
    leftOut: [...leftOut, ...report.skipped],
  };
}

async function importRead(
  { name, content, leftOut }: Read,
  connection: Connection,
  space: string,
  { terminal }: Surroundings,
): Promise<Imported> {
  const copied = await copyContent(content, connection, space, `Import of ${name}`.slice(0, 100), terminal);
  return { space, imported: { pages: copied.pages, files: copied.files }, leftOut: [...leftOut, ...copied.leftOut] };
}

async function importAddress(url: string, given: Given, { ask }: Connection, space: string): Promise<Imported> {
  const source = given.text("source") as Resources.ImportSource | undefined;
  if (!source) throw wrongUse(`Say with --source what ${url} is, such as website.`);
  const { revision } = await ask("importContent", { params: { spaceId: space }, body: { source, url } });
  const params = { spaceId: space, revisionId: revision };
  const { skipped, importedResources } = await ask("getImportReport", { params });
  return { space, imported: { resources: importedResources }, leftOut: skipped };
}
