// Checks all JSON from outside before its shape is checked: how deep it nests, so that recursive code does not overflow
// the stack; how many fields an object has; and that no field has a name with a meaning in JavaScript. A shape would
// drop such a field silently, and no input may be lost silently.

import type { Issue } from "../errors";

/** How deep values may be nested. A document of 64 nested nodes in a batch of changes needs 150. */
export const MAX_JSON_DEPTH = 500;

/** How many fields one object may have. Parsing a million names takes seconds; parsing a million items does not. */
export const MAX_JSON_MEMBERS = 10_000;

const unusable = ["__proto__", "constructor", "prototype"];
const isUnusable = (name: string) => name === "__proto__" || name === "constructor" || name === "prototype";

/** A JSON text that can be parsed. */
interface Bounded {
  readonly bounded: string;
  readonly mayBeFlawed: boolean;
}

/** A JSON text that can be parsed: one that nests too deep or has too many fields ends at that place. */
export function limitJsonText(text: string): Bounded {
  for (const steps = limitJsonTextInSteps(text); ; ) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The same, step by step. */
export function* limitJsonTextInSteps(text: string): Generator<void, Bounded> {
  // A short text can only fail by a forbidden name, perhaps escaped. Most texts have none and are not walked.
  const isShort = text.length <= 2 * MAX_JSON_DEPTH;
  const mayBeFlawed = !isShort || [...unusable, "\\u"].some((part) => text.includes(part));
  return { bounded: isShort ? text : yield* asFarAsBounded(text), mayBeFlawed };
}

/**
 * The text itself when it is within the limits. Otherwise its beginning up to the first place beyond them, with the
 * open brackets closed.
 */
function* asFarAsBounded(text: string): Generator<void, string> {
  const closing: string[] = [];
  const members: number[] = [];
  let next = STEP;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (at >= next) {
      next = at + STEP;
      yield;
    }
    if (sign === '"') {
      at = inString(text, at + 1);
      for (; at < text.length && text.charCodeAt(at) !== QUOTE; at = inString(text, at)) yield;
    } else if (sign === "{" || sign === "[") {
      closing.push(sign === "{" ? "}" : "]");
      members.push(0);
      if (closing.length > MAX_JSON_DEPTH) return text.slice(0, at + 1) + closing.reverse().join("");
    } else if (sign === "}" || sign === "]") {
      closing.pop();
      members.pop();
    } else if (sign === ":" && ++members[members.length - 1]! > MAX_JSON_MEMBERS)
      return `${text.slice(0, at)}:0${closing.reverse().join("")}`;
  }
  return text;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How many characters are looked at in one step. */
const STEP = 1024 * 1024;

/** Where a string ends that goes on at a position, or a position further on that is in no escape. */
function inString(text: string, start: number): number {
  const most = Math.min(start + STEP, text.length);
  let at = start;
  for (let code = text.charCodeAt(at); at < most && code !== QUOTE; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at;
}

/** A list or an object during the walk. */
interface Open {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** The names of an object's members; undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** The index of the next item or field. */
  next: number;
}

/** The first problem of a value, with its path below `at`; undefined when there is none. */
export function findJsonLimitIssue(value: unknown, at: string): Issue | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const open = [opened(value)];
  for (let inner = open.at(-1); inner; inner = open.at(-1)) {
    const { names, length } = inner;
    if (names && length > MAX_JSON_MEMBERS)
      return { path: pathTo(open.slice(0, -1), at), message: `Expected at most ${MAX_JSON_MEMBERS} members` };
    let child: object | undefined;
    while (child === undefined && inner.next < length) {
      const name = names ? names[inner.next]! : inner.next;
      inner.next++;
      if (names && isUnusable(name as string)) return { path: pathTo(open, at), message: "This name cannot be used." };
      const member = inner.value[name];
      if (typeof member === "object" && member !== null) child = member;
    }
    if (child === undefined) open.pop();
    else if (open.length < MAX_JSON_DEPTH) open.push(opened(child));
    else return { path: pathTo(open, at), message: `Expected at most ${MAX_JSON_DEPTH} values inside each other` };
  }
  return undefined;
}

function opened(value: object): Open {
  const names = Array.isArray(value) ? undefined : Object.keys(value);
  return { value: value as Open["value"], names, length: names?.length ?? (value as unknown[]).length, next: 0 };
}

/** The most parts of a path that are shown. The rest of a path that is too deep says little. */
const MAX_STEPS = 20;

function pathTo(open: readonly Open[], at: string): string {
  const steps = open.slice(0, MAX_STEPS).map(({ names, next }) => (names ? names[next - 1]! : String(next - 1)));
  return truncateForMessage([at, ...steps, ...(open.length > MAX_STEPS ? ["…"] : [])].join("."));
}

const MAX_TOLD = 300;

/** Shortens a text for an answer. Names and values that were sent may be as long as the body. */
export function truncateForMessage(text: string): string {
  return text.length > MAX_TOLD ? `${text.slice(0, MAX_TOLD)}…` : text;
}
