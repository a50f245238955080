// Merges the text of a page or a reusable content from its three versions. Stored texts are read only if needed.

import { type RunSteps, runStepsAtOnce, yieldOnce } from "../markdown/steps";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { ObjectSink } from "../revision/draft";
import { type MergeConflict, type Subject, textConflicts } from "./conflicts";
import { mergeTextsInSteps } from "./texts";
import { kept, type MergedText, type Versions } from "./versions";

/** What a merge needs from outside. */
export interface Tools {
  /** The text of an object that is stored. */
  readonly readText: (hash: string) => Promise<string>;
  /** When the merge is made. */
  readonly now: string;
  /** Carries out what is long, with turns for others if there are any; default: at once. */
  readonly runSteps?: RunSteps;
  /** Where the new objects of a large merge go as they come; default: the draft holds them. */
  readonly outlet?: ObjectSink;
}

/** Lets others have a turn, if there are any. */
export function turn({ runSteps: inTurns = runStepsAtOnce }: Tools): Promise<void> {
  return inTurns(yieldOnce());
}

/** A text that was made by merging. */
export interface MergedBody extends MergedText {
  /** The versions it came from; without them it is the text of theirs, and was changed to agree with its fields. */
  readonly from?: Versions;
}

/** The text of theirs as it is, by its hash. It is not read. */
export interface TakenBody {
  readonly taken: string;
}

/** What the text of a thing came to. */
export type Body = MergedBody | TakenBody;

/** The text that a thing has after a merge, as it waits to be indexed. */
export type NewText = { readonly text: string } | { readonly body: string };

/** A new text; undefined when ours stays as it is. */
export function newText(body: Body | undefined): NewText | undefined {
  return body && ("taken" in body ? { body: body.taken } : { text: body.text });
}

/** Merges the texts under three hashes; undefined when ours stays as it is. */
export async function mergeBodies(
  { base, ours, theirs }: Versions<string | undefined>,
  tools: Tools,
): Promise<Body | undefined> {
  if (theirs === base || theirs === ours || theirs === undefined) return undefined;
  if (ours === base || ours === undefined) return { taken: theirs };
  const [old, mine, yours] = await Promise.all([
    base === undefined ? "" : tools.readText(base),
    tools.readText(ours),
    tools.readText(theirs),
  ]);
  const from = { base: old, ours: mine, theirs: yours };
  const merged = await (tools.runSteps ?? runStepsAtOnce)(mergeTextsInSteps(from));
  const isTooLong = merged.text.length > Math.max(MAX_TEXT_LENGTH, mine.length, yours.length);
  return { ...(isTooLong ? kept(from) : merged), from };
}

/** Ours, with the whole of theirs in a conflict. */
export function keptBody(from: Versions): MergedBody {
  return { ...kept(from), from };
}

/** What a merge of texts gives. */
export function bodyConflicts(subject: Subject, body: Body | undefined): MergeConflict[] {
  return body && "from" in body && body.from ? textConflicts(subject, body, body.from) : [];
}
