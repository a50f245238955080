// Conflicts as people see them: the thing, the part of it, and what each side has. A version without a value is absent. The open
// conflicts of a change request wait until the things that they are about are written.

import { omitUndefined } from "../../utils/objects";
import type { JsonValue } from "../prolly-tree";
import type { Versions } from "./versions";

/** The thing that a conflict is about. */
export interface ConflictSubject {
  readonly page?: string;
  readonly file?: string;
  readonly reusableContent?: string;
  readonly variable?: string;
}

/** A change of both sides to the same thing. Ours stays; a thing that one side deleted stays as the other side has it. */
export interface MergeConflict extends ConflictSubject {
  readonly kind: "field" | "text" | "move" | "delete" | "cycle" | "variable";
  /** The part of the thing: a field, such as `layout.width`, or `document` for its text. */
  readonly member?: string;
  readonly base?: JsonValue;
  readonly ours?: JsonValue;
  readonly theirs?: JsonValue;
}

/** The most characters of a text in a conflict. Both sides still have the whole text. */
const MAX_SHOWN_CHARACTERS = 1000;
/** A text with more conflicts is reported as one conflict. */
export const MAX_TEXT_CONFLICTS = 50;

export function createConflict(
  kind: MergeConflict["kind"],
  subject: ConflictSubject,
  versions: Partial<Versions<JsonValue | undefined>>,
  member?: string,
): MergeConflict {
  const shorten = (value: JsonValue | undefined) =>
    typeof value === "string" && value.length > MAX_SHOWN_CHARACTERS
      ? `${value.slice(0, MAX_SHOWN_CHARACTERS)}…`
      : value;
  const shown = Object.fromEntries(Object.entries(versions).map(([side, value]) => [side, shorten(value)]));
  return { kind, ...subject, ...omitUndefined({ member, ...shown }) };
}
