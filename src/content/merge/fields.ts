// Merges values field by field. A change of one side is taken; a field that both sides changed differently stays as it is in ours.

import type { JsonValue } from "../prolly-tree";
import { mapVersions, mergeTrivially, type Versions } from "./versions";

export type FieldValues = Readonly<Record<string, JsonValue | undefined>>;

/** A field that both sides changed differently. */
export interface FieldConflict extends Versions<JsonValue | undefined> {
  readonly field: string;
}

export interface MergedFields {
  readonly values: FieldValues;
  readonly conflicts: readonly FieldConflict[];
}

/** Checks that two values of a map are equal. Their members always have the same order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the changed value if only one side changed it or both made the same change, else undefined. */
export function mergeJsonTrivially<Value>(versions: Versions<Value>): { readonly value: Value } | undefined {
  const json = mergeTrivially(mapVersions(versions, (value) => JSON.stringify(value) ?? ""));
  if (json === undefined) return undefined;
  return { value: isSameJson(versions.theirs, versions.base) ? versions.ours : versions.theirs };
}

/** Merges the fields of an entry. The fields in `nested` are merged field by field themselves. */
export function mergeFieldValues(versions: Versions<FieldValues>, nested: readonly string[] = []): MergedFields {
  const maps = mapVersions(versions, (values) => new Map(Object.entries(values)));
  const merged: [string, JsonValue | undefined][] = [];
  const conflicts: FieldConflict[] = [];
  for (const field of new Set([...maps.ours.keys(), ...maps.theirs.keys()])) {
    const values = mapVersions(maps, (map) => map.get(field));
    const trivial = mergeJsonTrivially(values);
    if (trivial) merged.push([field, trivial.value]);
    else if (nested.includes(field)) {
      const inner = mergeFieldValues(
        mapVersions(values, (value) => (typeof value === "object" && value !== null ? (value as FieldValues) : {})),
      );
      merged.push([field, Object.keys(inner.values).length === 0 ? undefined : (inner.values as JsonValue)]);
      conflicts.push(...inner.conflicts.map((conflict) => ({ ...conflict, field: `${field}.${conflict.field}` })));
    } else {
      merged.push([field, values.ours]);
      conflicts.push({ ...values, field });
    }
  }
  return { values: Object.fromEntries(merged.filter(([, value]) => value !== undefined)), conflicts };
}

/** Returns the fields of an entry without some of them. */
export function omitFields(entry: object | undefined, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(entry ?? {}).filter(([name]) => !names.includes(name)));
}
