// Three versions of a page's text merged: its front matter name by name, its body block by block. What neither side
// touched stays as it is, byte for byte; of what both changed differently ours stays, and theirs is in a conflict.

import { runStepsSync, type Steps } from "../markdown/steps";
import { mergeBlocks } from "./blocks";
import { mergeFrontMatter } from "./front-matter";
import { endingIn, frontEnd } from "./split-blocks";
import { agreed, each, kept, type MergedText, Pieces, type Versions } from "./versions";

/** Merges what two sides made of a text. Never throws, whatever the texts. */
export function mergeTexts(base: string, ours: string, theirs: string): MergedText {
  return runStepsSync(mergeTextsInSteps({ base, ours, theirs }));
}

/** The same step by step. */
export function* mergeTextsInSteps(texts: Versions): Steps<MergedText> {
  const whole = agreed(texts);
  if (whole !== undefined) return { text: whole, conflicts: [] };
  const opened = each(texts, open);
  const front = mergeFrontMatter(each(opened, ({ front }) => front));
  const body = yield* mergeBlocks(each(opened, ({ body }) => body));
  const merged = new Pieces();
  merged.add(agreed(each(opened, ({ mark }) => mark)) ?? "");
  merged.add(front);
  merged.add(body);
  const isApart = frontEnd(front.text + body.text) === front.text.length;
  return isApart ? ended(merged, opened) : kept(texts);
}

/** A text in its parts, as if it ended with a line ending. */
interface Opened {
  /** A byte order mark, or nothing. */
  readonly mark: string;
  readonly front: string;
  readonly body: string;
  readonly isEnded: boolean;
}

function open(text: string): Opened {
  const mark = text.startsWith("\ufeff") ? "\ufeff" : "";
  const isEnded = text === mark || /[\r\n]$/.test(text);
  const whole = text.slice(mark.length) + (isEnded ? "" : endingIn(text));
  const end = frontEnd(whole);
  return { mark, front: whole.slice(0, end), body: whole.slice(end), isEnded };
}

/** A merged text without its last line ending, if that was removed or never there. */
function ended({ text, conflicts }: MergedText, opened: Versions<Opened>): MergedText {
  if (agreed(each(opened, ({ isEnded }) => isEnded))) return { text, conflicts };
  const shorter = text.replace(/(?:\r\n?|\n)$/, "");
  const within = (at: number) => Math.min(at, shorter.length);
  const moved = conflicts.map((it) => {
    const [start, end] = [within(it.start), within(it.end)];
    return { ...it, ours: shorter.slice(start, end), start, end };
  });
  return { text: shorter, conflicts: moved };
}
