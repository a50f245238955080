// The fields of a page that its front matter may have, and how each is read from YAML. A value of the wrong type is ignored and
// reported; no function of this file throws.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { FORBIDDEN_NAMES } from "../../utils/objects";

/** The visible parts of a page, and its width. */
export interface PageLayout {
  readonly width?: string;
  readonly cover?: { readonly visible?: boolean; readonly size?: string };
  readonly title?: { readonly visible?: boolean };
  readonly description?: { readonly visible?: boolean };
  readonly tableOfContents?: { readonly visible?: boolean };
  readonly outline?: { readonly visible?: boolean };
  readonly pagination?: { readonly visible?: boolean };
  readonly metadata?: { readonly visible?: boolean };
}

/** The fields of front matter, under its names. The title is not among them, because a heading may state it too. */
export interface FrontMatterFields {
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
  /** The path of an asset, or a URL. */
  readonly cover?: string;
  readonly coverY?: number;
  readonly hidden?: boolean;
  readonly noIndex?: boolean;
  readonly noRobotsIndex?: boolean;
  readonly vars?: Readonly<Record<string, string | number | boolean>>;
  /** The condition under which the page is shown. */
  readonly if?: string;
  readonly tags?: readonly string[];
  readonly layout?: PageLayout;
}

/** One sentence about a part of front matter that was ignored. */
export interface FrontMatterIssue {
  readonly message: string;
}

type FieldType = "text" | "number" | "flag" | "texts" | "variables" | FieldTypes;
interface FieldTypes {
  readonly [name: string]: FieldType;
}

const visibility: FieldTypes = { visible: "flag" };

/** The type of every field, in the order in which an export writes them. */
export const FIELDS = {
  title: "text",
  icon: "text",
  emoji: "text",
  description: "text",
  cover: "text",
  coverY: "number",
  hidden: "flag",
  noIndex: "flag",
  noRobotsIndex: "flag",
  if: "text",
  tags: "texts",
  vars: "variables",
  layout: {
    width: "text",
    cover: { visible: "flag", size: "text" },
    title: visibility,
    description: visibility,
    tableOfContents: visibility,
    outline: visibility,
    pagination: visibility,
    metadata: visibility,
  },
} as const satisfies FieldTypes;

/** The most aliases of one front matter that are followed. */
const MAX_ALIASES = 16;

const TYPE_NAMES = { text: "a text", number: "a number", flag: "true or false", texts: "a list of texts" } as const;

export class FrontMatterReader {
  readonly issues: FrontMatterIssue[] = [];
  readonly #document: Document;
  #aliases = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  /** Returns the values of a map's known fields. Of two with the same name, the first counts. */
  readFields(map: YAMLMap, types: FieldTypes, path = ""): Record<string, unknown> {
    const fields: Record<string, unknown> = {};
    for (const [name, type] of Object.entries(types)) {
      const [pair, duplicate] = findPairs(map, name);
      if (duplicate) this.#addIssue(`${path}${name} is stated twice; the first counts.`);
      const value = pair && this.#readValue(pair.value as Node | null, type, path + name);
      if (value !== undefined) fields[name] = value;
    }
    return fields;
  }

  #readValue(valueNode: Node | null, type: FieldType, path: string): unknown {
    const node = this.#resolveAlias(valueNode);
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    if (typeof type === "object")
      return isMap(node) ? this.readFields(node, type, `${path}.`) : this.#rejectValue("a map", path);
    if (type === "variables") return isMap(node) ? this.#readVariables(node, path) : this.#rejectValue("a map", path);
    const value = type === "texts" ? this.#readTexts(node) : readScalar(node, type);
    return value ?? this.#rejectValue(TYPE_NAMES[type], path);
  }

  #readTexts(node: Node): string[] | undefined {
    if (!isSeq(node)) return undefined;
    const texts = node.items.map((item) => readScalar(this.#resolveAlias(item as Node | null), "text"));
    return texts.every((text) => typeof text === "string") ? (texts as string[]) : undefined;
  }

  #readVariables(map: YAMLMap, path: string): Record<string, string | number | boolean> {
    const variables = new Map<string, string | number | boolean>();
    for (const pair of map.items) {
      const name = getPairName(pair);
      const node = this.#resolveAlias(pair.value as Node | null);
      const value = isScalar(node) ? node.value : undefined;
      const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
      if (name === undefined || FORBIDDEN_NAMES.has(name)) this.#addIssue(`${path} has a name that cannot be used.`);
      else if (!isPlain) this.#rejectValue("a text, a number, true or false", `${path}.${name}`);
      else if (!variables.has(name)) variables.set(name, value);
    }
    return Object.fromEntries(variables);
  }

  /** Returns the node that an alias stands for. Aliases are limited in number and fields in depth, so the result stays small. */
  #resolveAlias(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    if (++this.#aliases > MAX_ALIASES) return null;
    return node.resolve(this.#document) ?? null;
  }

  #rejectValue(expected: string, path: string): undefined {
    this.#addIssue(`${path} is not ${expected}, and is ignored.`);
  }

  #addIssue(message: string): void {
    this.issues.push({ message });
  }
}

export function findPairs(map: YAMLMap | undefined, name: string): Pair[] {
  return map?.items.filter((pair) => getPairName(pair) === name) ?? [];
}

function getPairName({ key }: Pair): string | undefined {
  return isScalar(key) && key.value !== null ? String(key.value) : undefined;
}

/** Returns the value of a scalar, or undefined if it has another type. A number or `true` in place of a text is read as written. */
function readScalar(node: Node | null, type: "text" | "number" | "flag"): string | number | boolean | undefined {
  if (!isScalar(node)) return undefined;
  const { value, source } = node;
  if (type === "number") return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  if (type === "flag") return typeof value === "boolean" ? value : undefined;
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? (source ?? String(value)) : undefined;
}
