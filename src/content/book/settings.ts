// The settings of a book, in the formats of three tools: `.gitbook.yaml` (GitBook), `book.toml` (mdBook), and `book.json` or
// `book.js` (HonKit, and the former tool of GitBook). They are read as data: nothing in them is run, and nothing is trusted.

import { parse as parseToml } from "smol-toml";
import { FORBIDDEN_NAMES, isJsonObject } from "../../utils/objects";
import type { VariableValue } from "../revision/entries";
import { normalizeRedirectPath } from "../revision/view";
import type { BookRedirects } from "./book";
import { parseExportedObject } from "./js-literal";
import { getParentFolder, isUrl, joinPath, splitHref } from "./paths";
import type { RepositoryFiles } from "./repository-files";
import { getChildMap, getScalarValues, parseYamlMap } from "./yaml-values";

/** The tool whose conventions a book follows. */
export type BookFlavor = "gitbook" | "mdbook" | "honkit";

/** Settings, as far as they are stated. Names of files are not checked yet. */
export interface BookSettings {
  readonly root?: unknown;
  readonly readme?: unknown;
  readonly summary?: unknown;
  /** A page that comes last if the table of contents does not list it. */
  readonly glossary?: unknown;
  readonly redirects?: BookRedirects;
  readonly variables?: Readonly<Record<string, VariableValue>>;
  /** mdBook: the beginnings of lines of code that are not shown, by language. */
  readonly hidelines?: Readonly<Record<string, string>> | undefined;
}

/** The longest file of settings that is read. */
const MAX_SETTINGS_LENGTH = 256 * 1024;
const MAX_REDIRECTS = 5000;

/** Reads `.gitbook.yaml`. */
export async function readGitBookSettings(files: RepositoryFiles, path: string): Promise<BookSettings> {
  const file = await files.readText(path);
  const map = parseYamlMap("text" in file ? file.text : "");
  if (!map) files.skip(path, "It is not a map in YAML, and is ignored.");
  const structure = getScalarValues(getChildMap(map, "structure"));
  return {
    root: getScalarValues(map).get("root"),
    readme: structure.get("readme"),
    summary: structure.get("summary"),
    redirects: parseRedirects(files, getScalarValues(getChildMap(map, "redirects")), "root"),
  };
}

/** Reads `book.toml`. */
export async function readMdBookSettings(files: RepositoryFiles, path: string): Promise<BookSettings> {
  const table = await readSettingsFile(files, path, parseToml, "It is not TOML, and is ignored.");
  const html = getProperty(getProperty(table, "output"), "html");
  const hidelines = listProperties(getProperty(getProperty(html, "code"), "hidelines")).filter(
    (property): property is [string, string] => typeof property[1] === "string" && property[1] !== "",
  );
  return {
    root: getProperty(getProperty(table, "book"), "src") ?? "src",
    redirects: parseRedirects(files, new Map(listProperties(getProperty(html, "redirect"))), "folder"),
    hidelines: hidelines.length === 0 ? undefined : Object.fromEntries(hidelines),
  };
}

const NO_LITERAL = "It doesn't export an object literal. Code isn't run, so it is ignored.";

/** Reads `book.json` or `book.js`. */
export async function readHonKitSettings(files: RepositoryFiles, path: string): Promise<BookSettings> {
  const parseScript = (text: string) => {
    const exported = parseExportedObject(text);
    if (!exported) throw new Error(NO_LITERAL);
    for (const name of exported.computedPaths)
      files.skip(`${path}: ${name}`, "Its value is computed. Code isn't run, so it is ignored.");
    return exported.value;
  };
  const settings = path.endsWith(".js")
    ? await readSettingsFile(files, path, parseScript, NO_LITERAL)
    : await readSettingsFile(files, path, JSON.parse, "It is not JSON, and is ignored.");

  // Each plugin for redirects has another form: a list of pairs, a map, or a file with such a list.
  const formerPaths = new Map<string, unknown>();
  const plugins = getProperty(settings, "pluginsConfig");
  const pluginSettings = ["redirect", "redirects", "page-redirects"].map((name) => getProperty(plugins, name));
  for (const value of [getProperty(settings, "redirects"), ...pluginSettings]) {
    const list = getProperty(value, "redirects") ?? value;
    const pairs = Array.isArray(list)
      ? list.map((pair) => [getProperty(pair, "from"), getProperty(pair, "to")] as const)
      : listProperties(list);
    for (const [from, to] of pairs) if (typeof from === "string" && !formerPaths.has(from)) formerPaths.set(from, to);
  }
  const redirects = parseRedirects(files, formerPaths, "folder");

  const variables = new Map<string, VariableValue>();
  const isVariable = (value: unknown): value is VariableValue => ["string", "number", "boolean"].includes(typeof value);
  for (const [name, value] of listProperties(getProperty(settings, "variables"))) {
    if (isVariable(value)) variables.set(name, value);
    else files.skip(`variables.${name}`, "Variables can only be strings, numbers and booleans. It is ignored.");
  }

  const structure = getProperty(settings, "structure");
  return {
    root: getProperty(settings, "root"),
    readme: getProperty(structure, "readme") ?? "README.md",
    summary: getProperty(structure, "summary"),
    glossary: getProperty(structure, "glossary") ?? "GLOSSARY.md",
    redirects,
    variables: Object.fromEntries(variables),
  };
}

/** Reads a file of settings. A file that cannot be parsed is reported with `problem`, and states nothing. */
async function readSettingsFile(
  files: RepositoryFiles,
  path: string,
  parse: (text: string) => unknown,
  problem: string,
): Promise<unknown> {
  const file = await files.readText(path);
  try {
    if (!("text" in file) || file.text.length > MAX_SETTINGS_LENGTH) throw new Error(problem);
    return parse(file.text.replace(/^\ufeff/, ""));
  } catch {
    files.skip(path, problem);
    return undefined;
  }
}

function getProperty(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** Returns the properties of a map with harmless names. */
function listProperties(value: unknown): [string, unknown][] {
  const isMap = isJsonObject(value);
  return isMap ? Object.entries(value).filter(([name]) => !FORBIDDEN_NAMES.has(name)) : [];
}

/**
 * Parses redirects from former paths to files or URLs. Their targets are relative to the root, or to the folder of the former
 * path. A redirect that cannot work is reported.
 */
function parseRedirects(
  files: RepositoryFiles,
  targets: ReadonlyMap<string, unknown>,
  relativeTo: "root" | "folder",
): BookRedirects {
  const redirects = new Map<string, string>();
  for (const [formerPath, value] of targets) {
    const from = normalizeRedirectPath(splitHref(formerPath).path);
    const target = typeof value === "string" ? value.trim() : "";

    let problem: string | undefined;
    if (target === "") problem = "it names no target";
    else if (formerPath.includes("#")) problem = "a browser does not send what is behind a #";
    else if (from === "") problem = "the book itself begins at this path";
    else if (FORBIDDEN_NAMES.has(from) || from.startsWith("..")) problem = "no page can have had this path";
    else if (redirects.has(from)) problem = "there is another one from the same path";
    else if (redirects.size >= MAX_REDIRECTS) problem = `a book has at most ${MAX_REDIRECTS} of them`;
    if (problem !== undefined) {
      files.skip(formerPath, `This redirect is ignored: ${problem}.`);
      continue;
    }

    if (isUrl(target)) redirects.set(from, target);
    else {
      const hash = target.indexOf("#");
      const [path, anchor] = hash < 0 ? [target, ""] : [target.slice(0, hash), target.slice(hash)];
      const folder = relativeTo === "root" ? "" : getParentFolder(joinPath("", formerPath));
      redirects.set(from, `${joinPath(folder, path)}${path.endsWith("/") ? "/" : ""}${anchor}`);
    }
  }
  return Object.fromEntries(redirects);
}
