// Merges files, reusable contents, variables and settings.

import { isMarkdown } from "../book/paths";
import type { ContentRef } from "../document";
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
import { createTextConflicts, getNewText, mergeBodies, type NewText, yieldToOthers } from "./bodies";
import { type EntryVersions, findChangedEntries, type MergedRevisions } from "./changed-entries";
import { type ConflictSubject, createConflict, type MergeConflict } from "./conflicts";
import { isSameJson, mergeFieldValues, mergeJsonTrivially, omitFields } from "./fields";
import type { MergedTexts } from "./index-texts";
import { mapVersions, mergeTrivially } from "./versions";

export interface FileMergeContext extends MergedRevisions {
  readonly draft: Draft;
  readonly conflicts: MergeConflict[];
  readonly texts: MergedTexts;
}

/** An entry with a path among the files. */
type StoredEntry = FileEntry | ReusableEntry;

/** The differences between files and reusable contents. */
interface EntryKind {
  readonly prefix: string;
  readonly pathMember: "file" | "reusable";
  readonly getSubject: (id: string) => ConflictSubject;
  readonly getLinkTarget: (id: string) => string;
}

const FILES: EntryKind = {
  prefix: keys.files,
  pathMember: "file",
  getSubject: (file) => ({ file }),
  getLinkTarget: linkTargets.file,
};
const REUSABLES: EntryKind = {
  prefix: keys.reusables,
  pathMember: "reusable",
  getSubject: (reusableContent) => ({ reusableContent }),
  getLinkTarget: linkTargets.reusable,
};

/** Merges files and reusable contents. `pages` are the changed pages, which may newly refer to them. */
export async function mergeFiles(
  context: FileMergeContext,
  pages: ReadonlyMap<string, EntryVersions<PageEntry>>,
): Promise<void> {
  const { draft, tools } = context;
  for (const kind of [FILES, REUSABLES]) {
    const remaining: [string, EntryVersions<StoredEntry>][] = [];
    for (const [id, versions] of await findChangedEntries<StoredEntry>(context, kind.prefix)) {
      await yieldToOthers(tools);
      if (!(await resolveDeletion(context, kind, id, versions, pages))) {
        remaining.push([id, versions]);
        continue;
      }
      const { ours } = versions;
      if (!ours) continue;
      draft.delete(`${kind.prefix}${id}`);
      draft.delete(keys.filePath(ours.path));
      if (kind === REUSABLES) await removeTextIndex(draft, id);
      else draft.delete(keys.anchors(id));
    }
    // Deletions come first, so that their paths are free for other entries.
    for (const [id, versions] of remaining) {
      await yieldToOthers(tools);
      await writeMergedEntry(context, kind, id, versions);
    }
  }
}

/**
 * Returns true if the merge deletes an entry: one side deleted it (16), and the other neither changed it nor came to refer to it.
 * Adds a conflict if the entry stays because the other did (17).
 */
async function resolveDeletion(
  context: FileMergeContext,
  kind: EntryKind,
  id: string,
  { base, ours, theirs }: EntryVersions<StoredEntry>,
  pages: ReadonlyMap<string, EntryVersions<PageEntry>>,
): Promise<boolean> {
  if (!base || (ours && theirs)) return !ours && !theirs;
  const side = ours ? "ours" : "theirs";
  const entry = ours ?? theirs;
  if (!entry) return true;
  const isChanged = !isSameJson({ ...base, updatedAt: "" }, { ...entry, updatedAt: "" });
  if (!isChanged) {
    const { source, roots } = context;
    const [sourcesBefore, sourcesAfter] = [new Set<string>(), new Set<string>()];
    const under = keys.incomingLinks(kind.getLinkTarget(id));
    for await (const { key, after } of diffMaps(source, roots.base, roots[side], { under }))
      (after === undefined ? sourcesBefore : sourcesAfter).add(key.slice(under.length).split("/")[0]!);
    const isRef = (ref: ContentRef | undefined) =>
      (ref?.kind === "file" && ref.file === id) || (ref?.kind === "reusable-content" && ref.reusableContent === id);
    const refersToEntry = (page: PageEntry | undefined) =>
      page !== undefined && [page.target, page.cover?.ref, page.cover?.refDark].some(isRef);
    const hasNewReference =
      [...sourcesAfter].some((sourceId) => !sourcesBefore.has(sourceId)) ||
      [...pages.values()].some((page) => refersToEntry(page[side]) && !refersToEntry(page.base));
    if (!hasNewReference) return true;
  }
  const names = mapVersions({ base, ours, theirs }, (it) => it && ("name" in it ? it.name : it.title));
  context.conflicts.push(createConflict("delete", kind.getSubject(id), names));
  return false;
}

/** Writes an entry that theirs changed. If ours changed it as well, it is merged field by field (18). */
async function writeMergedEntry(
  context: FileMergeContext,
  kind: EntryKind,
  id: string,
  versions: EntryVersions<StoredEntry>,
): Promise<void> {
  const { draft, conflicts, texts, tools } = context;
  const { base, ours, theirs } = versions;
  if (!theirs || (ours && isSameJson(theirs, base))) return;

  let entry = theirs;
  let text: NewText | undefined = "body" in theirs ? { body: theirs.body } : undefined;
  if (ours) {
    const subject = kind.getSubject(id);
    const fields = mergeFieldValues(
      mapVersions(versions, (it) => omitFields(it, ["path", "git", "createdAt", "body", "updatedAt"])),
    );
    for (const { field, ...values } of fields.conflicts)
      conflicts.push(createConflict("field", subject, values, field));
    const bodies = mapVersions(versions, (it) => (it && "body" in it ? it.body : undefined));
    const bodyResult = await mergeBodies(bodies, tools);
    conflicts.push(...createTextConflicts(subject, bodyResult));
    const mergeMember = (name: "git" | "path") =>
      mergeJsonTrivially(mapVersions(versions, (it) => it?.[name]))?.value ?? ours[name];
    entry = { ...ours, ...fields.values, path: mergeMember("path"), git: mergeMember("git") } as StoredEntry;
    const times = mapVersions(versions, (it) => (it && "updatedAt" in it ? it.updatedAt : undefined));
    if ("body" in entry) entry = { ...entry, updatedAt: mergeTrivially(times) ?? tools.now };
    text = getNewText(bodyResult);
  }

  const path = ours && ours.path === entry.path ? ours.path : await findFreePath(draft, entry.path);
  if (ours && ours.path !== path) draft.delete(keys.filePath(ours.path));
  draft.put(`${kind.prefix}${id}`, { ...entry, path });
  draft.put(keys.filePath(path), { [kind.pathMember]: id });
  if (kind === FILES && isMarkdown(path)) {
    // The anchors of a text that pages include come with its bytes.
    const key = keys.anchors(id);
    for (const anchors of (await findChangedEntries<object>(context, key)).values())
      if (anchors.theirs) draft.put(key, anchors.theirs);
  }
  if (text) texts.set(id, { ...text, kind: "reusable" });
  await draft.flushIfFull();
}

/** Merges variables. A value of one side is taken (20). Ours stays if both set one or theirs removed it (21). */
export async function mergeVariables(context: FileMergeContext): Promise<void> {
  const { draft, conflicts } = context;
  for (const [key, versions] of await findChangedEntries<VariableEntry>(context, keys.variables)) {
    const { base, ours, theirs } = versions;
    const trivial = mergeJsonTrivially(versions);
    const entry = trivial ? trivial.value : (ours ?? theirs);
    if (!trivial) {
      const { name } = (ours ?? theirs ?? base)!;
      const values = mapVersions(versions, (it): JsonValue | undefined => it?.value);
      conflicts.push(createConflict("variable", { variable: name }, values));
    }
    if (isSameJson(entry, ours)) continue;
    if (entry) draft.put(keys.variables + key, entry);
    else draft.delete(keys.variables + key);
  }
}

/** Merges the settings of a book. A change of one side is taken (22); ours stays if both changed a setting (23). */
export async function mergeSettings(context: FileMergeContext): Promise<void> {
  const { draft } = context;
  for (const prefix of [keys.redirects, keys.mdBook, keys.languages]) {
    for (const [key, versions] of await findChangedEntries<object>(context, prefix)) {
      const { value } = mergeJsonTrivially(versions) ?? { value: versions.ours };
      if (isSameJson(value, versions.ours)) continue;
      if (value === undefined) draft.delete(prefix + key);
      else draft.put(prefix + key, value);
    }
  }
}
