// Conflicts as people see them: which thing, which part of it, and what each side has. A version that is left out has
// nothing there.

import { omitUndefined } from "../../utils/objects";
import type { JsonValue } from "../prolly-tree";
import type { MergedText, Versions } from "./versions";

/** What a conflict is about. */
export interface Subject {
  readonly page?: string;
  readonly file?: string;
  readonly reusableContent?: string;
  readonly variable?: string;
}

/** Something that both sides changed, each in its own way. Ours stays, unless the kind is `delete`: then the thing stays. */
export interface MergeConflict extends Subject {
  readonly kind: "field" | "text" | "move" | "delete" | "cycle" | "variable";
  /** The part of the thing: a field, as in `layout.width`, or `document`, its text. */
  readonly member?: string;
  readonly base?: JsonValue;
  readonly ours?: JsonValue;
  readonly theirs?: JsonValue;
}

/** Texts in a conflict are cut to this many characters; both sides still have them in full. */
const MAX_SHOWN = 1000;
/** A text with more conflicts than this is reported as one conflict. */
export const MAX_HUNKS = 50;

/** A conflict with what each version has, where it has something. */
export function conflict(
  kind: MergeConflict["kind"],
  subject: Subject,
  says: Partial<Versions<JsonValue | undefined>>,
  member?: string,
): MergeConflict {
  const shown = Object.entries(says).flatMap(([side, value]) => (value === undefined ? [] : [[side, short(value)]]));
  return { kind, ...subject, ...omitUndefined({ member }), ...Object.fromEntries(shown) };
}

/** The conflicts of a text, one for each place. */
export function textConflicts(subject: Subject, { conflicts }: MergedText, whole: Versions): MergeConflict[] {
  const told = conflicts.length > MAX_HUNKS ? [whole] : conflicts;
  return told.map(({ base, ours, theirs }) => conflict("text", subject, { base, ours, theirs }, "document"));
}

function short(value: JsonValue): JsonValue {
  return typeof value === "string" && value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
}
