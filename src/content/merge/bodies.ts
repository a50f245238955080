// Merges the text of a page or a reusable content from its three versions. Stored texts are read only if necessary.

import { type RunSteps, runStepsAtOnce } from "../../utils/concurrency/steps";
import { MAX_TEXT_LENGTH } from "../revision/document-input";
import type { ObjectSink } from "../revision/draft";
import { type ConflictSubject, createConflict, MAX_TEXT_CONFLICTS, type MergeConflict } from "./conflicts";
import { mergeTextsInSteps } from "./texts";
import { keepOurs, type MergedText, type Versions } from "./versions";

export { yieldToOthers } from "../../utils/concurrency/steps";

export interface MergeTools {
  /** Reads the text of a stored object. */
  readonly readText: (hash: string) => Promise<string>;
  readonly now: string;
  /** Runs long generators, and yields to other work between their steps. Default: without yielding. */
  readonly runSteps?: RunSteps;
  /** Takes the new objects of a large merge as they come. Default: the draft holds them. */
  readonly outlet?: ObjectSink;
}

export interface MergedBody extends MergedText {
  /** The versions of the text. Without them, it is the text of theirs, changed to agree with the merged fields. */
  readonly from?: Versions;
}

/** The unchanged text of theirs, as the hash of an object that was not read. */
export interface TakenBody {
  readonly taken: string;
}

/** The text that results from a merge, if it is not that of ours. */
export type BodyResult = MergedBody | TakenBody;

/** A new text to index: the text, or the hash of a stored one. */
export type NewText = { readonly text: string } | { readonly body: string };

/** Returns the text to index, or undefined if ours stays as it is. */
export function getNewText(result: BodyResult | undefined): NewText | undefined {
  return result && ("taken" in result ? { body: result.taken } : { text: result.text });
}

/** Merges the texts of three hashes. Returns undefined if ours stays as it is. */
export async function mergeBodies(
  { base, ours, theirs }: Versions<string | undefined>,
  tools: MergeTools,
): Promise<BodyResult | undefined> {
  if (theirs === base || theirs === ours || theirs === undefined) return undefined;
  if (ours === base || ours === undefined) return { taken: theirs };
  const [baseText, ourText, theirText] = await Promise.all([
    base === undefined ? "" : tools.readText(base),
    tools.readText(ours),
    tools.readText(theirs),
  ]);
  const from = { base: baseText, ours: ourText, theirs: theirText };
  const merged = await (tools.runSteps ?? runStepsAtOnce)(mergeTextsInSteps(from));
  const isTooLong = merged.text.length > Math.max(MAX_TEXT_LENGTH, ourText.length, theirText.length);
  return { ...(isTooLong ? keepOurs(from) : merged), from };
}

/** Returns the conflicts of a merged text: one for each place, or a single one for the whole text if there are too many. */
export function createTextConflicts(subject: ConflictSubject, result: BodyResult | undefined): MergeConflict[] {
  if (!result || "taken" in result || !result.from) return [];
  const places = result.conflicts.length > MAX_TEXT_CONFLICTS ? [result.from] : result.conflicts;
  return places.map(({ base, ours, theirs }) => createConflict("text", subject, { base, ours, theirs }, "document"));
}
