// The fields of a page that its front matter may state, and how each is read from YAML. A value of the wrong kind is
// ignored and reported; nothing here throws.

import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";

/** Which parts of a page are shown, and how wide it is. */
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

/** What front matter may say of a page, by the names that it uses; the title stands apart, for a heading may state it too. */
export interface PageFields {
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

/** Something in a page file that was ignored, in one sentence. */
export interface Issue {
  readonly message: string;
}

type Kind = "text" | "number" | "flag" | "texts" | "variables" | Shape;
interface Shape {
  readonly [name: string]: Kind;
}

const shown: Shape = { visible: "flag" };

/** Every field in the order in which an export writes it, and its kind. */
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
    title: shown,
    description: shown,
    tableOfContents: shown,
    outline: shown,
    pagination: shown,
    metadata: shown,
  },
} as const satisfies Shape;

/** The name of a field. */
export type FieldName = keyof typeof FIELDS;

/** Names that would reach the prototype of an object. */
const CLOSED = new Set(["__proto__", "constructor", "prototype"]);
/** More aliases than this in one front matter are not followed. */
const MAX_ALIASES = 16;

const EXPECTED = { text: "a text", number: "a number", flag: "true or false", texts: "a list of texts" } as const;

/** Reads the fields of one front matter. */
export class FieldReader {
  readonly issues: Issue[] = [];
  private aliases = 0;

  constructor(private readonly document: Document) {}

  /** The members of a map that a shape knows; the first of two with the same name counts. */
  read(map: YAMLMap, shape: Shape, path = ""): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const [name, kind] of Object.entries(shape)) {
      const [pair, again] = pairsNamed(map, name);
      if (again) this.ignore(`${path}${name} is stated twice; the first counts.`);
      const value = pair && this.value(pair.value as Node | null, kind, path + name);
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  private value(given: Node | null, kind: Kind, path: string): unknown {
    const node = this.followed(given);
    if (node === null || (isScalar(node) && node.value === null)) return undefined;
    if (typeof kind === "object") return isMap(node) ? this.read(node, kind, `${path}.`) : this.not("a map", path);
    if (kind === "variables") return isMap(node) ? this.variables(node, path) : this.not("a map", path);
    const value = kind === "texts" ? this.texts(node) : scalarOf(node, kind);
    return value ?? this.not(EXPECTED[kind], path);
  }

  private texts(node: Node): string[] | undefined {
    if (!isSeq(node)) return undefined;
    const texts = node.items.map((item) => scalarOf(this.followed(item as Node | null), "text"));
    return texts.every((text) => typeof text === "string") ? (texts as string[]) : undefined;
  }

  private variables(map: YAMLMap, path: string): Record<string, string | number | boolean> {
    const found = new Map<string, string | number | boolean>();
    for (const pair of map.items) {
      const name = nameOf(pair);
      const node = this.followed(pair.value as Node | null);
      const value = isScalar(node) ? node.value : undefined;
      const isPlain = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
      if (name === undefined || CLOSED.has(name)) this.ignore(`${path} has a name that cannot be used.`);
      else if (!isPlain) this.not("a text, a number, true or false", `${path}.${name}`);
      else if (!found.has(name)) found.set(name, value);
    }
    return Object.fromEntries(found);
  }

  /** What an alias stands for. Aliases are limited in number and fields in depth, so nothing grows without bound. */
  private followed(node: Node | null): Node | null {
    if (!isAlias(node)) return node;
    if (++this.aliases > MAX_ALIASES) return null;
    return node.resolve(this.document) ?? null;
  }

  private not(expected: string, path: string): undefined {
    this.ignore(`${path} is not ${expected}, and is ignored.`);
  }

  private ignore(message: string): void {
    this.issues.push({ message });
  }
}

/** The pairs of a map that have a name. */
export function pairsNamed(map: YAMLMap, name: string): Pair[] {
  return map.items.filter((pair) => nameOf(pair) === name);
}

function nameOf({ key }: Pair): string | undefined {
  return isScalar(key) && key.value !== null ? String(key.value) : undefined;
}

/** A number or a word such as `true` in place of a text is taken as it was written. */
function scalarOf(node: Node | null, kind: "text" | "number" | "flag"): string | number | boolean | undefined {
  if (!isScalar(node)) return undefined;
  const { value, source } = node;
  if (kind === "number") return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  if (kind === "flag") return typeof value === "boolean" ? value : undefined;
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? (source ?? String(value)) : undefined;
}
