// The settings of books that were written for mdBook and HonKit. Nothing in them is run.

import { parse } from "smol-toml";
import type { Variable } from "../revision/entries";
import { exportedLiteral } from "./literal";
import { redirectsFrom } from "./redirects";
import type { Settings } from "./settings";
import type { Files } from "./tree";
import { isClosed } from "./yaml-values";

/** The longest settings that are read. */
const MAX_SETTINGS = 256 * 1024;

/** What `book.toml` says. */
export async function mdBookSettings(files: Files, path: string): Promise<Settings> {
  const table = await readWith(files, path, parse, "It is not TOML, and is ignored.");
  const html = member(member(table, "output"), "html");
  const redirects = new Map(membersOf(member(html, "redirect")));
  return {
    root: member(member(table, "book"), "src") ?? "src",
    redirects: redirectsFrom(files, redirects, "folder"),
    hidelines: textsOf(member(member(html, "code"), "hidelines")),
  };
}

/** What `book.json` or `book.js` says. */
export async function honKitSettings(files: Files, path: string): Promise<Settings> {
  const settings = path.endsWith(".js")
    ? await readWith(files, path, (text) => exported(files, path, text), NO_LITERAL)
    : await readWith(files, path, JSON.parse, "It is not JSON, and is ignored.");
  const structure = member(settings, "structure");
  return {
    root: member(settings, "root"),
    readme: member(structure, "readme") ?? "README.md",
    summary: member(structure, "summary"),
    glossary: member(structure, "glossary") ?? "GLOSSARY.md",
    redirects: redirectsFrom(files, honKitRedirects(settings), "folder"),
    variables: variablesOf(files, member(settings, "variables")),
  };
}

const NO_LITERAL = "It does not export an object that is spelled out. Code is not run, so it is ignored.";

function exported(files: Files, path: string, text: string): unknown {
  const found = exportedLiteral(text);
  if (!found) throw new Error(NO_LITERAL);
  for (const name of found.computed)
    files.skip(`${path}: ${name}`, "It would have to be computed. Code is not run, so it is ignored.");
  return found.value;
}

/** Redirects as the plugins of HonKit have them: a list of pairs, a map, or a file of such a list. */
function honKitRedirects(settings: unknown): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const plugins = member(settings, "pluginsConfig");
  const given = ["redirect", "redirects", "page-redirects"].map((name) => member(plugins, name));
  for (const it of [member(settings, "redirects"), ...given]) {
    const listed = member(it, "redirects") ?? it;
    const pairs = Array.isArray(listed)
      ? listed.map((pair) => [member(pair, "from"), member(pair, "to")] as const)
      : membersOf(listed);
    for (const [from, to] of pairs) if (typeof from === "string" && !found.has(from)) found.set(from, to);
  }
  return found;
}

function variablesOf(files: Files, value: unknown): Record<string, Variable> {
  const isPlain = (it: unknown): it is Variable => ["string", "number", "boolean"].includes(typeof it);
  const found = new Map<string, Variable>();
  for (const [name, it] of membersOf(value)) {
    if (isPlain(it)) found.set(name, it);
    else files.skip(`variables.${name}`, "Only texts, numbers, true and false are variables. It is ignored.");
  }
  return Object.fromEntries(found);
}

/** The members that are texts; undefined when there are none. */
function textsOf(value: unknown): Record<string, string> | undefined {
  const texts = membersOf(value).filter((it): it is [string, string] => typeof it[1] === "string" && it[1] !== "");
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

async function readWith(
  files: Files,
  path: string,
  read: (text: string) => unknown,
  otherwise: string,
): Promise<unknown> {
  const found = await files.text(path);
  try {
    if (!("text" in found) || found.text.length > MAX_SETTINGS) throw new Error(otherwise);
    return read(found.text.replace(/^\ufeff/, ""));
  } catch {
    files.skip(path, otherwise);
    return undefined;
  }
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function membersOf(value: unknown): [string, unknown][] {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? Object.entries(value).filter(([name]) => !isClosed(name)) : [];
}
