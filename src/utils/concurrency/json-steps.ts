// Parses and writes large JSON texts in steps: in one go, ten megabytes would hold up everything else.

import type { Steps } from "./steps";

/** Parts of up to this many characters are one step. */
const STEP_CHARACTERS = 64 * 1024;

/**
 * The most nested parts that are parsed in steps. Each of them is scanned to find its end, so everything deeper is parsed in
 * one step: no text that people write nests so deep.
 */
const MAX_DEPTH_IN_STEPS = 50;

const NO_JSON = "The text is no JSON.";

/** The longest part that is parsed in one step, and the number of parts around the present one. */
interface ParseState {
  readonly stepCharacters: number;
  readonly depth: number;
}

/** A value, and the position after it. */
interface ParsedValue {
  readonly value: unknown;
  readonly end: number;
}

/**
 * Returns what `JSON.parse` returns for a text, and throws where that throws. Parts of up to `stepCharacters` characters, at
 * least two, are one step.
 */
export function* parseJsonInSteps(text: string, stepCharacters = STEP_CHARACTERS): Steps<unknown> {
  const { value, end } = yield* parseValueInSteps(text, skipSpace(text, 0), { stepCharacters, depth: 0 });
  if (skipSpace(text, end) < text.length) throw new SyntaxError(NO_JSON);
  return value;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function* parseValueInSteps(text: string, start: number, state: ParseState): Steps<ParsedValue> {
  const { stepCharacters, depth } = state;
  const end = findValueEnd(text, start, depth < MAX_DEPTH_IN_STEPS ? stepCharacters : Number.POSITIVE_INFINITY);
  if (end !== undefined) {
    yield;
    return { value: JSON.parse(text.slice(start, end)), end };
  }

  if (text[start] === '"') {
    const chunks: string[] = [];
    for (let chunkStart = start + 1; ; ) {
      // A chunk ends with the string, or at a position that is not inside an escape.
      let chunkEnd = chunkStart;
      for (let code = text.charCodeAt(chunkEnd); ; code = text.charCodeAt(chunkEnd)) {
        if (chunkEnd >= text.length) throw new SyntaxError(NO_JSON);
        if (code === QUOTE || chunkEnd - chunkStart >= stepCharacters) break;
        if (code !== BACKSLASH) chunkEnd++;
        else chunkEnd += text[chunkEnd + 1] === "u" ? 6 : 2;
      }
      chunks.push(JSON.parse(`"${text.slice(chunkStart, chunkEnd)}"`));
      if (text[chunkEnd] === '"') return { value: chunks.join(""), end: chunkEnd + 1 };
      chunkStart = chunkEnd;
      yield;
    }
  }

  // An object, or an array
  const isObject = text[start] === "{";
  const closingBracket = isObject ? "}" : "]";
  const names: string[] = [];
  const values: unknown[] = [];
  let position = skipSpace(text, start + 1);
  if (text[position] === closingBracket) return { value: isObject ? {} : [], end: position + 1 };
  for (;;) {
    if (isObject) {
      if (text[position] !== '"') throw new SyntaxError(NO_JSON);
      const nameEnd = findStringEnd(text, position, text.length)!;
      names.push(JSON.parse(text.slice(position, nameEnd)));
      const colon = skipSpace(text, nameEnd);
      if (text[colon] !== ":") throw new SyntaxError(NO_JSON);
      position = skipSpace(text, colon + 1);
    }
    const parsed = yield* parseValueInSteps(text, position, { stepCharacters, depth: depth + 1 });
    values.push(parsed.value);
    const separator = skipSpace(text, parsed.end);
    if (text[separator] === closingBracket) {
      // A member may be called `__proto__`, so members are not assigned.
      const value = isObject ? Object.fromEntries(names.map((name, i) => [name, values[i]])) : values;
      return { value, end: separator + 1 };
    }
    if (text[separator] !== ",") throw new SyntaxError(NO_JSON);
    position = skipSpace(text, separator + 1);
  }
}

const STRUCTURAL_CHARACTERS = /["{}[\],]/g;

/**
 * Returns the position after a value, perhaps with space between them; undefined for a string, and for an array or object
 * of more than `maxCharacters` characters.
 */
function findValueEnd(text: string, start: number, maxCharacters: number): number | undefined {
  if (text[start] === '"') return undefined;
  let depth = 0;
  STRUCTURAL_CHARACTERS.lastIndex = start;
  for (let match = STRUCTURAL_CHARACTERS.exec(text); match; match = STRUCTURAL_CHARACTERS.exec(text)) {
    const { 0: character, index } = match;
    if (depth > 0 && index - start >= maxCharacters) return undefined;
    if (character === '"') {
      const end = findStringEnd(text, index, start + maxCharacters);
      if (end === undefined) return undefined;
      STRUCTURAL_CHARACTERS.lastIndex = end;
    } else if (character === "{" || character === "[") depth++;
    else if (depth === 0) return index;
    else if (character !== "," && --depth === 0) return index + 1;
  }
  return text.length;
}

/** Returns the position after a string, or undefined if the string goes on beyond a limit. */
function findStringEnd(text: string, start: number, limit: number): number | undefined {
  for (let position = start + 1; ; ) {
    const quote = text.indexOf('"', position);
    if (quote === -1) throw new SyntaxError(NO_JSON);
    if (quote > limit) return undefined;
    let backslashesStart = quote;
    while (text[backslashesStart - 1] === "\\") backslashesStart--;
    if ((quote - backslashesStart) % 2 === 0) return quote + 1;
    position = quote + 1;
  }
}

const SPACE = /[ \t\n\r]*/y;

/** Returns the position after space, if there is any. */
function skipSpace(text: string, position: number): number {
  const code = text.charCodeAt(position);
  if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return position;
  SPACE.lastIndex = position;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** The most values inside one another that are written in one step. */
const STEP_VALUES = 2000;

/**
 * Returns what `JSON.stringify` returns for plain data: arrays, objects, texts, numbers, true, false and null. A value that
 * holds up to `stepValues` others is written in one step; of smaller ones, about `STEP_CHARACTERS` characters are one step.
 */
export function* stringifyJsonInSteps(value: unknown, stepValues = STEP_VALUES): Steps<string> {
  if (!isContainer(value) || countRemainingValues(value, stepValues) >= 0) return JSON.stringify(value);
  yield;
  const isArray = Array.isArray(value);
  const parts: string[] = [];
  let characters = 0;
  for (const [name, member] of Object.entries(value)) {
    if (!isArray && member === undefined) continue;
    const text = yield* stringifyJsonInSteps(member ?? null, stepValues);
    parts.push(isArray ? text : `${JSON.stringify(name)}:${text}`);
    characters += text.length;
    if (characters < STEP_CHARACTERS) continue;
    yield;
    characters = 0;
  }
  return isArray ? `[${parts.join()}]` : `{${parts.join()}}`;
}

/** Returns how many of `maxValues` values remain after a value and those inside it; stops counting below zero. */
function countRemainingValues(value: unknown, maxValues: number): number {
  let remaining = maxValues - 1;
  if (!isContainer(value)) return remaining;
  const values = Array.isArray(value) ? value : Object.values(value);
  for (let i = 0; i < values.length && remaining >= 0; i++) remaining = countRemainingValues(values[i], remaining);
  return remaining;
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "toJSON") !== "function";
}
