// Where a book lies in a repository: what `.gitbook.yaml`, `book.toml` (mdBook) or `book.json` (HonKit) say of it, or what
// the files themselves suggest.

import { joined } from "./paths";
import { BookRefused } from "./refused";
import type { Files } from "./tree";
import { isClosed, mapIn, valuesIn, yamlMap } from "./yaml-values";

/** Whose conventions a table of contents follows. */
export type Flavour = "gitbook" | "mdbook" | "honkit";

/** Where a book lies. */
export interface Layout {
  readonly flavour: Flavour;
  /** The folder in the repository that paths of the book lead from. */
  readonly root: string;
  /** The folder in the repository that has the settings. */
  readonly directory: string;
  /** The table of contents, from the root. */
  readonly summary: string;
  /** The first page, from the root; undefined where the table of contents alone says it. */
  readonly readme: string | undefined;
  /** Old paths of readers, and the file that is meant today. */
  readonly redirects: Readonly<Record<string, string>>;
}

const MAX_REDIRECTS = 1000;

/** Finds out where the book of a directory lies. */
export async function layoutIn(files: Files, directory: string): Promise<Layout> {
  const folder = joined("", directory);
  const at = (path: string) => joined(folder, path);
  const settings = [".gitbook.yaml", ".gitbook.yml"].map(at).find((path) => files.has(path));
  if (settings !== undefined) return fromGitBook(files, folder, settings);
  if (files.has(at("book.toml"))) return fromMdBook(files, folder);
  if (files.has(at("book.json"))) return fromHonKit(files, folder);
  const isMdBook = !files.has(at("SUMMARY.md")) && files.has(at("src/SUMMARY.md"));
  return layout(folder, isMdBook ? "mdbook" : "gitbook", isMdBook ? "src" : undefined, {});
}

async function fromGitBook(files: Files, folder: string, path: string): Promise<Layout> {
  const map = yamlMap(await textAt(files, path));
  if (!map) files.skip(path, "It is not a map in YAML, and is ignored.");
  const redirects = [...valuesIn(mapIn(map, "redirects"))]
    .flatMap(([from, to]) => (typeof to === "string" && !isClosed(from) ? [[joined("", from), to] as const] : []))
    .slice(0, MAX_REDIRECTS);
  const structure = valuesIn(mapIn(map, "structure"));
  const named = { readme: structure.get("readme"), summary: structure.get("summary") };
  return layout(folder, "gitbook", valuesIn(map).get("root"), named, Object.fromEntries(redirects));
}

/** Of `book.toml` only the folder of the texts is of interest. */
async function fromMdBook(files: Files, folder: string): Promise<Layout> {
  let table = "";
  let source: string | undefined;
  for (const line of (await textAt(files, joined(folder, "book.toml"))).split("\n")) {
    table = /^\s*\[([\w.-]+)\]/.exec(line)?.[1] ?? table;
    const [, quoted] = /^\s*src\s*=\s*["']([^"'\n]*)["']/.exec(line) ?? [];
    if (table === "book") source ??= quoted;
  }
  return layout(folder, "mdbook", source ?? "src", {});
}

async function fromHonKit(files: Files, folder: string): Promise<Layout> {
  const path = joined(folder, "book.json");
  const settings = parsedJson(await textAt(files, path));
  if (settings === undefined) files.skip(path, "It is not JSON, and is ignored.");
  const structure = member(settings, "structure");
  return layout(folder, "honkit", member(settings, "root"), {
    readme: member(structure, "readme") ?? "README.md",
    summary: member(structure, "summary"),
  });
}

function layout(
  directory: string,
  flavour: Flavour,
  root: unknown,
  structure: { readonly readme?: unknown; readonly summary?: unknown },
  redirects: Readonly<Record<string, string>> = {},
): Layout {
  const named = (value: unknown) => (typeof value === "string" && value !== "" ? joined("", value) : undefined);
  const folder = joined(directory, `./${typeof root === "string" ? root : ""}`);
  if (folder.startsWith("..")) throw new BookRefused("The root of the book is outside the repository.");
  const [readme, summary] = [named(structure.readme), named(structure.summary) ?? "SUMMARY.md"];
  return { flavour, root: folder, directory, summary, readme, redirects };
}

async function textAt(files: Files, path: string): Promise<string> {
  const found = await files.text(path);
  return "text" in found ? found.text : "";
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
