// Reads schemas: a schema with everything that applies to it, and its type in a few words.
//
// A schema is merged with the schemas of its `allOf`, and with the keywords beside a reference. A schema that refers to itself is
// included once.

import { isJsonObject } from "../../utils/objects";
import {
  getComponentName,
  getListMember,
  getMemberEntries,
  getOwnMember,
  getTextMember,
  type Located,
  type SpecificationDocument,
} from "./document";

/** The most parts of a schema, and the most properties that are read. */
const MAX_PARTS = 100;
const MAX_PROPERTIES = 1000;

/** A property of an object: its schema, and the document that this is in. */
export interface SchemaProperty extends Located<unknown> {
  readonly name: string;
  readonly isRequired: boolean;
}

export interface SchemaChoice {
  readonly options: readonly Located<unknown>[];
}

/** A schema with everything that applies. */
export class MergedSchema {
  /**
   * `parts` are the keywords beside the reference, the schema itself, then the schemas of `allOf`; the first `ownCount` of them do not
   * come from `allOf`. `itself` is the object to which the schema was resolved, which is the same wherever it is referred to.
   */
  constructor(
    readonly parts: readonly Located[],
    readonly itself: object,
    readonly ownCount: number,
  ) {}

  /** Finds the first value of a keyword, with its document. */
  find(name: string, parts = this.parts): Located<unknown> | undefined {
    for (const { value, document } of parts) {
      const found = getOwnMember(value, name);
      if (found !== undefined) return { value: found, document };
    }
    return undefined;
  }

  /** Returns the first value of a keyword. */
  get(name: string): unknown {
    return this.find(name)?.value;
  }

  /** Returns the value of a keyword without those of `allOf`: an example of a part is not an example of the whole. */
  getOwn(name: string): unknown {
    return this.find(name, this.parts.slice(0, this.ownCount))?.value;
  }

  getText(name: string): string | undefined {
    const found = this.get(name);
    return typeof found === "string" ? found : undefined;
  }

  getNumber(name: string): number | undefined {
    const found = this.get(name);
    return typeof found === "number" ? found : undefined;
  }

  isTrue(name: string): boolean {
    return this.parts.some(({ value }) => getOwnMember(value, name) === true);
  }

  allowsType(name: string): boolean {
    const type = this.get("type");
    return type === name || (Array.isArray(type) && type.includes(name));
  }

  get example(): unknown {
    const several = this.getOwn("examples");
    return this.getOwn("example") ?? (Array.isArray(several) ? several[0] : undefined);
  }

  /** The number of properties, including those that are read no more. */
  get propertyCount(): number {
    return this.parts.reduce((sum, { value }) => sum + getMemberEntries(value, "properties").length, 0);
  }

  /** Lists the properties. Of those with the same name, the nearest counts. */
  listProperties(): SchemaProperty[] {
    const { parts, ownCount } = this;
    const required = new Set(parts.flatMap(({ value }) => getListMember(value, "required").slice(0, MAX_PROPERTIES)));
    const found = new Map<string, SchemaProperty>();
    // Included properties come first, as one reads them, but nearer ones win.
    for (const { value: part, document } of [...parts.slice(ownCount), ...parts.slice(0, ownCount)])
      for (const [name, value] of getMemberEntries(part, "properties").slice(0, MAX_PROPERTIES))
        found.set(name, { name, value, document, isRequired: required.has(name) });
    return [...found.values()];
  }

  /** Lists the `oneOf` and `anyOf`, without equal options. */
  listChoices(): SchemaChoice[] {
    return this.parts.flatMap(({ value, document }) =>
      ["oneOf", "anyOf"].flatMap((name) => {
        const seen = new Set<unknown>();
        const options = getListMember(value, name).slice(0, MAX_PARTS);
        const distinct = options.filter((option) => {
          const itself = document.resolve(option)?.value ?? option;
          return !seen.has(itself) && seen.add(itself);
        });
        return distinct.length === 0 ? [] : [{ options: distinct.map((value) => ({ value, document })) }];
      }),
    );
  }

  /** Returns the schema of the items of a list, or of the values of a map; undefined if it is neither. */
  getElement(): Located<unknown> | undefined {
    const items = this.find("items");
    if (items && isJsonObject(items.value)) return items;
    return this.propertyCount > 0 ? undefined : this.getOtherMembers();
  }

  /** Returns the schema of the members with any other name; undefined if nothing is known of them. */
  getOtherMembers(): Located<unknown> | undefined {
    const others = this.find("additionalProperties");
    return others && isJsonObject(others.value) && Object.keys(others.value).length > 0 ? others : undefined;
  }
}

/** The merged schemas. A schema stands in one document, and is used on many pages. */
const mergedSchemas = new WeakMap<object, MergedSchema>();

/** Merges a schema with everything that applies; undefined if it leads nowhere. */
export function mergeSchema({ value: schema, document }: Located<unknown>): MergedSchema | undefined {
  if (!isJsonObject(schema)) return undefined;
  const known = mergedSchemas.get(schema);
  if (known) return known;
  const parts: Located[] = [];
  const seen = new Set<unknown>();
  const addPart = (value: unknown, inside: SpecificationDocument) => {
    const found = inside.resolve(value);
    if (!found || seen.has(found.value) || seen.size >= MAX_PARTS) return;
    seen.add(found.value);
    if (found.value !== value && isJsonObject(value) && Object.keys(value).length > 1)
      parts.push({ value: { ...value, $ref: undefined }, document: inside });
    parts.push(found);
    for (const part of getListMember(found.value, "allOf").slice(0, MAX_PARTS)) addPart(part, found.document);
  };
  addPart(schema, document);

  // A schema that only includes another one, to describe it, stands for that one.
  let found = document.resolve(schema);
  for (let hops = 0; found && hops < MAX_PARTS; hops++) {
    const { value } = found;
    const included = getListMember(value, "allOf");
    const hasOwnContent = ["properties", "oneOf", "anyOf", "items"].some(
      (name) => getOwnMember(value, name) !== undefined,
    );
    const inner = included.length === 1 && !hasOwnContent ? found.document.resolve(included[0]) : undefined;
    if (!inner) break;
    found = inner;
  }
  if (!found) return undefined;
  const itself = found.value;
  const merged = new MergedSchema(parts, itself, parts.findIndex(({ value }) => value === itself) + 1);
  mergedSchemas.set(schema, merged);
  return merged;
}

/** Returns the name of a schema: that of its reference, or its title. */
export function getSchemaTitle(schema: unknown): string | undefined {
  const ref = getTextMember(schema, "$ref");
  if (ref !== undefined) return getComponentName(ref);
  // A reference with something beside it.
  const parts = getListMember(schema, "allOf");
  return getTextMember(schema, "title") ?? (parts.length === 1 ? getSchemaTitle(parts[0]) : undefined);
}

/** The depth of a description, and the most options of a choice that it names. */
const MAX_DEPTH = 3;
const MAX_NAMED = 6;

const OR_NULL = " or null";

const knownTypes = new WeakMap<object, string>();

/** Describes the type of a schema in a few words, such as `array of Book`; empty if it has none. */
export function describeSchemaType(located: Located<unknown>, depth = 0): string {
  const { value: schema } = located;
  const known = depth === 0 && isJsonObject(schema) ? knownTypes.get(schema) : undefined;
  if (known !== undefined) return known;
  const whole = mergeSchema(located);
  let kind = "";
  if (whole && depth <= MAX_DEPTH) {
    kind = describeWithoutNull(schema, whole, depth);
    if (whole.isTrue("nullable") && kind !== "" && !kind.endsWith(OR_NULL)) kind += OR_NULL;
  } else {
    const ref = getTextMember(schema, "$ref");
    if (ref !== undefined) kind = getComponentName(ref);
  }
  if (depth === 0 && isJsonObject(schema)) knownTypes.set(schema, kind);
  return kind;
}

function describeWithoutNull(schema: unknown, whole: MergedSchema, depth: number): string {
  const type = whole.get("type");
  const element = whole.getElement();
  const isList = type === "array" || (type === undefined && whole.get("items") !== undefined);
  if (isList || element) {
    const of = element ? describeSchemaType(element, depth + 1) : "";
    if (isList) return of === "" ? "array" : `array of ${of}`;
    if (getSchemaTitle(schema) === undefined || !isJsonObject(schema)) return of === "" ? "object" : `map of ${of}`;
  }
  const isObject =
    type === undefined
      ? whole.propertyCount > 0
      : type === "object" || (Array.isArray(type) && type.includes("object"));
  const choices = whole.listChoices().flatMap(({ options }) => options);
  const named =
    getTextMember(schema, "$ref") !== undefined || getListMember(schema, "allOf").length === 1
      ? getSchemaTitle(schema)
      : undefined;
  // The name of a schema without members says less than its type.
  if (named !== undefined && (isObject || choices.length > 0)) return named;

  if (type === undefined || type === "object") {
    // The types of a choice. That a value may be null is said once, at the end.
    const kinds = choices.map((choice) => describeSchemaType(choice, depth + 1));
    const withoutNull = kinds.map((kind) => (kind.endsWith(OR_NULL) ? kind.slice(0, -OR_NULL.length) : kind));
    const distinct = [...new Set(withoutNull)].filter((kind) => kind !== "" && kind !== "null");
    const isNullable = kinds.some((kind) => kind === "null" || kind.endsWith(OR_NULL));
    const more = distinct.length - MAX_NAMED;
    const shown = distinct.slice(0, MAX_NAMED);
    const words = more > 0 ? `${shown.join(", ")} or ${more} others` : shown.join(" or ");
    if (words !== "") return isNullable ? `${words}${OR_NULL}` : words;
  }

  const typeWords = Array.isArray(type) ? type.filter((it) => typeof it === "string").join(" or ") : type;
  if (typeof typeWords === "string") {
    const format = whole.getText("format");
    return format === undefined ? typeWords : `${typeWords} ${format.slice(0, 100)}`;
  }
  if (isObject) return "object";
  // Without a type, that of the listed values counts.
  const values = whole.get("enum");
  const [first] = Array.isArray(values) ? values : [whole.get("const")];
  return ["string", "number", "boolean"].includes(typeof first) ? typeof first : (named ?? "");
}

/** Returns true if a schema only says which members are required. */
export function hasOnlyRequired(schema: unknown): boolean {
  return (
    isJsonObject(schema) &&
    Object.keys(schema).every((name) => name === "required" || name === "title") &&
    getOwnMember(schema, "required") !== undefined
  );
}
