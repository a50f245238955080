// Where a text stops being JSON. Each runtime words the errors of `JSON.parse` in its own way, and some name no place. So
// the place is found here, only after a text was refused. The walk takes one look at each character, in small steps.

import type { TextPosition } from "../errors";

/** How many characters are looked at in one step. */
const STEP = 1 << 16;

/** The first place where a text is not JSON; its end where it only ends too early. */
export function* flawIn(text: string): Generator<void, TextPosition> {
  const at = yield* flawAt(text);
  let line = 1;
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < at; end = text.indexOf("\n", start)) {
    start = end + 1;
    if (++line % 1000 === 0) yield;
  }
  return { line, column: at - start + 1, isEnd: at >= text.length };
}

/** What may come next. */
type Next = "value" | "first item" | "first name" | "name" | "colon" | "rest";

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function* flawAt(text: string): Generator<void, number> {
  const open: ("{" | "[")[] = [];
  let next = "value" as Next;
  let rested = 0;
  for (let at = 0; ; ) {
    if (at - rested > STEP) {
      rested = at;
      yield;
    }
    if (isBlank(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const sign = text[at];
    if (sign === undefined) return text.length;
    if (next === "rest") {
      const inside = open.at(-1);
      if (sign === "," && inside) next = inside === "{" ? "name" : "value";
      else if (inside && sign === closing(inside)) open.pop();
      else return at;
      at++;
    } else if (next === "colon") {
      if (sign !== ":") return at;
      next = "value";
      at++;
    } else if ((next === "first item" && sign === "]") || (next === "first name" && sign === "}")) {
      open.pop();
      next = "rest";
      at++;
    } else if (sign === '"') {
      const { end, isWhole } = yield* endOfString(text, at);
      if (!isWhole) return end;
      next = next === "name" || next === "first name" ? "colon" : "rest";
      at = end;
    } else if (next === "name" || next === "first name") return at;
    else if (sign === "{" || sign === "[") {
      open.push(sign);
      next = sign === "{" ? "first name" : "first item";
      at++;
    } else {
      LITERAL.lastIndex = at;
      if (!LITERAL.test(text)) return at;
      next = "rest";
      at = LITERAL.lastIndex;
    }
  }
}

/** The place behind a string, or the place where it is flawed. */
function* endOfString(text: string, start: number): Generator<void, { end: number; isWhole: boolean }> {
  let rested = start;
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return { end: at + 1, isWhole: true };
    if (code < 0x20) return { end: at, isWhole: false };
    if (code === BACKSLASH) {
      const flaw = flawInEscape(text, at);
      if (flaw !== undefined) return { end: flaw, isWhole: false };
      at++;
    }
    if (at - rested > STEP) {
      rested = at;
      yield;
    }
  }
  return { end: text.length, isWhole: false };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where the sign behind a backslash is none that JSON has. */
function flawInEscape(text: string, at: number): number | undefined {
  const sign = text[at + 1];
  if (sign === undefined || !'"\\/bfnrtu'.includes(sign)) return at + 1;
  if (sign !== "u") return undefined;
  for (let i = at + 2; i < at + 6; i++) if (!/[0-9a-fA-F]/.test(text[i] ?? "")) return i;
  return undefined;
}

function closing(opening: "{" | "["): string {
  return opening === "{" ? "}" : "]";
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
