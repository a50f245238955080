// TOML of front matter: what it says, and values changed where they stand. Every byte that does not belong to a changed
// value stays.

import { parse } from "smol-toml";
import type { Edit } from "../edits";
import { type Data, isRecord, same } from "./yaml-text";

/** The table that TOML is; undefined when it is none. */
export function tableOf(toml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}

/** Values as lines of TOML. */
export function tomlLines(values: Readonly<Record<string, Data>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${keyFor(name)} = ${tomlValue(value)}\n`)
    .join("");
}

/** Where lines can be added that belong to no table: before the first table, or at the end. */
export function endOfTop(toml: string): number {
  return /^[ \t]*\[(?:\[)?[\w."'-]+\]/m.exec(toml)?.index ?? toml.length;
}

/** What must be replaced so that TOML states other values; null removes a name. Names inside of tables stay. */
export function tomlEdits(
  toml: string,
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): Edit[] {
  const top = toml.slice(0, endOfTop(toml));
  return Object.entries(changes).flatMap(([name, value]): Edit[] => {
    const place = value === undefined || same(values[name], value) ? undefined : statementIn(top, name);
    if (!place) return [];
    if (value === null) return [{ from: place.from, to: place.end, text: "" }];
    return [{ from: place.value, to: place.to, text: tomlValue(value as Data) }];
  });
}

interface Statement {
  readonly from: number;
  /** Where its value stands. */
  readonly value: number;
  readonly to: number;
  /** Behind its last line. */
  readonly end: number;
}

/** A value that is on one line. */
const VALUE = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^"'#\n\r]*)/;
/** What may stand behind it. */
const BEHIND = /^[ \t]*(?:#|\r?$)/;

/** How many lines one value may take. */
const MAX_LINES = 100;

/** The statement that gives a name its value. */
function statementIn(top: string, name: string): Statement | undefined {
  const head = new RegExp(`^[ \\t]*(?:${name}|"${name}"|'${name}')[ \\t]*=[ \\t]*`, "m").exec(top);
  if (!head) return undefined;
  const [from, value] = [head.index, head.index + head[0].length];
  for (let [lines, at] = [0, value]; lines < MAX_LINES && at < top.length; lines++) {
    const newline = top.indexOf("\n", at);
    const end = newline === -1 ? top.length : newline + 1;
    if (tableOf(top.slice(from, end))) {
      const text = top.slice(value, newline === -1 ? end : newline);
      const first = VALUE.exec(text)![0];
      const isAlone = BEHIND.test(text.slice(first.length));
      return { from, value, to: value + (isAlone ? first : text).trimEnd().length, end };
    }
    at = end;
  }
  return undefined;
}

function keyFor(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}

function tomlValue(value: Data): string {
  if (Array.isArray(value)) return `[${value.map((item) => tomlValue(item as Data)).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, inside]) => `${keyFor(name)} = ${tomlValue(inside as Data)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
