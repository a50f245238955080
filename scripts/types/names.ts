// The shapes with a title, as declarations of types under that name.

import * as v from "valibot";
import type { Schema } from "../../src/operation/operation";
import { after, body, comment } from "./layout";
import { type Members, membersOf, type Side, typeBehindName, type Writing } from "./shape";

export type NameOf = Writing["nameOf"];

/** Names shapes, and remembers them: one that is taken in another form than it is answered in has two names. */
export function createNames() {
  const shapes = new Map<string, Schema>();
  const declared = new Map<string, Declared>();

  const nameOf: NameOf = (title, shape, side) => {
    if ((shapes.get(title) ?? shape) !== shape) throw new Error(`Two shapes have the title "${title}".`);
    shapes.set(title, shape);
    const name = side === "taken" && isTwofold(shape) ? `${title}Input` : title;
    if (declared.has(name)) return name;
    // The name stands before its type is written: a shape may hold itself.
    declared.set(name, { about: "", type: "" });
    declared.set(name, declare(shape, { side, nameOf }));
    return name;
  };

  return {
    nameOf,
    /** What the names stand for, in their order. */
    declarations: () =>
      [...declared].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, it]) => writeDeclared(name, it, declared)),
  };
}

/** Whether what is taken differs from what is answered. */
function isTwofold(shape: Schema): boolean {
  const [taken, answered] = (["taken", "answered"] as const).map((side) => inFull(shape, side));
  return taken !== answered;
}

/** A type with everything that it is made of, for comparing. */
function inFull(shape: Schema, side: Side, above: readonly string[] = []): string {
  const nameOf: NameOf = (title, inner) =>
    above.includes(title) ? title : `(${inFull(inner, side, [...above, title])})`;
  return typeBehindName(shape, { side, nameOf });
}

/** What a name stands for: an object with members, or another type. */
type Declared = { readonly about: string } & (
  | { readonly members: Members; readonly type?: undefined }
  | { readonly type: string; readonly members?: undefined }
);

function declare(shape: Schema, writing: Writing): Declared {
  const about = comment(v.getDescription(shape) ?? "");
  const { entries } = shape as { readonly entries?: Readonly<Record<string, Schema>> };
  const isPlain = entries !== undefined && (shape.type === "object" || shape.type === "strict_object");
  return isPlain ? { about, members: membersOf(entries, writing) } : { about, type: typeBehindName(shape, writing) };
}

function writeDeclared(name: string, it: Declared, all: ReadonlyMap<string, Declared>): string {
  if (it.members === undefined) return `${it.about}export type ${name} =${after(it.type)};\n`;
  const base = baseOf(name, it.members, all);
  const own = [...it.members].filter(([key, text]) => base?.members.get(key) !== text).map(([, text]) => text);
  return `${it.about}export interface ${name} ${base ? `extends ${base.type} ` : ""}${body(own)}\n`;
}

/** How many members two types must have in common for one to be written as an extension of the other. */
const MUCH = 4;

/** What an object extends: the largest other one that it holds all of, or the other side of itself. */
function baseOf(name: string, members: Members, all: ReadonlyMap<string, Declared>) {
  const answered = all.get(name.replace(/Input$/, ""))?.members;
  if (answered && answered !== members) {
    const others = [...answered].filter(([key, text]) => members.get(key) !== text).map(([key]) => JSON.stringify(key));
    return { type: `Omit<${name.replace(/Input$/, "")}, ${others.join(" | ")}>`, members: answered };
  }
  const held = [...all].flatMap(([type, { members: inner }]) =>
    inner &&
    inner.size >= MUCH &&
    inner.size < members.size &&
    [...inner].every(([key, text]) => members.get(key) === text)
      ? [{ type, members: inner }]
      : [],
  );
  return held.sort((a, b) => b.members.size - a.members.size)[0];
}
