// The settings of a book that was written for HonKit, or for GitBook's old tool: `book.json` or `book.js`. Nothing in them
// is run.

import type { VariableValue } from "../revision/entries";
import { exportedLiteral } from "./literal";
import { redirectsFrom } from "./redirects";
import type { Settings } from "./settings";
import { member, membersOf, readSettings } from "./settings-file";
import type { Files } from "./tree";

/** What `book.json` or `book.js` says. */
export async function honKitSettings(files: Files, path: string): Promise<Settings> {
  const settings = path.endsWith(".js")
    ? await readSettings(files, path, (text) => exported(files, path, text), NO_LITERAL)
    : await readSettings(files, path, JSON.parse, "It is not JSON, and is ignored.");
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

function variablesOf(files: Files, value: unknown): Record<string, VariableValue> {
  const isPlain = (it: unknown): it is VariableValue => ["string", "number", "boolean"].includes(typeof it);
  const found = new Map<string, VariableValue>();
  for (const [name, it] of membersOf(value)) {
    if (isPlain(it)) found.set(name, it);
    else files.skip(`variables.${name}`, "Only texts, numbers, true and false are variables. It is ignored.");
  }
  return Object.fromEntries(found);
}
