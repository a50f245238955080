// Merges one page: its fields one by one, its text block by block. The position of the page is decided elsewhere.

import { omitUndefined } from "../../utils/objects";
import { parsePageSource, updatePageSource } from "../page-source";
import type { JsonValue } from "../prolly-tree";
import type { PageEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { type PageFieldInput, parseStatedFields, toPageSourceChanges } from "../revision/fields";
import { type BodyResult, createTextConflicts, getNewText, type MergeTools, mergeBodies, type NewText } from "./bodies";
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
import { keepOurs, mapVersions, mergeTrivially, type Versions } from "./versions";

export interface MergedPage {
  /** The entry, in the position that ours has. */
  readonly entry: PageEntry;
  /** The text of the page, unless it is that of ours. */
  readonly text?: NewText | undefined;
  readonly conflicts: readonly MergeConflict[];
}

/** The most characters of JSON for the fields of a page, unless a side already has more. */
const MAX_FIELDS_LENGTH = 5000;

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

// Makes the fields of a page and its text agree. The fields that the merged text states are compared with the merged fields. Where
// they differ, the text is changed, because the fields say which side is kept.

/** A page that both sides have. It may be new on both. */
interface SharedPage {
  readonly base: PageEntry | undefined;
  readonly ours: PageEntry;
  readonly theirs: PageEntry;
}

async function reconcileStatedFields(
  page: SharedPage,
  fields: MergedFields,
  merged: BodyResult | undefined,
  tools: MergeTools,
) {
  const { ours, theirs } = page;
  const agreesWithOurs = (name: string) => isSameJson(fields.values[name], ours[name as "title"]);
  if (!merged && (ours.body === undefined || (ours.stated ?? []).every(agreesWithOurs)))
    return { ...fields, body: merged, stated: ours.stated };
  const { body, statedValues } = readStatedValues(page, merged);

  // A conflict of a field is already a conflict of the text if both texts state the field and conflict in their front matter.
  const hasText = body !== undefined && "text" in body;
  const firstPlace = hasText ? body.conflicts[0] : undefined;
  const hasFrontMatterConflict = hasText && firstPlace && firstPlace.start < parsePageSource(body.text).bodyStart;
  const conflicts = fields.conflicts.filter(({ field }) => {
    const [name] = field.split(".") as [string];
    return !(hasFrontMatterConflict && ours.stated?.includes(name) && theirs.stated?.includes(name));
  });

  const stated = [...statedValues.keys()].sort();
  const differences = [...statedValues].filter(([name, value]) => !isSameJson(value, fields.values[name]));
  if (differences.length === 0) return { values: fields.values, conflicts, body, stated };
  const text = hasText ? body.text : await tools.readText(body ? body.taken : ours.body!);
  const wanted = Object.fromEntries(differences.map(([name]) => [name, fields.values[name] ?? null])) as PageFieldInput;
  const changedText = updatePageSource(text, toPageSourceChanges(wanted));
  if (changedText !== text) {
    const changedBody = hasText ? { ...body, text: changedText } : { conflicts: [], text: changedText };
    return { values: fields.values, conflicts, body: changedBody, stated: parseStatedFields(changedText).names };
  }

  // The text cannot be changed, so the fields become what it states, and differences without a conflict get one.
  const values = { ...fields.values, ...Object.fromEntries(differences) };
  const newConflicts = differences
    .filter(([name]) => !conflicts.some(({ field }) => field === name))
    .map(([field]): FieldConflict => {
      const versions: Versions<PageEntry | undefined> = page;
      return { field, ...mapVersions(versions, (entry) => (entry as FieldValues | undefined)?.[field]) };
    });
  return { values, conflicts: [...conflicts, ...newConflicts], body, stated };
}

/** Returns the fields that a text states, with the values of their side. A text with a wrong value is not taken. */
function readStatedValues(
  page: SharedPage,
  body: BodyResult | undefined,
): { body: BodyResult | undefined; statedValues: ReadonlyMap<string, JsonValue | undefined> } {
  const getSideValues = (entry: PageEntry) =>
    new Map((entry.stated ?? []).map((name) => [name, (entry as unknown as FieldValues)[name]]));
  if (!body || "taken" in body || !body.from)
    return { body, statedValues: getSideValues(body ? page.theirs : page.ours) };
  try {
    const merged = parseStatedFields(body.text);
    const ours = parseStatedFields(body.from.ours).fields as FieldValues;
    const theirs = parseStatedFields(body.from.theirs).fields as FieldValues;
    const statedValues = merged.names.map((name): [string, JsonValue | undefined] => {
      const value = (merged.fields as FieldValues)[name];
      if (isSameJson(value, ours[name])) return [name, (page.ours as unknown as FieldValues)[name]];
      if (isSameJson(value, theirs[name])) return [name, (page.theirs as unknown as FieldValues)[name]];
      return [name, value];
    });
    return { body, statedValues: new Map(statedValues) };
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return { body: { ...keepOurs(body.from), from: body.from }, statedValues: getSideValues(page.ours) };
  }
}
