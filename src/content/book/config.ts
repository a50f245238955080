// Where a book lies in a repository, and what its settings say of it: those of `.gitbook.yaml`, `book.toml` (mdBook),
// `book.json` or `book.js` (HonKit), or what the files themselves suggest.

import { omitUndefined } from "../../utils/objects";
import type { LanguagesEntry } from "../revision/entries";
import type { Redirects } from "./book";
import { honKitSettings } from "./config-honkit";
import { mdBookSettings } from "./config-mdbook";
import { foldersOf, type Language, languagesIn } from "./languages";
import { joined } from "./paths";
import { redirectsFrom } from "./redirects";
import { BookRefused } from "./refused";
import type { Flavour, Settings } from "./settings";
import type { Files } from "./tree";
import { mapIn, valuesIn, yamlMap } from "./yaml-values";

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
  /** The last page if it is not listed, from the root. */
  readonly glossary: string | undefined;
  /** The languages beside that of the root. */
  readonly languages: readonly Language[];
  /** All of them; undefined when there is one alone. */
  readonly translated?: LanguagesEntry;
  readonly redirects: Redirects;
  readonly variables: NonNullable<Settings["variables"]>;
  readonly hidelines?: Settings["hidelines"];
}

/** Finds out where the book of a directory lies. */
export async function layoutIn(files: Files, directory: string): Promise<Layout> {
  const folder = joined("", directory);
  const find = (...names: string[]) => names.map((name) => joined(folder, name)).find((path) => files.has(path));
  const gitBook = find(".gitbook.yaml", ".gitbook.yml");
  if (gitBook !== undefined)
    return inLanguages(files, layout(folder, "gitbook", await gitBookSettings(files, gitBook)));
  const mdBook = find("book.toml");
  if (mdBook !== undefined) return layout(folder, "mdbook", await mdBookSettings(files, mdBook));
  const honKit = find("book.json", "book.js");
  if (honKit !== undefined) return inLanguages(files, layout(folder, "honkit", await honKitSettings(files, honKit)));
  const isMdBook = find("SUMMARY.md") === undefined && find("src/SUMMARY.md") !== undefined;
  return isMdBook ? layout(folder, "mdbook", { root: "src" }) : inLanguages(files, layout(folder, "gitbook", {}));
}

/** A book with a list of languages begins in the folder of the first one. */
async function inLanguages(files: Files, found: Layout): Promise<Layout> {
  const { root, summary } = found;
  if (files.has(joined(root, summary))) return found;
  const [first, ...others] = await languagesIn(files, root);
  if (!first) return found;
  const back = first.folder.replaceAll(/[^/]+/g, "..");
  const languages = others.map((it) => ({ ...it, folder: joined(back, it.folder) }));
  const translated = { root: first.folder, folders: foldersOf([first, ...others]) };
  return {
    ...found,
    root: joined(root, `./${first.folder}`),
    languages,
    ...omitUndefined({ translated: others.length === 0 ? undefined : translated }),
  };
}

async function gitBookSettings(files: Files, path: string): Promise<Settings> {
  const found = await files.text(path);
  const map = yamlMap("text" in found ? found.text : "");
  if (!map) files.skip(path, "It is not a map in YAML, and is ignored.");
  const structure = valuesIn(mapIn(map, "structure"));
  return {
    root: valuesIn(map).get("root"),
    readme: structure.get("readme"),
    summary: structure.get("summary"),
    redirects: redirectsFrom(files, valuesIn(mapIn(map, "redirects")), "root"),
  };
}

function layout(directory: string, flavour: Flavour, settings: Settings): Layout {
  const { root, readme, summary, glossary, redirects = {}, variables = {}, hidelines } = settings;
  const named = (value: unknown) => (typeof value === "string" && value !== "" ? joined("", value) : undefined);
  const folder = joined(directory, `./${typeof root === "string" ? root : ""}`);
  if (folder.startsWith("..")) throw new BookRefused("The root of the book is outside the repository.");
  const structure = { readme: named(readme), summary: named(summary) ?? "SUMMARY.md", glossary: named(glossary) };
  const said = { redirects, variables, ...omitUndefined({ hidelines }) };
  return { flavour, root: folder, directory, ...structure, languages: [], ...said };
}
