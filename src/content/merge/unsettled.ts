// Conflicts that wait. Writing a thing settles the conflicts about it.

import { MAX_HUNKS, type MergeConflict, type Subject } from "./conflicts";

/** What was written: the things by kind, as conflicts name them. */
export interface WrittenContent {
  readonly pages: ReadonlySet<string>;
  readonly files: ReadonlySet<string>;
  readonly reusableContents: ReadonlySet<string>;
  readonly variables: ReadonlySet<string>;
}

/** The conflicts about things that were not written. */
export function removeWrittenConflicts(conflicts: readonly MergeConflict[], written: WrittenContent): MergeConflict[] {
  const isWritten = ({ page, file, reusableContent, variable }: Subject) =>
    (page !== undefined && written.pages.has(page)) ||
    (file !== undefined && written.files.has(file)) ||
    (reusableContent !== undefined && written.reusableContents.has(reusableContent)) ||
    (variable !== undefined && written.variables.has(variable));
  return conflicts.filter((it) => !isWritten(it));
}

/** The most characters of versions that are stored. Beyond that, a conflict only says what it is about. */
const MAX_VERSIONS = 2 * 1024 * 1024;

/** Waiting conflicts together with new ones. A new conflict about a part of a thing replaces an earlier one. All places
 * of a text are kept, unless there are too many: then the newest are. */
export function addConflicts(waiting: readonly MergeConflict[], fresh: readonly MergeConflict[]): MergeConflict[] {
  const parts = new Map<string, MergeConflict[]>();
  for (const it of [...waiting, ...fresh]) {
    const before = it.kind === "text" ? (parts.get(partOf(it)) ?? []) : [];
    parts.set(partOf(it), [...before.slice(1 - MAX_HUNKS), it]);
  }
  return bounded([...parts.values()]);
}

function partOf({ kind, page, file, reusableContent, variable, member }: MergeConflict): string {
  return JSON.stringify([kind, page, file, reusableContent, variable, member]);
}

function bounded(parts: readonly (readonly MergeConflict[])[]): MergeConflict[] {
  let room = MAX_VERSIONS;
  return parts.flatMap((part) => {
    room -= JSON.stringify(part).length;
    if (room >= 0) return part;
    const { base: _, ours: __, theirs: ___, ...bare } = part[0]!;
    return [bare];
  });
}

/** The conflicts that one answer has room for, from the first. */
export function limitConflicts(conflicts: readonly MergeConflict[], bytes: number): MergeConflict[] {
  let room = bytes;
  const utf8 = new TextEncoder();
  const end = conflicts.findIndex((it) => {
    room -= utf8.encode(JSON.stringify(it)).length;
    return room < 0;
  });
  return conflicts.slice(0, end < 0 ? conflicts.length : Math.max(1, end));
}
