// The files and reusable contents of a book in a revision. A file keeps its id as long as it keeps its path or its bytes.

import { sha256Hex } from "../../utils/sha256";
import { describeFile, safeFileName } from "../files";
import { parsePageSource } from "../page-source";
import { isDeepEqual } from "../page-source/yaml";
import { type FileEntry, keys, type ReusableEntry } from "../revision/entries";
import { indexFileAnchors, removeTextIndex } from "../revision/texts";
import type { WithId } from "../revision/view";
import { type BookFile, bytesOf, textOf } from "./book";
import { type Counts, type Laying, turn } from "./laying";
import { blobOid } from "./oid";
import { isMarkdown, lastNameOf } from "./paths";
import { pagesIn } from "./read";
import { risingIds } from "./rising-ids";
import { utf8Text } from "./tree";

/** The longest title. */
const MAX_TITLE = 255;

/** Makes the files of a revision those of the book. */
export async function layFiles(laying: Laying): Promise<Counts> {
  const { draft, book, before } = laying;
  const counts = { created: 0, updated: 0, deleted: 0 };
  const stored = new Map<string, FileEntry>();
  for (const file of before.files) {
    const oid = before.oidOf(file.id, file.object);
    if (oid !== undefined) stored.set(oid, file);
  }
  const matched = matchFiles(laying);
  const newId = await risingIds(laying.tools, "file", book.files.size - matched.size);
  for (const [path, given] of book.files) {
    const old = matched.get(path);
    const file = await fileFrom(laying, path, given, old, stored);
    if (!file) {
      laying.skipped.push({ resource: path, reason: "Its bytes are not there." });
      if (old) matched.delete(path);
      continue;
    }
    const id = old?.id ?? newId();
    const { oid, ...entry } = file;
    laying.standing.set(path, { file: id, oid, hash: entry.object });
    await draft.flushIfFull();
    await turn(laying);
    if (old && isDeepEqual({ ...entry, id }, old)) continue;
    draft.put(keys.file(id), entry);
    if (entry.object !== old?.object) await layAnchors(laying, id, path, given);
    counts[old ? "updated" : "created"]++;
  }
  const kept = new Set([...matched.values()].map(({ id }) => id));
  for (const { id } of before.files) {
    if (kept.has(id)) continue;
    draft.delete(keys.file(id));
    draft.delete(keys.anchors(id));
    laying.gone.add(id);
    counts.deleted++;
  }
  return counts;
}

/** The largest text that is read for its anchors. */
const MAX_READ = 1024 * 1024;

/** The headings of a text that pages include are anchors of theirs. */
async function layAnchors({ draft, tools }: Laying, id: string, path: string, given: BookFile): Promise<void> {
  const bytes = isMarkdown(path) ? await bytesOf(given) : undefined;
  const found = bytes && bytes.length <= MAX_READ ? utf8Text(bytes) : undefined;
  if (found && "text" in found) await indexFileAnchors(draft, id, found.text, tools.runSteps);
  else draft.delete(keys.anchors(id));
}

/** Which files of the revision those of the book are: by path, then by their bytes. */
function matchFiles({ book, before }: Laying): Map<string, WithId<FileEntry>> {
  const byPath = new Map(before.files.map((file) => [file.path, file]));
  const matched = new Map<string, WithId<FileEntry>>();
  for (const path of book.files.keys()) {
    const file = byPath.get(path);
    if (file) matched.set(path, file);
  }
  const taken = new Set([...matched.values()].map(({ id }) => id));
  const byOid = new Map<string, WithId<FileEntry>>();
  for (const file of before.files) {
    const oid = taken.has(file.id) ? undefined : before.oidOf(file.id, file.object);
    if (oid !== undefined) byOid.set(oid, file);
  }
  for (const [path, { oid }] of book.files) {
    const file = matched.has(path) || oid === undefined ? undefined : byOid.get(oid);
    if (!file) continue;
    matched.set(path, file);
    byOid.delete(oid!);
  }
  return matched;
}

/** A file as it is to be; undefined when its bytes are neither given nor known. */
async function fileFrom(
  { draft, tools, before }: Laying,
  path: string,
  given: BookFile,
  old: WithId<FileEntry> | undefined,
  stored: ReadonlyMap<string, FileEntry>,
): Promise<(FileEntry & { readonly oid: string }) | undefined> {
  const { oid: stated, contentType, includedBy } = given;
  const unnamed = stated === undefined ? await bytesOf(given) : undefined;
  const oid = stated ?? (unnamed && blobOid(unnamed));
  if (oid === undefined) return undefined;
  const place = { path, git: { oid, path }, ...nested(includedBy ?? (old?.isNested && "file")) };
  const known = old && before.oidOf(old.id, old.object) === oid ? old : stored.get(oid);
  if (known) {
    const { id: _, ...entry } = { id: "", ...known };
    const name = known.path === path ? known.name : safeFileName(lastNameOf(path));
    return { ...entry, ...place, name, createdAt: old?.createdAt ?? tools.now, oid };
  }
  const bytes = unnamed ?? (await bytesOf(given));
  if (!bytes) return undefined;
  const described = describeFile(bytes, { name: lastNameOf(path), contentType });
  const object = draft.storeObject(bytes);
  return { ...described, ...place, size: bytes.length, object, createdAt: old?.createdAt ?? tools.now, oid };
}

function nested(includedBy: BookFile["includedBy"]): Pick<FileEntry, "isNested"> {
  return includedBy === "file" ? { isNested: true } : {};
}

/** Makes the reusable contents of a revision those of the book. */
export async function layReusables(laying: Laying): Promise<Counts> {
  const { draft, book, before, tools } = laying;
  const counts = { created: 0, updated: 0, deleted: 0 };
  const oldAt = matchReusables(laying);
  const kept = new Set<string>();
  for (const old of before.reusables) {
    const oid = book.unread?.get(old.path);
    if (oid === undefined || before.oidOf(old.id, old.body) !== oid) continue;
    kept.add(old.id);
    laying.standing.set(old.path, { reusable: old.id, oid, hash: old.body });
  }
  const pages = new Set([...pagesIn(book.chapters)].map(({ path }) => path));
  for (const path of book.unread?.keys() ?? [])
    if (!pages.has(path) && !laying.standing.has(path))
      throw new Error(`The text of ${path} was not read, and is not known.`);
  for (const [path, given] of book.reusable) {
    const { oid: stated } = given;
    const text = await textOf(given);
    const old = oldAt(path, stated);
    const id = old?.id ?? tools.newId("reusableContent");
    const [oid, hash] = [stated ?? blobOid(text), hashOfText(text)];
    kept.add(id);
    laying.standing.set(path, { reusable: id, oid, hash });
    const git = { oid, path };
    const title = (parsePageSource(text).title ?? titleOf(path)).slice(0, MAX_TITLE);
    const createdAt = old?.createdAt ?? tools.now;
    const entry: ReusableEntry = { title, body: hash, path, createdAt, updatedAt: old?.updatedAt ?? createdAt, git };
    if (old && isDeepEqual({ ...entry, id }, old)) continue;
    draft.put(keys.reusable(id), { ...entry, updatedAt: tools.now });
    if (old?.body !== hash) laying.waiting.set(id, { given, of: "reusable" });
    counts[old ? "updated" : "created"]++;
  }
  for (const { id } of before.reusables) {
    if (kept.has(id)) continue;
    draft.delete(keys.reusable(id));
    await removeTextIndex(draft, id);
    laying.gone.add(id);
    counts.deleted++;
  }
  return counts;
}

/** Finds the existing reusable content for one of the book: at its path, or with its bytes at a path that is gone. */
function matchReusables({ book, before }: Laying) {
  const byPath = new Map(before.reusables.map((it) => [it.path, it]));
  const byOid = new Map<string, WithId<ReusableEntry>>();
  for (const it of before.reusables) {
    const oid = book.reusable.has(it.path) || book.unread?.has(it.path) ? undefined : before.oidOf(it.id, it.body);
    if (oid !== undefined) byOid.set(oid, it);
  }
  return (path: string, oid: string | undefined) => {
    const found = byPath.get(path) ?? byOid.get(oid ?? "");
    if (found && oid !== undefined) byOid.delete(oid);
    return found;
  };
}

/** The hash that a text is stored under. */
export function hashOfText(text: string): string {
  return sha256Hex(text.replaceAll(/\p{Surrogate}/gu, "\uFFFD"));
}

/** A title for a text that states none: that of its file, or of the folder that the file stands for. */
export function titleOf(path: string): string {
  const names = path.replace(/\.[^./]*$/, "").split("/");
  const last = names.at(-1)!;
  const name = /^(?:readme|index)$/i.test(last) ? (names.at(-2) ?? last) : last;
  const words = name.replace(/[-_\s]+/g, " ").trim();
  return words === "" ? name : words[0]!.toUpperCase() + words.slice(1);
}
