// Writes a changed document into the text it came from, so that only what changed is written. What comes out is read
// again: where it does not say what it should, more of the text is written anew.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block } from "../../document";
import { applyTextEdits } from "../../text-edits";
import type * as md from "../nodes";
import type { ReadPage } from "../reader/page";
import { BlockWriter } from "./blocks";
import { Changes, MANNERS, type Manner } from "./changes";
import { normalInSteps, oneInSteps } from "./normal";
import { asIs, type Mapping, Original, signatureInSteps } from "./original";

/** Writes blocks into an original; undefined if what comes out would not be read as those blocks. */
export function* splicedInSteps(blocks: readonly Block[], text: string, mapping: Mapping): Steps<string | undefined> {
  const original = yield* Original.inSteps(text, mapping);
  for (const { block } of original.page.parts) yield* signatureInSteps(yield* original.saidInSteps(block));
  const wanted = yield* normalInSteps(blocks, asIs);
  for (const block of wanted) yield* signatureInSteps(block);
  const manners = wanted.map((): Manner => "signs");
  for (const _ of MANNERS) {
    const writer = new BlockWriter(new Set(original.page.reading.footnotes.keys()), mapping.fences);
    const changes = new Changes(original, writer, manners);
    yield* changes.change(wanted);
    const { edits } = changes;
    if (edits.length === 0) return text;
    const result = yield* readAgain(original, applyTextEdits(text, edits));
    const wrong = yield* wrongIn(original, result.page, wanted);
    if (!wrong) return result.text;
    for (let i = wrong.start; i < wrong.end; i++) manners[i] = MANNERS[MANNERS.indexOf(manners[i]!) + 1] ?? "blocks";
  }
  return undefined;
}

/** Reads a changed text; notes that nobody refers to any more are taken out of it. */
function* readAgain(original: Original, text: string): Steps<{ text: string; page: ReadPage }> {
  const { page } = yield* Original.inSteps(text, original.mapping);
  const { footnotes, referred } = original.page.reading;
  const edits = [...page.reading.footnotes].flatMap(([identifier, note]) => {
    const before = footnotes.get(identifier);
    if (!before || !referred.has(before) || page.reading.referred.has(note)) return [];
    const line = Math.max(text.lastIndexOf("\n", note.start - 1), text.lastIndexOf("\r", note.start - 1)) + 1;
    const gap = /^[ \t>]*(?:(?:\r\n?|\n)[ \t>]*(?=[\r\n]|$))*(?:\r\n?|\n)?/.exec(text.slice(note.end))![0].length;
    return [{ from: line, to: note.end + gap, text: "" }];
  });
  if (edits.length === 0) return { text, page };
  const rest = applyTextEdits(text, edits);
  const ended = rest.trimEnd() === rest ? rest : rest.trimEnd() + original.ending;
  const { page: again } = yield* Original.inSteps(ended, original.mapping);
  return { text: ended, page: again };
}

/** Which of the blocks that are wanted a text does not say; undefined if it says all of them. */
function* wrongIn(original: Original, { parts }: ReadPage, wanted: readonly Block[]): Steps<md.Span | undefined> {
  const expected: string[] = [];
  for (const block of wanted) expected.push(yield* signatureInSteps(yield* original.addressed(block)));
  function* isRight(part: number, i: number): Steps<boolean> {
    const block = parts[part]?.block;
    if (!block || i >= wanted.length) return false;
    const read = yield* oneInSteps(block, asIs);
    if (read && (yield* signatureInSteps(read)) === expected[i]) return true;
    const said = yield* original.addressed(yield* original.saidInSteps(block));
    return (yield* signatureInSteps(said)) === expected[i];
  }
  let start = 0;
  while (yield* isRight(start, start)) start++;
  if (start === wanted.length && parts.length === wanted.length) return undefined;
  let end = 0;
  const most = Math.min(parts.length, wanted.length) - start;
  while (end < most && (yield* isRight(parts.length - 1 - end, wanted.length - 1 - end))) end++;
  // Where blocks became one or fell apart, their neighbours may have had a part in it.
  const around = parts.length === wanted.length ? 0 : 1;
  return { start: Math.max(0, start - around), end: Math.min(wanted.length, wanted.length - end + around) };
}
