// Files, reusable contents and variables that the sides do not agree on.

import { isMarkdown } from "../book/paths";
import { diffMaps, type JsonValue } from "../prolly-tree";
import { findFreePath } from "../revision/change-files";
import type { Draft } from "../revision/draft";
import {
  type FileEntry,
  keys,
  linkTargets,
  type PageEntry,
  type ReusableEntry,
  type VariableEntry,
} from "../revision/entries";
import { removeTextIndex } from "../revision/texts";
import { bodyConflicts, mergeBodies, type NewText, newText, turn } from "./bodies";
import { type Comparing, changedThings, type Thing } from "./changed-entries";
import { conflict, type MergeConflict, type Subject } from "./conflicts";
import { agreedValue, type Members, mergeMembers, same } from "./fields";
import type { MergedTexts } from "./index-texts";
import { agreed, each } from "./versions";

/** A merge under way. */
export interface Merging extends Comparing {
  readonly draft: Draft;
  readonly conflicts: MergeConflict[];
  readonly texts: MergedTexts;
}

/** Something that stands at a path of files. */
type Stored = FileEntry | ReusableEntry;

/** What is different about files and reusable contents. */
interface Kind {
  readonly under: string;
  readonly member: "file" | "reusable";
  readonly subject: (id: string) => Subject;
  readonly target: (id: string) => string;
}

const files: Kind = { under: keys.files, member: "file", subject: (file) => ({ file }), target: linkTargets.file };
const reusables: Kind = {
  under: keys.reusables,
  member: "reusable",
  subject: (reusableContent) => ({ reusableContent }),
  target: linkTargets.reusable,
};

/** Merges files, reusable contents and variables. `pages` tells which of them pages newly refer to. */
export async function mergeFiles(merging: Merging, pages: ReadonlyMap<string, Thing<PageEntry>>): Promise<void> {
  for (const kind of [files, reusables]) {
    const things = await changedThings<Stored>(merging, kind.under);
    const arriving: [string, Thing<Stored>][] = [];
    for (const [id, thing] of things) {
      await turn(merging.tools);
      if (await isDeleted(merging, kind, id, thing, pages)) await remove(merging, kind, id, thing.ours);
      else arriving.push([id, thing]);
    }
    // Files that move away come first, so that their paths are free for others.
    for (const [id, thing] of arriving) {
      await turn(merging.tools);
      await bring(merging, kind, id, thing);
    }
  }
  await mergeVariables(merging);
  await mergeSettings(merging);
}

/** A thing that one side deleted is gone (16), unless the other changed it or came to refer to it (17). */
async function isDeleted(
  merging: Merging,
  kind: Kind,
  id: string,
  { base, ours, theirs }: Thing<Stored>,
  pages: ReadonlyMap<string, Thing<PageEntry>>,
): Promise<boolean> {
  if (!base || (ours && theirs)) return !ours && !theirs;
  const side = ours ? "ours" : "theirs";
  const entry = ours ?? theirs;
  if (!entry) return true;
  const isTouched = !same({ ...base, updatedAt: "" }, { ...entry, updatedAt: "" });
  if (!isTouched && !(await isNewlyReferred(merging, side, kind.target(id), id, pages))) return true;
  const name = (it: Stored | undefined) => it && ("name" in it ? it.name : it.title);
  merging.conflicts.push(conflict("delete", kind.subject(id), each({ base, ours, theirs }, name)));
  return false;
}

/** Whether a side has texts or pages that newly refer to something. */
async function isNewlyReferred(
  { source, roots }: Merging,
  side: "ours" | "theirs",
  target: string,
  id: string,
  pages: ReadonlyMap<string, Thing<PageEntry>>,
): Promise<boolean> {
  const [before, after] = [new Set<string>(), new Set<string>()];
  const under = keys.incomingLinks(target);
  for await (const { key, after: now } of diffMaps(source, roots.base, roots[side], { under }))
    (now === undefined ? before : after).add(key.slice(under.length).split("/")[0]!);
  if ([...after].some((from) => !before.has(from))) return true;
  const refers = (page: PageEntry | undefined) =>
    page !== undefined && [page.target, page.cover?.ref, page.cover?.refDark].some((ref) => ref && isRefTo(ref, id));
  return [...pages.values()].some((page) => refers(page[side]) && !refers(page.base));
}

function isRefTo(ref: NonNullable<PageEntry["target"]>, id: string): boolean {
  return (ref.kind === "file" && ref.file === id) || (ref.kind === "reusable-content" && ref.reusableContent === id);
}

async function remove({ draft }: Merging, kind: Kind, id: string, ours: Stored | undefined): Promise<void> {
  if (!ours) return;
  draft.delete(`${kind.under}${id}`);
  draft.delete(keys.filePath(ours.path));
  if (kind === reusables) await removeTextIndex(draft, id);
  else draft.delete(keys.anchors(id));
}

async function bring(merging: Merging, kind: Kind, id: string, thing: Thing<Stored>): Promise<void> {
  const { draft, texts } = merging;
  const { ours, theirs } = thing;
  if (!theirs || (ours && same(theirs, thing.base))) return;
  const { entry, text } = ours ? await merged(merging, kind, id, thing) : { entry: theirs, text: undefined };
  const path = ours && ours.path === entry.path ? ours.path : await findFreePath(draft, entry.path);
  if (ours && ours.path !== path) draft.delete(keys.filePath(ours.path));
  draft.put(`${kind.under}${id}`, { ...entry, path });
  draft.put(keys.filePath(path), { [kind.member]: id });
  if (kind === files && isMarkdown(path)) await bringAnchors(merging, id);
  const brought = ours ? text : "body" in entry ? { body: entry.body } : undefined;
  if (brought) texts.set(id, { ...brought, kind: "reusable" });
  await draft.flushIfFull();
}

/** The anchors of a text that pages include come with its bytes. */
async function bringAnchors(merging: Merging, id: string): Promise<void> {
  const key = keys.anchors(id);
  for (const { theirs } of (await changedThings<object>(merging, key)).values())
    if (theirs) merging.draft.put(key, theirs);
}

/** Merges a thing that both sides have, field by field (18). */
async function merged(
  { conflicts, tools }: Merging,
  kind: Kind,
  id: string,
  { base, ours, theirs }: Thing<Stored>,
): Promise<{ readonly entry: Stored; readonly text: NewText | undefined }> {
  const subject = kind.subject(id);
  const versions = { base, ours, theirs };
  const own = mergeMembers(each(versions, fieldsOf));
  conflicts.push(...own.conflicts.map(({ member, ...says }) => conflict("field", subject, says, member)));
  const bodies = each(versions, (it) => (it && "body" in it ? it.body : undefined));
  const body = await mergeBodies(bodies, tools);
  conflicts.push(...bodyConflicts(subject, body));
  const times = each(versions, (it) => (it && "updatedAt" in it ? it.updatedAt : undefined));
  const side = (name: "git" | "path") => agreedValue(each(versions, (it) => it?.[name]))?.value ?? ours![name];
  const entry = { ...ours!, ...own.members, path: side("path"), git: side("git") } as Stored;
  return { entry: "body" in entry ? { ...entry, updatedAt: agreed(times) ?? tools.now } : entry, text: newText(body) };
}

function fieldsOf(thing: Stored | undefined): Members {
  if (!thing) return {};
  const { path: _, git: __, createdAt: ___, body: ____, updatedAt: _____, ...fields } = thing as ReusableEntry;
  return fields as unknown as Members;
}

/** Variables: what one side set is taken (20); ours stays when both set one, and a value stays when one took it away (21). */
async function mergeVariables(merging: Merging): Promise<void> {
  const { draft, conflicts } = merging;
  const things = await changedThings<VariableEntry>(merging, keys.variables);
  for (const [key, thing] of things) {
    const { name } = (thing.ours ?? thing.theirs ?? thing.base)!;
    const value = agreedValue(thing);
    const entry = value ? value.value : (thing.ours ?? thing.theirs);
    if (!value) {
      const says = each(thing, (it): JsonValue | undefined => it?.value);
      conflicts.push(conflict("variable", { variable: name }, says));
    }
    if (same(entry, thing.ours)) continue;
    if (entry) draft.put(keys.variables + key, entry);
    else draft.delete(keys.variables + key);
  }
}

/** Settings of the book: what one side set or took away is done (22); ours stays when both did (23). */
async function mergeSettings(merging: Merging): Promise<void> {
  const { draft } = merging;
  for (const under of [keys.redirects, keys.mdBook, keys.languages]) {
    for (const [key, thing] of await changedThings<object>(merging, under)) {
      const { value } = agreedValue(thing) ?? { value: thing.ours };
      if (same(value, thing.ours)) continue;
      if (value === undefined) draft.delete(under + key);
      else draft.put(under + key, value);
    }
  }
}
