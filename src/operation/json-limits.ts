// Limits all JSON from outside before its schema is checked: the depth, so that recursive code does not overflow the stack; the
// number of members of an object; and the names of members, none of which may have a meaning in JavaScript. A schema would
// drop such a member silently, and no input may be lost silently.

import type { Issue } from "../errors";
import { FORBIDDEN_NAMES } from "../utils/objects";

/** The deepest nesting. A document of 64 nested nodes in a batch of changes needs 150. */
export const MAX_JSON_DEPTH = 500;

/** The most members of one object. Parsing a million names takes seconds; parsing a million items does not. */
export const MAX_JSON_MEMBERS = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const STEP_CHARACTERS = 1024 * 1024;

/** Cuts off a JSON text that nests too deep or has too many members, and closes its open brackets, in steps. */
export function* limitJsonTextInSteps(text: string) {
  // A short text can only have a forbidden name, perhaps escaped. Most texts have none and are not scanned.
  if (text.length <= 2 * MAX_JSON_DEPTH)
    return { text, mayHaveIssues: [...FORBIDDEN_NAMES, "\\u"].some((part) => text.includes(part)) };

  const closingBrackets: string[] = [];
  const memberCounts: number[] = [];
  let nextPause = STEP_CHARACTERS;
  for (let position = 0; position < text.length; position++) {
    const character = text[position];
    if (position >= nextPause) {
      nextPause = position + STEP_CHARACTERS;
      yield;
    }
    if (character === '"') {
      // A string is skipped in parts, none of which ends inside an escape.
      position++;
      for (;;) {
        const limit = Math.min(position + STEP_CHARACTERS, text.length);
        for (let code = text.charCodeAt(position); position < limit && code !== QUOTE; code = text.charCodeAt(position))
          position += code === BACKSLASH ? 2 : 1;
        if (position >= text.length || text.charCodeAt(position) === QUOTE) break;
        yield;
      }
    } else if (character === "{" || character === "[") {
      closingBrackets.push(character === "{" ? "}" : "]");
      memberCounts.push(0);
      if (closingBrackets.length > MAX_JSON_DEPTH)
        return { text: text.slice(0, position + 1) + closingBrackets.reverse().join(""), mayHaveIssues: true };
    } else if (character === "}" || character === "]") {
      closingBrackets.pop();
      memberCounts.pop();
    } else if (character === ":" && ++memberCounts[memberCounts.length - 1]! > MAX_JSON_MEMBERS) {
      return { text: `${text.slice(0, position)}:0${closingBrackets.reverse().join("")}`, mayHaveIssues: true };
    }
  }
  return { text, mayHaveIssues: true };
}

/** An array or object whose items are being walked. */
interface OpenContainer {
  readonly value: Readonly<Record<string | number, unknown>>;
  /** The names of an object's members; undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  /** The index of the next item or member. */
  next: number;
}

/** Returns the first problem of a value, with its path below `rootPath`, or undefined if there is none. */
export function findJsonLimitIssue(value: unknown, rootPath: string): Issue | undefined {
  const stack: OpenContainer[] = [];
  let child = typeof value === "object" && value !== null ? value : undefined;
  for (;;) {
    if (child) {
      if (stack.length >= MAX_JSON_DEPTH) {
        const message = `Expected at most ${MAX_JSON_DEPTH} values inside each other`;
        return { path: formatPath(stack, rootPath), message };
      }
      const names = Array.isArray(child) ? undefined : Object.keys(child);
      const length = names?.length ?? (child as unknown[]).length;
      if (names && length > MAX_JSON_MEMBERS)
        return { path: formatPath(stack, rootPath), message: `Expected at most ${MAX_JSON_MEMBERS} members` };
      stack.push({ value: child as OpenContainer["value"], names, length, next: 0 });
    }

    const container = stack.at(-1);
    if (!container) return undefined;
    const { names, length } = container;
    child = undefined;
    while (child === undefined && container.next < length) {
      const name = names ? names[container.next]! : container.next;
      container.next++;
      if (names && FORBIDDEN_NAMES.has(name as string))
        return { path: formatPath(stack, rootPath), message: "This name is reserved." };
      const member = container.value[name];
      if (typeof member === "object" && member !== null) child = member;
    }
    if (child === undefined) stack.pop();
  }
}

/** The most parts of a path that are shown. The rest of a path that is too deep says little. */
const MAX_PATH_PARTS = 20;

function formatPath(stack: readonly OpenContainer[], rootPath: string): string {
  const parts = stack.slice(0, MAX_PATH_PARTS).map(({ names, next }) => (names ? names[next - 1]! : String(next - 1)));
  if (stack.length > MAX_PATH_PARTS) parts.push("…");
  return truncateForMessage([rootPath, ...parts].join("."));
}

const MAX_MESSAGE_CHARACTERS = 300;

/** Shortens a text for a message. Names and values that were sent may be as long as the body. */
export function truncateForMessage(text: string): string {
  return text.length > MAX_MESSAGE_CHARACTERS ? `${text.slice(0, MAX_MESSAGE_CHARACTERS)}…` : text;
}
