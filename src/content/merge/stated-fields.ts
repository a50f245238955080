// Makes the fields of a page and its text agree. The fields that the merged text states are compared with the merged fields. Where
// they differ, the text is changed, because the fields say which side is kept.

import { parsePageSource, updatePageSource } from "../page-source";
import type { JsonValue } from "../prolly-tree";
import type { PageEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { type PageFieldInput, parseStatedFields, toPageSourceChanges } from "../revision/fields";
import type { BodyResult, MergeTools } from "./bodies";
import { type FieldConflict, type FieldValues, isSameJson, type MergedFields } from "./fields";
import { keepOurs, mapVersions, type Versions } from "./versions";

/** A page that both sides have. It may be new on both. */
export interface SharedPage {
  readonly base: PageEntry | undefined;
  readonly ours: PageEntry;
  readonly theirs: PageEntry;
}

/** Fields and a text that agree. */
export interface ReconciledPage extends MergedFields {
  /** The text, or undefined if ours stays as it is. */
  readonly body: BodyResult | undefined;
  /** The names of the fields that the text states. */
  readonly stated: readonly string[] | undefined;
}

/** Makes the merged fields and the merged text of a document agree. */
export async function reconcileStatedFields(
  page: SharedPage,
  fields: MergedFields,
  merged: BodyResult | undefined,
  tools: MergeTools,
): Promise<ReconciledPage> {
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

/**
 * Returns the fields that a text states, with the values that the side has from which they come. A text that states a value that is
 * not allowed is not taken.
 */
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
