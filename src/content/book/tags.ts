// The tags of a book: those that `.gitbook/tags.yaml` has, and those that its texts name.

import { isMap, isScalar, isSeq, parseDocument } from "yaml";
import { parsePageSource } from "../page-source";
import { isYamlTooDeep } from "../page-source/yaml";
import type { Files } from "./tree";

/** The longest list that is read. */
const MAX_YAML = 256 * 1024;

/** The tags of a book. Without a list, every tag is one. */
export class Tags {
  private constructor(
    readonly files: Files,
    readonly known: ReadonlySet<string> | undefined,
  ) {}

  /** Reads the list at the first of some paths that has one. */
  static async of(files: Files, places: readonly string[]): Promise<Tags> {
    const path = places.find((it) => files.has(it));
    const found = path === undefined ? undefined : await files.text(path);
    const known = found && "text" in found ? tagsIn(found.text) : undefined;
    if (path !== undefined && !known) files.skip(path, "It is not a list of tags in YAML, and is ignored.");
    return new Tags(files, known);
  }

  /** Reports the tags of a text that the list does not have. */
  check(path: string, text: string): void {
    if (!this.known || !/\btags\b/.test(text)) return;
    for (const tag of tagsOf(text))
      if (!this.known.has(tag)) this.files.skip(path, `Its tag "${tag}" is not in .gitbook/tags.yaml.`);
  }
}

/** The names of tags in a list: a map by name, or a list of names or of maps with a name. Undefined: it is neither. */
function tagsIn(yaml: string): Set<string> | undefined {
  if (yaml.length > MAX_YAML || isYamlTooDeep(yaml)) return undefined;
  const { contents, errors } = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  if (errors.length > 0) return undefined;
  const inside = isMap(contents) ? contents.get("tags", true) : undefined;
  const list: unknown = isMap(inside) || isSeq(inside) ? inside : contents;
  if (isMap(list)) return new Set(list.items.flatMap(({ key }) => nameIn(key)));
  return isSeq(list) ? new Set(list.items.flatMap(nameIn)) : contents === null ? new Set() : undefined;
}

function nameIn(node: unknown): string[] {
  if (isScalar(node)) return node.value === null ? [] : [String(node.value)];
  if (!isMap(node)) return [];
  return ["tag", "id", "slug", "name"].flatMap((key) => nameIn(node.get(key, true))).slice(0, 1);
}

const UPDATE_TAGS = /\{%[ \t]*update\b[^%\n]*?\btags[ \t]*=[ \t]*"([^"\n]*)"/g;

/** The tags that a text names: those of its page, and those of its updates. */
function tagsOf(text: string): Set<string> {
  const ofUpdates = [...text.matchAll(UPDATE_TAGS)].flatMap(([, tags = ""]) => tags.split(","));
  const all = [...(parsePageSource(text).fields.tags ?? []), ...ofUpdates].map((tag) => tag.trim());
  return new Set(all.filter((tag) => tag !== ""));
}
