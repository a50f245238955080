// Writes a changed document into its source text, so that only the changes are written. The result is read again: where its
// blocks differ from those of the document, more of the text is rewritten.

import type { Steps } from "../../../utils/concurrency/steps";
import type { Block } from "../../document";
import { applyTextEdits } from "../../text-edits";
import type * as md from "../nodes";
import type { PageBlocks } from "../reader/page";
import { BlockWriter } from "./blocks";
import { Changes, MANNERS, type Manner } from "./changes";
import { normalizeInSteps } from "./normal";
import { getSignatureInSteps, type Mapping, Original, sortRefMembers } from "./original";

/** Writes blocks into an original; undefined if the result would not be read as those blocks. */
export function* spliceInSteps(blocks: readonly Block[], text: string, mapping: Mapping): Steps<string | undefined> {
  const original = yield* Original.readInSteps(text, mapping);
  for (const { block } of original.page.parts) yield* getSignatureInSteps(yield* original.normalizeInSteps(block));
  const wanted = yield* normalizeInSteps(blocks, sortRefMembers);
  for (const block of wanted) yield* getSignatureInSteps(block);
  const manners = wanted.map((): Manner => "signs");
  for (const _ of MANNERS) {
    const writer = new BlockWriter(new Set(original.page.reading.footnotes.keys()), mapping.fences);
    const changes = new Changes(original, writer, manners);
    yield* changes.changeTo(wanted);
    const { edits } = changes;
    if (edits.length === 0) return text;
    let result = applyTextEdits(text, edits);
    let { page } = yield* Original.readInSteps(result, mapping);

    // Notes that have lost their references are removed.
    const { footnotes, referred } = original.page.reading;
    const noteEdits = [...page.reading.footnotes].flatMap(([identifier, note]) => {
      const before = footnotes.get(identifier);
      if (!before || !referred.has(before) || page.reading.referred.has(note)) return [];
      const line = Math.max(result.lastIndexOf("\n", note.start - 1), result.lastIndexOf("\r", note.start - 1)) + 1;
      const gap = /^[ \t>]*(?:(?:\r\n?|\n)[ \t>]*(?=[\r\n]|$))*(?:\r\n?|\n)?/.exec(result.slice(note.end))![0].length;
      return [{ from: line, to: note.end + gap, text: "" }];
    });
    if (noteEdits.length > 0) {
      const rest = applyTextEdits(result, noteEdits);
      result = rest.trimEnd() === rest ? rest : rest.trimEnd() + original.ending;
      ({ page } = yield* Original.readInSteps(result, mapping));
    }

    const mismatch = yield* findMismatch(original, page, wanted);
    if (!mismatch) return result;
    for (let i = mismatch.start; i < mismatch.end; i++)
      manners[i] = MANNERS[MANNERS.indexOf(manners[i]!) + 1] ?? "blocks";
  }
  return undefined;
}

/** Finds the range of blocks that a text does not have; undefined if it has all of them. */
function* findMismatch(
  original: Original,
  { parts }: PageBlocks,
  wanted: readonly Block[],
): Steps<md.SourceSpan | undefined> {
  const expected: string[] = [];
  for (const block of wanted) expected.push(yield* getSignatureInSteps(yield* original.mapToUrls(block)));
  function* isRight(part: number, i: number): Steps<boolean> {
    const block = parts[part]?.block;
    if (!block || i >= wanted.length) return false;
    const read = (yield* normalizeInSteps([block], sortRefMembers))[0];
    if (read && (yield* getSignatureInSteps(read)) === expected[i]) return true;
    const written = yield* original.mapToUrls(yield* original.normalizeInSteps(block));
    return (yield* getSignatureInSteps(written)) === expected[i];
  }
  let start = 0;
  while (yield* isRight(start, start)) start++;
  if (start === wanted.length && parts.length === wanted.length) return undefined;
  let end = 0;
  const most = Math.min(parts.length, wanted.length) - start;
  while (end < most && (yield* isRight(parts.length - 1 - end, wanted.length - 1 - end))) end++;
  // If blocks were merged or split, their neighbors can be involved.
  const around = parts.length === wanted.length ? 0 : 1;
  return { start: Math.max(0, start - around), end: Math.min(wanted.length, wanted.length - end + around) };
}
