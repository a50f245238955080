// Expressions that stay in a text because no value could be inserted. An expression about the visitor tells what others
// are shown, so it is replaced by a mark that something was there.

import { parseInSteps } from "../markdown/parse";
import type { Steps } from "../markdown/steps";
import { applyTextEdits, type TextEdit } from "../text-edits";
import { quotingIn } from "./decide";

const OPENING = /<code[ \t]+class=(?:"expression"|'expression')[ \t]*>/gi;
const ENDING = /<\/code>|[\r\n]/gi;

/** A text in which what is left of expressions does not tell one visitor what another is shown. In code they are examples. */
export function* veiled(text: string): Steps<string> {
  const found = leftIn(text);
  if (found.length === 0) return text;
  yield;
  const quoting = quotingIn(text, yield* parseInSteps(text));
  return applyTextEdits(
    text,
    found.filter(({ from }) => quoting(from) === undefined),
  );
}

function leftIn(text: string): TextEdit[] {
  const found: TextEdit[] = [];
  if (!text.includes("visitor")) return found;
  for (const { 0: opening, index } of text.matchAll(OPENING)) {
    const from = index + opening.length;
    if (from < (found.at(-1)?.to ?? 0)) continue;
    ENDING.lastIndex = from;
    const to = ENDING.exec(text)?.index ?? text.length;
    if (text.slice(from, to).includes("visitor")) found.push({ from, to, text: "visitor" });
  }
  return found;
}
