// What front matter says. It is YAML or TOML of bounded size, read by the fields it may state; what cannot be read is
// reported and stays as it is.

import { Document, isAlias, isMap, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import { FIELDS, FieldReader, type Issue, pairsNamed } from "./fields";
import { type FrontMatterPlace, frontMatterPlace } from "./place";
import { tableOf } from "./toml-text";
import { isTooDeep } from "./yaml-text";

/** How much front matter is read; more is reported and left alone. */
export const MAX_FRONT_MATTER = 16 * 1024;

/** Front matter that was read. */
export interface FrontMatter extends FrontMatterPlace {
  /** What it says, by field; empty when it cannot be read. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
  /** The map of its YAML, with positions counted from `start`; of TOML, without them; undefined when it is not a map. */
  readonly map?: YAMLMap;
}

/** Whether front matter has a name, with or without a good value. */
export function states({ map }: FrontMatter, name: string): boolean {
  return map !== undefined && pairsNamed(map, name).length > 0;
}

/** The front matter of a text, if it has one. */
export function frontMatterOf(text: string): FrontMatter | undefined {
  const place = frontMatterPlace(text);
  if (!place) return undefined;
  const inside = text.slice(place.start, place.end);
  if (inside.length > MAX_FRONT_MATTER)
    return {
      ...place,
      ...nothing(`The front matter has more than ${MAX_FRONT_MATTER} characters, and is ignored.`),
    };
  return { ...place, ...(place.isToml ? readToml(inside) : readYaml(inside)) };
}

type Said = Pick<FrontMatter, "values" | "issues" | "map">;

function nothing(message: string): Said {
  return { values: {}, issues: [{ message }] };
}

/** The same fields are read from TOML as from YAML that says the same. */
function readToml(toml: string): Said {
  const table = tableOf(toml);
  if (!table) return nothing("The front matter is not TOML, and is ignored.");
  const document = new Document(table);
  const map = document.contents as Node as YAMLMap;
  const reader = new FieldReader(document);
  return { values: reader.read(map, FIELDS), issues: reader.issues, map };
}

function readYaml(yaml: string): Said {
  if (isTooDeep(yaml)) return nothing("The front matter is nested too deep, and is ignored.");
  // Names are not checked for duplicates while parsing, because that takes time with the square of their number.
  const document = parseDocument(yaml, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
  const error = document.errors[0];
  if (error) return nothing(`The front matter is not YAML, and is ignored: ${error.message}`);
  const map = document.contents;
  if (map === null) return { values: {}, issues: [] };
  if (refersToNothing(map)) return nothing("The front matter refers to a value that it does not have, and is ignored.");
  if (!isMap(map) || map.flow) return nothing("The front matter is not a map of names and values, and is ignored.");
  const reader = new FieldReader(document);
  return { values: reader.read(map, FIELDS), issues: reader.issues, map };
}

/** Whether an alias has no anchor before it. This parser accepts that, but others refuse the whole text. */
function refersToNothing(contents: Node): boolean {
  const anchors = new Set<string>();
  let isDangling = false;
  visit(contents, {
    Node(_, node) {
      if (isAlias(node)) isDangling ||= !anchors.has(node.source);
      else if (node.anchor !== undefined) anchors.add(node.anchor);
    },
  });
  return isDangling;
}
