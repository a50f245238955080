// A shape as plain TypeScript. A shape with a title is written by its name; a member that may be left out is only marked as
// such, since JSON has no `undefined`.

import * as v from "valibot";
import type { Schema } from "../../src/operation/operation";
import { listOf, member, object, union } from "./layout";

/** Which side a shape is written for: what is taken, before anything is made of it, or what is answered. */
export type Side = "taken" | "answered";

export interface Writing {
  readonly side: Side;
  /** Gives the name of a shape with a title. */
  readonly nameOf: (title: string, shape: Schema, side: Side) => string;
}

/** Where valibot keeps what a shape is made of. */
interface Made {
  readonly pipe?: readonly { readonly kind: string; readonly type: string }[];
  readonly entries: Readonly<Record<string, Schema>>;
  readonly options: readonly unknown[];
  readonly item: Schema;
  readonly rest: Schema;
  readonly value: Schema;
  readonly wrapped: Schema;
  readonly default: unknown;
  readonly literal: unknown;
  readonly class: { readonly name: string };
  readonly getter: (input: undefined) => Schema;
}

/** The type of a shape: its name where it has one. */
export function typeOf(shape: Schema, writing: Writing): string {
  return union(namesOrTypes(shape, writing));
}

/** What the name of a shape stands for. */
export function typeBehindName(shape: Schema, writing: Writing): string {
  return union(types(shape, writing));
}

/** Members of an object by their names, as they are written. */
export type Members = ReadonlyMap<string, string>;

export function membersOf(entries: Readonly<Record<string, Schema>>, writing: Writing): Members {
  return new Map(
    Object.entries(entries).map(([name, entry]) => {
      const details = { isOptional: isOptional(entry, writing.side), about: aboutMember(entry) };
      return [name, member(name, typeOf(entry, writing), details)];
    }),
  );
}

/** Whether a member of this shape may be left out: what has a default is always answered. */
export function isOptional(shape: Schema, side: Side): boolean {
  return shape.type === "optional" && (side === "taken" || (shape as Schema & Made).default === undefined);
}

function namesOrTypes(shape: Schema, writing: Writing): string[] {
  const title = v.getTitle(shape);
  return title === undefined ? types(shape, writing) : [writing.nameOf(title, shape, writing.side)];
}

/** The types of which a value of this shape has one. */
function types(shape: Schema, writing: Writing): string[] {
  const made = shape as Schema & Made;
  if (writing.side === "answered" && made.pipe?.some(({ kind }) => kind === "transformation"))
    throw new Error("What a transformation makes cannot be seen: an answer must be described as it is sent.");
  const write = writers[shape.type];
  if (!write) throw new Error(`A shape of the type "${shape.type}" cannot be written as a type yet.`);
  return write(made, writing);
}

type Writer = (shape: Made, writing: Writing) => string[];

/** To TypeScript `{}` is anything: an object that may have no members says so. */
const strict: Writer = (shape, writing) =>
  Object.keys(shape.entries).length === 0 ? ["Record<string, never>"] : closed(shape, writing);
const closed: Writer = ({ entries }, writing) => [object([...membersOf(entries, writing).values()])];
const open = (restOf: Writer): Writer => {
  return (shape, writing) => [
    object([...membersOf(shape.entries, writing).values(), `[name: string]: ${restOf(shape, writing).join(" | ")}`]),
  ];
};
const oneOf: Writer = ({ options }, writing) => options.flatMap((it) => namesOrTypes(it as Schema, writing));
const inside: Writer = ({ wrapped }, writing) => namesOrTypes(wrapped, writing);

const writers: Readonly<Record<string, Writer>> = {
  string: () => ["string"],
  number: () => ["number"],
  boolean: () => ["boolean"],
  unknown: () => ["unknown"],
  literal: ({ literal }) => [JSON.stringify(literal)],
  picklist: ({ options }) => options.map((option) => JSON.stringify(option)),
  array: ({ item }, writing) => [listOf(namesOrTypes(item, writing))],
  object: closed,
  strict_object: strict,
  loose_object: open(() => ["unknown"]),
  object_with_rest: open(({ rest }, writing) => namesOrTypes(rest, writing)),
  record: ({ value }, writing) => [`Record<string, ${typeOf(value, writing)}>`],
  union: oneOf,
  variant: oneOf,
  optional: inside,
  nullable: (shape, writing) => [...inside(shape, writing), "null"],
  lazy: ({ getter }, writing) => namesOrTypes(getter(undefined), writing),
  instance: (shape) => [shape.class.name],
};

/** What is said of a member itself; what is said of a shape with a name stands at the name. */
function aboutMember(entry: Schema): string {
  if (v.getTitle(entry) !== undefined) return "";
  const { wrapped } = entry as Schema & Partial<Made>;
  return v.getDescription(entry) ?? (wrapped ? aboutMember(wrapped) : "");
}
