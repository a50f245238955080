// Makes the fields of a page and its text agree. What the merged text states is compared with the merged fields. Where
// they differ, the text is changed, because the fields say which side is kept.

import { parsePageSource, updatePageSource } from "../page-source";
import type { JsonValue } from "../prolly-tree";
import type { PageEntry } from "../revision/entries";
import { ChangeError } from "../revision/errors";
import { type PageFieldInput, parseStatedFields, toPageFileChanges } from "../revision/fields";
import { type Body, keptBody, type Tools } from "./bodies";
import { type MemberConflict, type Members, type MergedMembers, same } from "./fields";
import { each, type Versions } from "./versions";

/** A page that both sides have; it may be new on both. */
export interface SharedPage {
  readonly base: PageEntry | undefined;
  readonly ours: PageEntry;
  readonly theirs: PageEntry;
}

/** What fields and text came to. */
export interface Settled extends MergedMembers {
  /** Undefined when ours stays as it is. */
  readonly body: Body | undefined;
  /** The names of the fields that the text states. */
  readonly stated: readonly string[] | undefined;
}

/** Merges what the fields and the text of a document say. */
export async function settle(
  page: SharedPage,
  fields: MergedMembers,
  merged: Body | undefined,
  tools: Tools,
): Promise<Settled> {
  const { ours } = page;
  const isSaid = (name: string) => same(fields.members[name], ours[name as "title"]);
  if (!merged && (ours.body === undefined || (ours.stated ?? []).every(isSaid)))
    return { ...fields, body: merged, stated: ours.stated };
  const { body, values } = readable(page, merged);
  const wrong = [...values].filter(([name, value]) => !same(value, fields.members[name]));
  const conflicts = fields.conflicts.filter(({ member }) => !isTold(page, body, member));
  if (wrong.length === 0) return { members: fields.members, conflicts, body, stated: statedBy(values) };
  const text = body && "text" in body ? body.text : await tools.readText(body ? body.taken : ours.body!);
  const wanted = Object.fromEntries(wrong.map(([name]) => [name, fields.members[name] ?? null])) as PageFieldInput;
  const changed = updatePageSource(text, toPageFileChanges(wanted));
  const isChanged = changed !== text;
  return {
    members: isChanged ? fields.members : { ...fields.members, ...Object.fromEntries(wrong) },
    conflicts: isChanged ? conflicts : [...conflicts, ...unspoken(page, wrong, conflicts)],
    body: isChanged ? { conflicts: [], ...(body && "text" in body ? body : {}), text: changed } : body,
    stated: isChanged ? parseStatedFields(changed).names : statedBy(values),
  };
}

type Values = ReadonlyMap<string, JsonValue | undefined>;

const statedBy = (values: Values) => [...values.keys()].sort();

/** What a text states, as the fields of the side that it comes from have it. One that states what it may not is not taken. */
function readable(page: SharedPage, body: Body | undefined): { body: Body | undefined; values: Values } {
  const of = (side: "ours" | "theirs") =>
    new Map((page[side].stated ?? []).map((name) => [name, page[side][name as "title"] as JsonValue | undefined]));
  if (!body || "taken" in body || !body.from) return { body, values: of(body ? "theirs" : "ours") };
  try {
    return { body, values: valuesIn(body.text, body.from, page) };
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return { body: keptBody(body.from), values: of("ours") };
  }
}

function valuesIn(text: string, from: Versions, { ours, theirs }: SharedPage): Values {
  const [merged, mine, yours] = [text, from.ours, from.theirs].map((it) => parseStatedFields(it));
  const value = (name: string): JsonValue | undefined => {
    const [said, ...sides] = [merged!, mine!, yours!].map(({ fields }) => fields[name as "title"]);
    const entry = [ours, theirs].find((_, i) => same(said, sides[i]));
    return entry ? entry[name as "title"] : said;
  };
  return new Map(merged!.names.map((name) => [name, value(name)]));
}

/** Whether a conflict of a field is already a conflict of the text: both texts state the field, and conflict there. */
function isTold({ ours, theirs }: SharedPage, body: Body | undefined, member: string): boolean {
  if (!body || "taken" in body) return false;
  const [name] = member.split(".") as [string];
  const [first] = body.conflicts;
  if (!first || !ours.stated?.includes(name) || !theirs.stated?.includes(name)) return false;
  return first.start < parsePageSource(body.text).bodyStart;
}

/** Conflicts for fields that the text states differently, where the text cannot be changed. */
function unspoken(
  page: SharedPage,
  wrong: readonly (readonly [string, JsonValue | undefined])[],
  known: readonly MemberConflict[],
): MemberConflict[] {
  return wrong
    .filter(([name]) => !known.some(({ member }) => member === name))
    .map(([member]) => ({
      member,
      ...each(page as Versions<PageEntry | undefined>, (it) => (it as Members | undefined)?.[member]),
    }));
}
