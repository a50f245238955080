// Parses and formats the TOML of front matter, and changes its values in place. Every byte outside of a changed value stays.

import { parse } from "smol-toml";
import { isJsonObject } from "../../utils/objects";
import type { TextEdit } from "../text-edits";
import { type FrontMatterValue, isDeepEqual } from "./yaml";

/** Parses TOML. Returns undefined if it is invalid. */
export function tryParseToml(toml: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return parse(toml);
  } catch {
    return undefined;
  }
}

export function formatTomlMember([name, value]: readonly [string, unknown]): string {
  return `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)} = ${formatTomlValue(value as FrontMatterValue)}`;
}

/** Returns the end of the lines that belong to no table: the start of the first table, or the end of the TOML. */
export function findTopLevelEnd(toml: string): number {
  return /^[ \t]*\[(?:\[)?[\w."'-]+\]/m.exec(toml)?.index ?? toml.length;
}

/** Returns the edits that give TOML other values. The value null removes a name; names inside of tables stay. */
export function computeTomlEdits(
  toml: string,
  values: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
): TextEdit[] {
  const topLevel = toml.slice(0, findTopLevelEnd(toml));
  const edits: TextEdit[] = [];
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || isDeepEqual(values[name], value)) continue;
    const key = [...topLevel.matchAll(KEY)].find(([, bare, quoted, single]) => (bare ?? quoted ?? single) === name);
    if (!key) continue;
    const [start, valueStart] = [key.index, key.index + key[0].length];
    let position = valueStart;
    // The statement ends with the first line up to which it is valid TOML.
    for (let lines = 0; lines < MAX_VALUE_LINES && position < topLevel.length; lines++) {
      const newline = topLevel.indexOf("\n", position);
      position = newline === -1 ? topLevel.length : newline + 1;
      if (!tryParseToml(topLevel.slice(start, position))) continue;
      const source = topLevel.slice(valueStart, newline === -1 ? position : newline);
      const firstValue = ONE_LINE_VALUE.exec(source)![0];
      const isOneLine = REST_OF_LINE.test(source.slice(firstValue.length));
      const valueEnd = valueStart + (isOneLine ? firstValue : source).trimEnd().length;
      if (value === null) edits.push({ from: start, to: position, text: "" });
      else edits.push({ from: valueStart, to: valueEnd, text: formatTomlValue(value as FrontMatterValue) });
      break;
    }
  }
  return edits;
}

/** A name at the start of a line, up to its value. */
const KEY = /^[ \t]*(?:([\w-]+)|"([^"\n]*)"|'([^'\n]*)')[ \t]*=[ \t]*/gm;
const ONE_LINE_VALUE = /^(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^"'#\n\r]*)/;
/** The rest of the line after such a value. */
const REST_OF_LINE = /^[ \t]*(?:#|\r?$)/;

const MAX_VALUE_LINES = 100;

function formatTomlValue(value: FrontMatterValue): string {
  if (Array.isArray(value)) return `[${value.map((item) => formatTomlValue(item as FrontMatterValue)).join(", ")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(formatTomlMember);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}
