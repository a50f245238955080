// The tags of a book: those that `.gitbook/tags.yaml` lists, and those that its texts name.

import { isMap, isScalar, isSeq } from "yaml";
import { parsePageSource } from "../page-source";
import type { RepositoryFiles } from "./repository-files";
import { parseSmallYaml } from "./yaml-values";

const UPDATE_TAGS = /\{%[ \t]*update\b[^%\n]*?\btags[ \t]*=[ \t]*"([^"\n]*)"/g;

/** The list of tags. Without one, every tag is known. */
export class TagList {
  private constructor(
    readonly files: RepositoryFiles,
    readonly knownTags: ReadonlySet<string> | undefined,
  ) {}

  /** Reads the list at the first of some paths that has one. */
  static async load(files: RepositoryFiles, paths: readonly string[]): Promise<TagList> {
    const path = paths.find((it) => files.has(it));
    const file = path === undefined ? undefined : await files.readText(path);
    const contents = file && "text" in file ? parseSmallYaml(file.text)?.contents : undefined;
    // The list is a map by name, or a list of names or of maps with a name.
    const tags = isMap(contents) ? contents.get("tags", true) : undefined;
    const list: unknown = isMap(tags) || isSeq(tags) ? tags : contents;
    let knownTags: ReadonlySet<string> | undefined;
    if (isMap(list)) knownTags = new Set(list.items.flatMap(({ key }) => listTagNames(key)));
    else if (isSeq(list)) knownTags = new Set(list.items.flatMap(listTagNames));
    else if (contents === null) knownTags = new Set();
    if (path !== undefined && !knownTags) files.skip(path, "It is not a list of tags in YAML, and is ignored.");
    return new TagList(files, knownTags);
  }

  /** Reports the tags that a page and the updates on it name, and that the list does not have. */
  check(path: string, text: string): void {
    if (!this.knownTags || !/\btags\b/.test(text)) return;
    const updateTags = [...text.matchAll(UPDATE_TAGS)].flatMap(([, tags = ""]) => tags.split(","));
    const tags = [...(parsePageSource(text).fields.tags ?? []), ...updateTags].map((tag) => tag.trim());
    for (const tag of new Set(tags))
      if (tag !== "" && !this.knownTags.has(tag))
        this.files.skip(path, `Its tag "${tag}" is not in .gitbook/tags.yaml.`);
  }
}

/** Returns the name of a tag as a list of one, or an empty list. */
function listTagNames(node: unknown): string[] {
  if (isScalar(node)) return node.value === null ? [] : [String(node.value)];
  if (!isMap(node)) return [];
  return ["tag", "id", "slug", "name"].flatMap((key) => listTagNames(node.get(key, true))).slice(0, 1);
}
