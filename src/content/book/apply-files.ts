// Applies the files and reusable contents of a book to a revision. A file keeps its id as long as it keeps its path or its bytes.

import { yieldToOthers } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import { describeFile, sanitizeFileName } from "../files";
import { parsePageSource } from "../page-source";
import { isDeepEqual } from "../page-source/yaml";
import { type FileEntry, keys, type ReusableEntry } from "../revision/entries";
import { indexFileAnchors, removeTextIndex } from "../revision/texts";
import type { WithId } from "../revision/view";
import type { ApplyContext, ChangeCounts } from "./apply-context";
import { createAscendingIds } from "./ascending-ids";
import { type BookFile, readBookText, walkPages } from "./book";
import { computeBlobOid, hashText } from "./hashes";
import { getBaseName, isMarkdown } from "./paths";
import { decodeUtf8 } from "./repository-files";
import { deriveTitle, truncateTitle } from "./titles";

/** The largest text that is read for its anchors. */
const MAX_INDEXED_BYTES = 1024 * 1024;

export async function applyFiles(context: ApplyContext): Promise<ChangeCounts> {
  const { draft, book, tools, before, removedIds } = context;
  const counts = { created: 0, updated: 0, deleted: 0 };
  const storedByOid = new Map<string, FileEntry>();
  for (const file of before.files) {
    const oid = before.findOid(file.id, file.object);
    if (oid !== undefined) storedByOid.set(oid, file);
  }

  // Match the files of the book with those of the revision: by path, then by their bytes.
  const existingByPath = new Map(before.files.map((file) => [file.path, file]));
  const matches = new Map<string, WithId<FileEntry>>();
  for (const path of book.files.keys()) {
    const existing = existingByPath.get(path);
    if (existing) matches.set(path, existing);
  }
  const matchedIds = new Set([...matches.values()].map(({ id }) => id));
  const unmatchedByOid = new Map<string, WithId<FileEntry>>();
  for (const file of before.files) {
    const oid = matchedIds.has(file.id) ? undefined : before.findOid(file.id, file.object);
    if (oid !== undefined) unmatchedByOid.set(oid, file);
  }
  for (const [path, { oid }] of book.files) {
    if (matches.has(path) || oid === undefined) continue;
    const existing = unmatchedByOid.get(oid);
    if (!existing) continue;
    matches.set(path, existing);
    unmatchedByOid.delete(oid);
  }

  const createId = await createAscendingIds(tools, "file", book.files.size - matches.size);
  for (const [path, file] of book.files) {
    const existing = matches.get(path);
    const identified = await createFileEntry(context, path, file, existing, storedByOid);
    if (!identified) {
      context.skipped.push({ resource: path, reason: "Its content is missing." });
      if (existing) matches.delete(path);
      continue;
    }
    const id = existing?.id ?? createId();
    const { oid, entry } = identified;
    context.pathEntries.set(path, { file: id, oid, hash: entry.object });
    await draft.flushIfFull();
    await yieldToOthers(context.tools);
    if (existing && isDeepEqual({ ...entry, id }, existing)) continue;

    draft.put(keys.file(id), entry);
    counts[existing ? "updated" : "created"]++;
    if (entry.object === existing?.object) continue;
    // The headings of a text that pages include are anchors of these pages.
    const bytes = isMarkdown(path) ? (file.bytes ?? (await file.readBytes?.())) : undefined;
    const content = bytes && bytes.length <= MAX_INDEXED_BYTES ? decodeUtf8(bytes) : undefined;
    if (content && "text" in content) await indexFileAnchors(draft, id, content.text, tools.runSteps);
    else draft.delete(keys.anchors(id));
  }

  const keptIds = new Set([...matches.values()].map(({ id }) => id));
  for (const { id } of before.files) {
    if (keptIds.has(id)) continue;
    draft.delete(keys.file(id));
    draft.delete(keys.anchors(id));
    removedIds.add(id);
    counts.deleted++;
  }
  return counts;
}

/** Returns a file as it is to be stored, or undefined if its bytes are neither given nor known. */
async function createFileEntry(
  { draft, tools, before }: ApplyContext,
  path: string,
  file: BookFile,
  existing: WithId<FileEntry> | undefined,
  storedByOid: ReadonlyMap<string, FileEntry>,
): Promise<{ readonly oid: string; readonly entry: FileEntry } | undefined> {
  const { contentType, includedBy } = file;
  const unidentifiedBytes = file.oid === undefined ? (file.bytes ?? (await file.readBytes?.())) : undefined;
  const oid = file.oid ?? (unidentifiedBytes && computeBlobOid(unidentifiedBytes));
  if (oid === undefined) return undefined;
  // If the file that includes it was not read again, its reason is not known. So a nested file stays nested.
  const isNested = (includedBy ?? (existing?.isNested && "file")) === "file";
  const place = { path, git: { oid, path }, ...omitUndefined({ isNested: isNested ? (true as const) : undefined }) };
  const createdAt = existing?.createdAt ?? tools.now;

  const stored = existing && before.findOid(existing.id, existing.object) === oid ? existing : storedByOid.get(oid);
  if (stored) {
    const { id: _, ...entry } = { id: "", ...stored };
    const name = stored.path === path ? stored.name : sanitizeFileName(getBaseName(path));
    return { oid, entry: { ...entry, ...place, name, createdAt } };
  }

  const bytes = unidentifiedBytes ?? file.bytes ?? (await file.readBytes?.());
  if (!bytes) return undefined;
  const description = describeFile(bytes, { name: getBaseName(path), contentType });
  const object = draft.storeObject(bytes);
  return { oid, entry: { ...description, ...place, size: bytes.length, object, createdAt } };
}

export async function applyReusables(context: ApplyContext): Promise<ChangeCounts> {
  const { draft, book, before, tools, pathEntries } = context;
  const { unreadOids } = book;
  const counts = { created: 0, updated: 0, deleted: 0 };

  // An existing content is found at its path, or by its bytes if its path is gone.
  const existingByPath = new Map(before.reusables.map((existing) => [existing.path, existing]));
  const movedByOid = new Map<string, WithId<ReusableEntry>>();
  for (const existing of before.reusables) {
    const isAtPath = book.reusables.has(existing.path) || unreadOids?.has(existing.path);
    const oid = isAtPath ? undefined : before.findOid(existing.id, existing.body);
    if (oid !== undefined) movedByOid.set(oid, existing);
  }

  const keptIds = new Set<string>();
  for (const { id, path, body } of before.reusables) {
    const oid = unreadOids?.get(path);
    if (oid === undefined || before.findOid(id, body) !== oid) continue;
    keptIds.add(id);
    pathEntries.set(path, { reusable: id, oid, hash: body });
  }
  const pagePaths = new Set(Array.from(walkPages(book.chapters), ({ path }) => path));
  for (const path of unreadOids?.keys() ?? [])
    if (!pagePaths.has(path) && !pathEntries.has(path))
      throw new Error(`The text of ${path} was not read, and is not known.`);

  for (const [path, source] of book.reusables) {
    const text = await readBookText(source);
    const existing = existingByPath.get(path) ?? movedByOid.get(source.oid ?? "");
    if (existing && source.oid !== undefined) movedByOid.delete(source.oid);
    const id = existing?.id ?? tools.newId("reusableContent");
    const [oid, hash] = [source.oid ?? computeBlobOid(text), hashText(text)];
    keptIds.add(id);
    pathEntries.set(path, { reusable: id, oid, hash });

    const title = truncateTitle(parsePageSource(text).title ?? deriveTitle(path));
    const createdAt = existing?.createdAt ?? tools.now;
    const updatedAt = existing?.updatedAt ?? createdAt;
    const entry: ReusableEntry = { title, body: hash, path, createdAt, updatedAt, git: { oid, path } };
    if (existing && isDeepEqual({ ...entry, id }, existing)) continue;
    draft.put(keys.reusable(id), { ...entry, updatedAt: tools.now });
    if (existing?.body !== hash) context.pendingTexts.set(id, { source, kind: "reusable" });
    counts[existing ? "updated" : "created"]++;
  }

  for (const { id } of before.reusables) {
    if (keptIds.has(id)) continue;
    draft.delete(keys.reusable(id));
    await removeTextIndex(draft, id);
    context.removedIds.add(id);
    counts.deleted++;
  }
  return counts;
}
