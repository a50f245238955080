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

/** Creates a conflict with the versions that have a value. */
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

/** The most characters of conflicts that are stored with their versions. Further conflicts only name their subject. */
const MAX_STORED_CHARACTERS = 2 * 1024 * 1024;

/**
 * Adds new conflicts to open ones. A new conflict about a part of a thing replaces an earlier one. All conflicts of a text are kept,
 * up to a maximum beyond which only the latest are.
 */
export function addConflicts(open: readonly MergeConflict[], added: readonly MergeConflict[]): MergeConflict[] {
  const conflictsByPart = new Map<string, MergeConflict[]>();
  for (const conflict of [...open, ...added]) {
    const { kind, page, file, reusableContent, variable, member } = conflict;
    const part = JSON.stringify([kind, page, file, reusableContent, variable, member]);
    const earlier = kind === "text" ? (conflictsByPart.get(part) ?? []) : [];
    conflictsByPart.set(part, [...earlier.slice(1 - MAX_TEXT_CONFLICTS), conflict]);
  }
  let charactersLeft = MAX_STORED_CHARACTERS;
  return [...conflictsByPart.values()].flatMap((conflicts) => {
    charactersLeft -= JSON.stringify(conflicts).length;
    if (charactersLeft >= 0) return conflicts;
    const { base: _, ours: __, theirs: ___, ...subject } = conflicts[0]!;
    return [subject];
  });
}
