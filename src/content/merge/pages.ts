// Merges one page that both sides have: its fields one by one, its text block by block. Its position is not decided
// here.

import { omitUndefined } from "../../utils/objects";
import type { PageEntry } from "../revision/entries";
import { bodyConflicts, mergeBodies, type NewText, newText, type Tools } from "./bodies";
import { conflict, type MergeConflict } from "./conflicts";
import { agreedValue, type MemberConflict, type Members, type MergedMembers, mergeMembers, same } from "./fields";
import { type SharedPage, settle } from "./stated-fields";
import { agreed, each, type Versions } from "./versions";

/** A page that is merged. */
export interface MergedPage {
  /** With the place that ours has. */
  readonly entry: PageEntry;
  /** Its text, unless that is the one that ours has. */
  readonly text?: NewText | undefined;
  readonly conflicts: readonly MergeConflict[];
}

/** The most characters of JSON that the fields of a page may have, unless a side already has more. */
const MAX_FIELDS = 5000;

/** Fields whose members are fields themselves. */
const NESTED = ["layout", "variables"];

/** Merges a page. Its type changes only if nothing depends on it: `mayChangeType`. */
export async function mergePage(
  id: string,
  page: SharedPage,
  mayChangeType: boolean,
  tools: Tools,
): Promise<MergedPage> {
  const { ours, theirs } = page;
  const own = each(versionsOf(page), ownOf);
  const place = { parent: ours.parent, order: ours.order };
  const updatedAt = agreed(each(versionsOf(page), (entry) => entry?.updatedAt)) ?? tools.now;
  if (same(own.theirs, own.base) || same(own.theirs, own.ours)) return { entry: { ...ours, updatedAt }, conflicts: [] };
  if (same(own.ours, own.base) && (ours.type === theirs.type || mayChangeType)) {
    const isNew = theirs.body !== undefined && theirs.body !== ours.body;
    const entry = { ...theirs, ...place, updatedAt };
    return { entry, ...omitUndefined({ text: isNew ? { body: theirs.body! } : undefined }), conflicts: [] };
  }
  if (ours.type !== theirs.type) return { entry: ours, conflicts: refused(own).map((it) => told(id, it)) };
  const merged = await mergeBodies(
    each(versionsOf(page), (entry) => entry?.body),
    tools,
  );
  const { members, conflicts, body, stated } = await settle(page, boundedFields(page), merged, tools);
  const path = agreedValue(each(versionsOf(page), (entry) => entry?.git?.path))?.value;
  // A file that was renamed is at its new path, whatever happened to its text.
  const git = path === theirs.git?.path && path !== ours.git?.path ? theirs.git : ours.git;
  const kept = { createdAt: ours.createdAt, type: ours.type, body: ours.body, stated, git };
  return {
    entry: { ...members, ...defined(kept), ...place, updatedAt } as PageEntry,
    text: newText(body),
    conflicts: [...conflicts.map((it) => told(id, it)), ...bodyConflicts({ page: id }, body)],
  };
}

function versionsOf(page: SharedPage): Versions<PageEntry | undefined> {
  return page;
}

/** A page without its place and the time of its last change. */
function ownOf(entry: PageEntry | undefined): Members {
  if (!entry) return {};
  const { parent: _, order: __, updatedAt: ___, ...own } = entry;
  return own as unknown as Members;
}

/** What people set. */
function fieldsOf(entry: PageEntry | undefined): Members {
  const { type: _, createdAt: __, body: ___, stated: ____, git: _____, ...fields } = ownOf(entry);
  return fields;
}

function boundedFields(page: SharedPage): MergedMembers {
  const fields = each(versionsOf(page), fieldsOf);
  const merged = mergeMembers(fields, NESTED);
  const { ours, theirs } = each(fields, sizeOf);
  const isTooLarge = sizeOf(merged.members) > Math.max(MAX_FIELDS, ours, theirs);
  return isTooLarge ? { members: fields.ours, conflicts: refused(fields) } : merged;
}

const sizeOf = (members: Members) => JSON.stringify(members).length;

/** Everything that theirs changed and ours does not have, as conflicts. */
function refused(versions: Versions<Members>): MemberConflict[] {
  const names = Object.keys({ ...versions.base, ...versions.ours, ...versions.theirs });
  return names
    .map((member) => ({ member, ...each(versions, (it) => it[member]) }))
    .filter(({ base, ours, theirs }) => !same(theirs, base) && !same(theirs, ours));
}

function told(page: string, { member, base, ours, theirs }: MemberConflict): MergeConflict {
  return conflict("field", { page }, { base, ours, theirs }, member);
}

function defined(members: Members | object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
