// Finds the place where a text stops being JSON. Each runtime words the errors of `JSON.parse` in its own way, and some name no
// place. So the text is read again here, after it was refused. Each character is read once, in small steps.

import type { TextPosition } from "../errors";
import type { Steps } from "../utils/concurrency/steps";

/** Characters that are read in one step. */
const STEP_LENGTH = 1 << 16;

/** Returns the first place where a text is not JSON, or its end if it only ends too early. */
export function* findJsonErrorInSteps(text: string): Steps<TextPosition> {
  const offset = yield* findErrorOffsetInSteps(text);
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end >= 0 && end < offset; end = text.indexOf("\n", lineStart)) {
    lineStart = end + 1;
    if (++line % 1000 === 0) yield;
  }
  return { line, column: offset - lineStart + 1, isEnd: offset >= text.length };
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function* findErrorOffsetInSteps(text: string): Steps<number> {
  const openBrackets: ("{" | "[")[] = [];
  let expected = "value" as "value" | "first item" | "first name" | "name" | "colon" | "rest";
  let stepStart = 0;
  for (let offset = 0; ; ) {
    if (offset - stepStart > STEP_LENGTH) {
      stepStart = offset;
      yield;
    }
    const character = text[offset];
    if (character === undefined) return text.length;
    if (character === " " || character === "\n" || character === "\r" || character === "\t") {
      offset++;
    } else if (expected === "rest") {
      const bracket = openBrackets.at(-1);
      if (character === "," && bracket) expected = bracket === "{" ? "name" : "value";
      else if (bracket && character === (bracket === "{" ? "}" : "]")) openBrackets.pop();
      else return offset;
      offset++;
    } else if (expected === "colon") {
      if (character !== ":") return offset;
      expected = "value";
      offset++;
    } else if ((expected === "first item" && character === "]") || (expected === "first name" && character === "}")) {
      openBrackets.pop();
      expected = "rest";
      offset++;
    } else if (character === '"') {
      const { end, isValid } = yield* readStringInSteps(text, offset);
      if (!isValid) return end;
      expected = expected === "name" || expected === "first name" ? "colon" : "rest";
      offset = end;
    } else if (expected === "name" || expected === "first name") {
      return offset;
    } else if (character === "{" || character === "[") {
      openBrackets.push(character);
      expected = character === "{" ? "first name" : "first item";
      offset++;
    } else {
      LITERAL.lastIndex = offset;
      if (!LITERAL.test(text)) return offset;
      expected = "rest";
      offset = LITERAL.lastIndex;
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Reads a string from its opening quote. Returns the offset behind the string, or that of its first error. */
function* readStringInSteps(text: string, start: number): Steps<{ end: number; isValid: boolean }> {
  let stepStart = start;
  for (let offset = start + 1; offset < text.length; offset++) {
    const code = text.charCodeAt(offset);
    if (code === QUOTE) return { end: offset + 1, isValid: true };
    if (code < 0x20) return { end: offset, isValid: false };
    if (code === BACKSLASH) {
      const escaped = text[offset + 1];
      if (escaped === undefined || !'"\\/bfnrtu'.includes(escaped)) return { end: offset + 1, isValid: false };
      if (escaped === "u")
        for (let digit = offset + 2; digit < offset + 6; digit++)
          if (!/[0-9a-fA-F]/.test(text[digit] ?? "")) return { end: digit, isValid: false };
      offset++;
    }
    if (offset - stepStart > STEP_LENGTH) {
      stepStart = offset;
      yield;
    }
  }
  return { end: text.length, isValid: false };
}
