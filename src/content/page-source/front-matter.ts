// Parses front matter, which is YAML or TOML of limited size, into the fields of a page. Front matter that cannot be read is
// reported and stays as it is.

import { Document, isAlias, isMap, parseDocument, visit, type YAMLMap } from "yaml";
import { type FrontMatterRange, findFrontMatter } from "./find-front-matter";
import { FIELDS, type FrontMatterIssue, FrontMatterReader } from "./front-matter-fields";
import { tryParseToml } from "./toml";
import { isYamlTooDeep } from "./yaml";

/** The most characters of front matter. Longer front matter is reported and left alone. */
const MAX_FRONT_MATTER_LENGTH = 16 * 1024;

export interface FrontMatter extends FrontMatterRange {
  /** The values by field; empty if the front matter cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly FrontMatterIssue[];
  /** The YAML map, with positions relative to `start`, or the TOML as a map without positions; undefined if it is not a map. */
  readonly map?: YAMLMap;
}

/** Parses the front matter of a text. Returns undefined if the text has none. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const range = findFrontMatter(text);
  if (!range) return undefined;
  const ignore = (message: string): FrontMatter => ({ ...range, values: {}, issues: [{ message }] });
  const source = text.slice(range.start, range.end);
  if (source.length > MAX_FRONT_MATTER_LENGTH)
    return ignore(`The front matter has more than ${MAX_FRONT_MATTER_LENGTH} characters, and is ignored.`);

  let document: Document;
  if (range.isToml) {
    const table = tryParseToml(source);
    if (!table) return ignore("The front matter is not TOML, and is ignored.");
    // The fields of TOML are read like those of the equivalent YAML.
    document = new Document(table);
  } else {
    if (isYamlTooDeep(source)) return ignore("The front matter is nested too deep, and is ignored.");
    // The parser does not look for duplicate names, because that takes quadratic time.
    document = parseDocument(source, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    const error = document.errors[0];
    if (error) return ignore(`The front matter is not YAML, and is ignored: ${error.message}`);
    if (document.contents === null) return { ...range, values: {}, issues: [] };

    // This parser accepts an alias without an anchor before it, but other parsers reject the whole text.
    const anchors = new Set<string>();
    let hasDanglingAlias = false;
    visit(document.contents, {
      Node(_, node) {
        if (isAlias(node)) hasDanglingAlias ||= !anchors.has(node.source);
        else if (node.anchor !== undefined) anchors.add(node.anchor);
      },
    });
    if (hasDanglingAlias) return ignore("The front matter refers to a value that it does not have, and is ignored.");
    if (!isMap(document.contents) || document.contents.flow)
      return ignore("The front matter is not a map of names and values, and is ignored.");
  }
  const map = document.contents as YAMLMap;
  const reader = new FrontMatterReader(document);
  return { ...range, values: reader.readFields(map, FIELDS), issues: reader.issues, map };
}
