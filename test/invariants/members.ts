// The members that the interface names, and what the declared shapes make of them. `members.tsv` has one line for each member:
// an operation or a shape, the side, the path of the member, its type, and whether it must be there.
//
//   of        the name of an operation; or of a shape, with the side `shape`
//   side      answer, request, query or shape
//   member    `urls.app`; `items[].id` in a list; `.` the whole; `...` the members of a shape in this place
//   type      string, number, boolean, object, array, map, any, nothing, bytes (made by others); `string[]`; `enum(a,b)`; `list(Shape)`; a shape;
//             alternatives are separated by `|`, and `null` is one of them
//   presence  required; optional: it may be absent; unsent: the interface names it, and this API never sends it

import * as v from "valibot";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { BinarySchema } from "../../src/operation/binary-response";
import type { Schema } from "../../src/operation/operation";

export interface Line {
  readonly of: string;
  readonly side: "answer" | "request" | "query" | "shape";
  readonly member: string;
  readonly type: string;
  readonly presence: "required" | "optional" | "unsent";
}

/** The lines of a table. */
export function linesIn(tsv: string): Line[] {
  return tsv
    .trim()
    .split("\n")
    .map((line) => {
      const [of, side, member, type, presence] = line.split("\t");
      return { of, side, member, type, presence } as Line;
    });
}

/** What a shape allows at one place: every alternative, without the wrappers around it. */
interface Place {
  readonly options: readonly Bare[];
  readonly isNullable: boolean;
  /** Whether it may be left out. */
  readonly isOptional: boolean;
  /** Whether it may be absent in an answer. What was left out in a request has its default there. */
  readonly isAbsent: boolean;
}

/** A schema of valibot, as far as it is looked at here. */
interface Bare {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly value?: Schema;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly wrapped?: Schema;
  readonly default?: unknown;
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[];
  readonly getter?: (input: unknown) => Schema;
}

const OBJECTS = ["object", "strict_object", "loose_object", "object_with_rest"];

const plain = { isNullable: false, isOptional: false, isAbsent: false };

/** A schema without wrappers, unions, pipes and lazy parts. */
function placeOf(schema: Schema): Place {
  const bare = schema as unknown as Bare;
  const inside = (wrapped: Schema, more: Partial<Place> = {}): Place => ({ ...placeOf(wrapped), ...more });
  const isAbsent = bare.default === undefined;
  if (bare.type === "optional" || bare.type === "exact_optional")
    return inside(bare.wrapped!, { isOptional: true, isAbsent });
  if (bare.type === "nullable") return inside(bare.wrapped!, { isNullable: true });
  if (bare.type === "nullish") return inside(bare.wrapped!, { isNullable: true, isOptional: true, isAbsent });
  if (bare.type === "lazy") return inside(bare.getter!(undefined));
  if (bare.type === "null") return { ...plain, options: [], isNullable: true };
  if (bare.type === "union" || bare.type === "variant") return joined((bare.options as Schema[]).map(placeOf))!;
  return { ...plain, options: [bare] };
}

/** The place of a member; undefined where no alternative has it. It is optional where not all of them have it. */
function memberOf({ options }: Place, name: string): Place | undefined {
  const objects = options.filter(({ type }) => OBJECTS.includes(type));
  if (name === "[]") return joined(options.flatMap(({ type, item }) => (type === "array" ? placeOf(item!) : [])));
  const records = options.filter(({ type }) => type === "record");
  const found = objects.flatMap(({ entries }) => (Object.hasOwn(entries!, name) ? placeOf(entries![name]!) : []));
  const free = records.map(({ value }) => ({ ...placeOf(value!), isOptional: true, isAbsent: true }));
  const place = joined([...found, ...free]);
  const isInSome = found.length < objects.length;
  return place && { ...place, isOptional: place.isOptional || isInSome, isAbsent: place.isAbsent || isInSome };
}

function joined(places: readonly Place[]): Place | undefined {
  if (places.length === 0) return undefined;
  return {
    options: places.flatMap(({ options }) => options),
    isNullable: places.some(({ isNullable }) => isNullable),
    isOptional: places.some(({ isOptional }) => isOptional),
    isAbsent: places.some(({ isAbsent }) => isAbsent),
  };
}

const LITERALS = (bare: Bare): readonly unknown[] | undefined => {
  if (bare.type === "picklist") return bare.options;
  return bare.type === "literal" ? [bare.literal] : undefined;
};

/** The word of the table for what an alternative is. */
function kindOf(bare: Bare): string {
  if (OBJECTS.includes(bare.type)) return "object";
  if (bare.type === "record") return "map";
  const [literal] = LITERALS(bare) ?? [];
  return literal === undefined ? bare.type : typeof literal;
}

/** Types of the table that an alternative of this kind may stand for. */
const GIVES: Readonly<Record<string, readonly string[]>> = {
  unknown: ["any", "object", "map", "array"],
  any: ["any", "object", "map", "array"],
  map: ["map", "object", "any"],
  object: ["object", "map", "any"],
};

/** Compares the shapes of an API with the members that a table names. */
export function compare(table: readonly RegisteredOperation[], lines: readonly Line[]): string[] {
  const shapes = new Map<string, Line[]>();
  for (const line of lines) if (line.side === "shape") shapes.set(line.of, [...(shapes.get(line.of) ?? []), line]);
  const problems = new Set<string>();
  const byName = new Map(table.map((named) => [named.name, named]));
  for (const line of lines) {
    if (line.side === "shape") continue;
    const named = byName.get(line.of);
    if (!named) problems.add(`${line.of}: there is no such operation`);
    else checkLine(named, line);
  }
  return [...problems];

  function checkLine({ definition: { spec } }: RegisteredOperation, line: Line): void {
    const { of, side, type } = line;
    if (type === "nothing") {
      if (spec.returns || spec.list) problems.add(`${of}: something is answered where nothing is expected`);
      return;
    }
    if (type === "bytes") {
      if (spec.returns !== BinarySchema) problems.add(`${of}: the answer of somebody else is not passed on`);
      return;
    }
    const schema = sideOf(spec, side as Exclude<Line["side"], "shape">);
    if (!schema) problems.add(`${of} ${side}: there is none, and ${line.member} is expected`);
    else checkMember(placeOf(schema), line, { at: `${of} ${side}`, isAnswer: side === "answer", within: [] });
  }

  interface Walk {
    readonly at: string;
    readonly isAnswer: boolean;
    /** The shapes that this is inside of, because some hold themselves. */
    readonly within: readonly string[];
  }

  function checkMember(whole: Place, { member, type, presence }: Line, walk: Walk): void {
    if (member === "...") {
      checkShape(whole, type, walk);
      return;
    }
    const names = member === "." ? [] : member.replaceAll("[]", ".[]").split(".").filter(Boolean);
    let place: Place | undefined = whole;
    for (const [i, name] of names.entries()) {
      place = memberOf(place, name === "*" ? "anything" : name);
      if (place) continue;
      if (presence !== "unsent") problems.add(`${walk.at}: ${names.slice(0, i + 1).join(".")} is missing`);
      return;
    }
    const at = names.length === 0 ? walk.at : `${walk.at}: ${member}`;
    if (presence === "unsent") problems.add(`${at} is sent, and the table says it never is`);
    else checkPlace(place, type, presence, { ...walk, at });
  }

  function checkPlace(place: Place, type: string, presence: Line["presence"], walk: Walk): void {
    const { at, isAnswer } = walk;
    const types = alternativesIn(type);
    const mayBeNull = types.includes("null");
    if (isAnswer) {
      if (place.isNullable && !mayBeNull) problems.add(`${at} may be null`);
      if (place.isAbsent && presence === "required") problems.add(`${at} may be absent`);
    } else {
      if (!place.isNullable && mayBeNull) problems.add(`${at} does not take null`);
      if (!place.isOptional && presence === "optional") problems.add(`${at} is demanded`);
    }
    for (const wanted of types) if (wanted !== "null") checkType(place, wanted, walk);
    const values = types.flatMap((it) => /^enum\((.*)\)$/.exec(it)?.[1]?.split(",") ?? []);
    if (values.length > 0) checkValues(place, values, walk);
  }

  function checkValues({ options }: Place, values: readonly string[], { at, isAnswer }: Walk): void {
    const own = options.flatMap((bare) => LITERALS(bare) ?? []).filter((it) => typeof it === "string");
    const isFree = options.some((bare) => bare.type === "string");
    const lost = isAnswer ? own.filter((it) => !values.includes(it)) : values.filter((it) => !own.includes(it));
    if (lost.length > 0 && (isAnswer || !isFree))
      problems.add(`${at} ${isAnswer ? "may be" : "does not take"} ${lost.join(", ")}`);
  }

  function checkType(place: Place, wanted: string, walk: Walk): void {
    const list = /^list\((.*)\)$/.exec(wanted)?.[1];
    if (list !== undefined) {
      checkMember(place, lineOf("count", "number"), walk);
      checkMember(place, lineOf("next.page", "string", "optional"), walk);
      checkMember(place, lineOf("items", `${list}[]`), walk);
      return;
    }
    if (wanted.endsWith("[]")) {
      const item = memberOf(place, "[]");
      if (!item) problems.add(`${walk.at} is no list`);
      else checkPlace(item, wanted.slice(0, -2), "required", { ...walk, at: `${walk.at}[]` });
      return;
    }
    if (shapes.has(wanted)) {
      checkShape(place, wanted, walk);
      return;
    }
    const kind = wanted.startsWith("enum(") ? "string" : wanted;
    // Values of a query arrive as text.
    const isThere = place.options.some((bare) => [kindOf(bare), ...(GIVES[kindOf(bare)] ?? [])].includes(kind));
    const isText = walk.at.includes(" query") && place.options.some((bare) => kindOf(bare) === "string");
    if (!isThere && !isText && kind !== "any")
      problems.add(`${walk.at} is ${place.options.map(kindOf).join(" or ")}, and ${kind} is expected`);
  }

  function checkShape(place: Place, name: string, walk: Walk): void {
    const own = shapes.get(name);
    const objects = place.options.filter(({ type }) => OBJECTS.includes(type) || type === "record");
    if (!own) problems.add(`${walk.at}: the table has no shape ${name}`);
    else if (objects.length === 0) problems.add(`${walk.at} is no object, and ${name} is expected`);
    else if (!walk.within.includes(name)) {
      const inside = { ...walk, at: `${walk.at} (${name})`, within: [...walk.within, name] };
      for (const line of own) checkMember({ ...place, options: objects }, line, inside);
    }
  }
}

function lineOf(member: string, type: string, presence: Line["presence"] = "required"): Line {
  return { of: "", side: "answer", member, type, presence };
}

/** The alternatives of a type. A `|` inside brackets separates none. */
function alternativesIn(type: string): string[] {
  return type.split(/\|(?![^(]*\))/);
}

/** The schema of a side of an operation. */
function sideOf(
  spec: RegisteredOperation["definition"]["spec"],
  side: "answer" | "request" | "query",
): Schema | undefined {
  if (side === "request") return spec.body as Schema | undefined;
  if (side === "query") {
    const paging = spec.list ? { page: v.optional(v.string()), limit: v.optional(v.number()) } : {};
    return v.object({ ...paging, ...spec.query }) as Schema;
  }
  if (!spec.list) return spec.returns as Schema | undefined;
  const next = v.optional(v.object({ page: v.string() }));
  return v.object({
    next,
    count: v.number(),
    ...spec.extraFields?.entries,
    items: v.array(spec.list as Schema),
  }) as Schema;
}
