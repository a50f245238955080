// Merges the text of a page or a reusable content from its three versions. Stored texts are read only if needed.

import { atOnce, type CarryOut, noWork } from "../markdown/steps";
import { MAX_TEXT_LENGTH } from "../revision/bodies";
import { type Conflict, type Subject, textConflicts } from "./conflicts";
import { kept, type MergedText, type Versions } from "./lines";
import { mergeInSteps } from "./texts";

/** What a merge needs from outside. */
export interface Tools {
  /** The text of an object that is stored. */
  readonly text: (hash: string) => Promise<string>;
  /** When the merge is made. */
  readonly now: string;
  /** Carries out what is long, with turns for others if there are any; default: at once. */
  readonly inTurns?: CarryOut;
}

/** Lets others have a turn, if there are any. */
export function turn({ inTurns = atOnce }: Tools): Promise<void> {
  return inTurns(noWork());
}

/** A text that was made by merging. */
export interface MergedBody extends MergedText {
  /** The versions it came from; without them it is the text of theirs, unchanged. */
  readonly from?: Versions;
}

/** Merges the texts under three hashes; undefined when ours stays as it is. */
export async function mergeBodies(
  { base, ours, theirs }: Versions<string | undefined>,
  tools: Tools,
): Promise<MergedBody | undefined> {
  if (theirs === base || theirs === ours || theirs === undefined) return undefined;
  if (ours === base || ours === undefined) return { text: await tools.text(theirs), conflicts: [] };
  const [old, mine, yours] = await Promise.all([
    base === undefined ? "" : tools.text(base),
    tools.text(ours),
    tools.text(theirs),
  ]);
  const from = { base: old, ours: mine, theirs: yours };
  const merged = await (tools.inTurns ?? atOnce)(mergeInSteps(from));
  const isTooLong = merged.text.length > Math.max(MAX_TEXT_LENGTH, mine.length, yours.length);
  return { ...(isTooLong ? kept(from) : merged), from };
}

/** Ours, with the whole of theirs in a conflict. */
export function keptBody(from: Versions): MergedBody {
  return { ...kept(from), from };
}

/** What a merge of texts gives. */
export function bodyConflicts(subject: Subject, body: MergedBody | undefined): Conflict[] {
  return body?.from ? textConflicts(subject, body, body.from) : [];
}
