// Merges one page: its fields one by one, its text block by block. The position of the page is decided elsewhere.

import { omitUndefined } from "../../utils/objects";
import type { PageEntry } from "../revision/entries";
import { createTextConflicts, getNewText, type MergeTools, mergeBodies, type NewText } from "./bodies";
import type { EntryVersions } from "./changed-entries";
import { createConflict, type MergeConflict } from "./conflicts";
import {
  type FieldConflict,
  type FieldValues,
  isSameJson,
  type MergedFields,
  mergeFieldValues,
  mergeJsonTrivially,
  omitFields,
} from "./fields";
import { reconcileStatedFields } from "./stated-fields";
import { mapVersions, mergeTrivially, type Versions } from "./versions";

/** A merged page. */
export interface MergedPage {
  /** The entry, in the position that ours has. */
  readonly entry: PageEntry;
  /** The text of the page, unless it is that of ours. */
  readonly text?: NewText | undefined;
  readonly conflicts: readonly MergeConflict[];
}

/** The most characters of JSON for the fields of a page, unless a side already has more. */
const MAX_FIELDS_LENGTH = 5000;

/** Fields that are merged field by field themselves. */
const NESTED_FIELDS = ["layout", "variables"];

/** Merges a page. Its type changes only if no other page depends on it: `mayChangeType`. */
export async function mergePage(
  id: string,
  versions: EntryVersions<PageEntry>,
  mayChangeType: boolean,
  tools: MergeTools,
): Promise<MergedPage> {
  const { base, ours, theirs } = versions;
  if (!ours || !theirs) {
    const text = !ours && theirs?.body !== undefined ? { body: theirs.body } : undefined;
    return { entry: (ours ?? theirs)!, text, conflicts: [] };
  }

  // A change of one side is taken as a whole.
  const position = { parent: ours.parent, order: ours.order };
  const updatedAt = mergeTrivially(mapVersions(versions, (entry) => entry?.updatedAt)) ?? tools.now;
  const content = mapVersions(versions, (entry) => omitFields(entry, ["parent", "order", "updatedAt"]));
  if (isSameJson(content.theirs, content.base) || isSameJson(content.theirs, content.ours))
    return { entry: { ...ours, updatedAt }, conflicts: [] };
  if (isSameJson(content.ours, content.base) && (ours.type === theirs.type || mayChangeType)) {
    const text = theirs.body !== undefined && theirs.body !== ours.body ? { body: theirs.body } : undefined;
    return { entry: { ...theirs, ...position, updatedAt }, text, conflicts: [] };
  }

  const createFieldConflict = ({ field, ...values }: FieldConflict) =>
    createConflict("field", { page: id }, values, field);
  if (ours.type !== theirs.type)
    return { entry: ours, conflicts: listFieldConflicts(content).map(createFieldConflict) };

  const bodyResult = await mergeBodies(
    mapVersions(versions, (entry) => entry?.body),
    tools,
  );
  // The fields that people set. The others follow from the text, or never change.
  const ownFields = mapVersions(content, (values) =>
    omitFields(values, ["type", "createdAt", "body", "stated", "git"]),
  );
  let fields: MergedFields = mergeFieldValues(ownFields, NESTED_FIELDS);
  const { ours: ourLength, theirs: theirLength } = mapVersions(ownFields, (values) => JSON.stringify(values).length);
  if (JSON.stringify(fields.values).length > Math.max(MAX_FIELDS_LENGTH, ourLength, theirLength))
    fields = { values: ownFields.ours, conflicts: listFieldConflicts(ownFields) };
  const { values, conflicts, body, stated } = await reconcileStatedFields(
    { base, ours, theirs },
    fields,
    bodyResult,
    tools,
  );

  // A file that was renamed is at its new path, whatever happened to its text.
  const path = mergeJsonTrivially(mapVersions(versions, (entry) => entry?.git?.path))?.value;
  const git = path === theirs.git?.path && path !== ours.git?.path ? theirs.git : ours.git;
  const others = omitUndefined({ createdAt: ours.createdAt, type: ours.type, body: ours.body, stated, git });
  return {
    entry: { ...values, ...others, ...position, updatedAt } as PageEntry,
    text: getNewText(body),
    conflicts: [...conflicts.map(createFieldConflict), ...createTextConflicts({ page: id }, body)],
  };
}

/** Returns a conflict for every field that theirs changed and ours does not have in the same way. */
function listFieldConflicts(versions: Versions<FieldValues>): FieldConflict[] {
  return Object.keys({ ...versions.base, ...versions.ours, ...versions.theirs })
    .map((field) => ({ field, ...mapVersions(versions, (values) => values[field]) }))
    .filter(({ base, ours, theirs }) => !isSameJson(theirs, base) && !isSameJson(theirs, ours));
}
