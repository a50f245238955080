// Merges things field by field. What one side changed is taken; what both changed differently stays as it is in ours.

import type { JsonValue } from "../prolly-tree";
import { agreed, each, type Versions } from "./versions";

/** A thing as its fields. */
export type Members = Readonly<Record<string, JsonValue | undefined>>;

/** A field that both sides changed in different ways. */
export interface MemberConflict extends Versions<JsonValue | undefined> {
  readonly member: string;
}

export interface MergedMembers {
  readonly members: Members;
  readonly conflicts: readonly MemberConflict[];
}

/** Whether two values of a map are equal. Their members stand in one order. */
export function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The value with a change, if only one side has one or both have the same; else undefined. */
export function agreedValue<Value>(versions: Versions<Value>): { readonly value: Value } | undefined {
  const side = agreed(each(versions, (value) => JSON.stringify(value) ?? ""));
  if (side === undefined) return undefined;
  return { value: same(versions.theirs, versions.base) ? versions.ours : versions.theirs };
}

/** Merges things; fields named in `nested` are things themselves. */
export function mergeMembers(versions: Versions<Members>, nested: readonly string[] = []): MergedMembers {
  const maps = each(versions, (members) => new Map(Object.entries(members)));
  const merged: [string, JsonValue | undefined][] = [];
  const conflicts: MemberConflict[] = [];
  for (const member of new Set([...maps.ours.keys(), ...maps.theirs.keys()])) {
    const values = each(maps, (map) => map.get(member));
    const value = agreedValue(values);
    if (value) merged.push([member, value.value]);
    else if (nested.includes(member)) {
      const inside = mergeMembers(each(values, membersOf));
      merged.push([member, Object.keys(inside.members).length === 0 ? undefined : (inside.members as JsonValue)]);
      conflicts.push(...inside.conflicts.map((it) => ({ ...it, member: `${member}.${it.member}` })));
    } else {
      merged.push([member, values.ours]);
      conflicts.push({ ...values, member });
    }
  }
  return { members: Object.fromEntries(merged.filter(([, value]) => value !== undefined)), conflicts };
}

function membersOf(value: JsonValue | undefined): Members {
  return typeof value === "object" && value !== null ? (value as Members) : {};
}
