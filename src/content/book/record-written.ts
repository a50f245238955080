// Records in a revision the tree that was written from it: the paths of its parts, and their texts as they are there. An import
// of that tree then finds nothing new.

import { yieldToOthers } from "../../utils/concurrency/steps";
import { omitUndefined } from "../../utils/objects";
import type { Draft } from "../revision/draft";
import { keys, type PathEntry } from "../revision/entries";
import { type BookTools, type PendingTexts, readStatedFields, writePendingTexts } from "./apply-context";
import { hashText } from "./hashes";
import type { WrittenItem } from "./previous-tree";
import type { WrittenBook } from "./write-book";

/** Records in a draft where its parts are in a tree that was written from it. Parts that changed since are left alone. */
export async function recordWrittenBook(
  draft: Draft,
  { items }: Pick<WrittenBook, "items">,
  tools: BookTools,
): Promise<void> {
  const pendingTexts: PendingTexts = new Map();
  for (const item of items) {
    await draft.flushIfFull();
    await yieldToOthers(tools);
    const { kind, id, path, oid, readText } = item;
    const text = await readText?.();
    const hash = text === undefined ? item.hash : hashText(text);
    if (!(await recordItem(draft, item, text, tools.now))) continue;

    if (readText && kind !== "file") pendingTexts.set(id, { source: { text: "", readText }, kind });
    const entry: PathEntry = { [kind]: id, oid, hash };
    if (JSON.stringify(await draft.get(keys.filePath(path))) !== JSON.stringify(entry))
      draft.put(keys.filePath(path), entry);
  }
  await writePendingTexts({ draft, tools, pendingTexts });
}

/** Records where one part is. Returns false if it is gone or has changed. */
async function recordItem(
  draft: Draft,
  { kind, id, path, oid, hash }: WrittenItem,
  text: string | undefined,
  now: string,
): Promise<boolean> {
  const git = { oid, path };
  if (kind === "file") {
    const file = await draft.getFile(id);
    if (file?.object !== hash) return false;
    if (file.git?.oid === oid && file.git.path === path) return true;
    const { id: _, ...entry } = file;
    await releasePath(draft, id, file.path, path);
    draft.put(keys.file(id), { ...entry, path, git });
    return true;
  }

  const source = kind === "page" ? await draft.getPage(id) : await draft.getReusable(id);
  if (!source || (source.body ?? "") !== hash) return false;
  if (source.git?.oid === oid && source.git.path === path && text === undefined) return true;
  const { id: _, ...entry } = source;
  await releasePath(draft, id, "path" in source ? source.path : (source.git?.path ?? path), path);
  const stated = kind === "page" && text !== undefined ? readStatedFields(path, text, []).names : undefined;
  const changes = omitUndefined({
    path: kind === "page" ? undefined : path,
    stated,
    updatedAt: text === undefined ? undefined : now,
  });
  draft.put(kind === "page" ? keys.page(id) : keys.reusable(id), { ...entry, ...changes, git });
  return true;
}

/** Removes the former path of a part that is now at another one, unless something else is there. */
async function releasePath(draft: Draft, id: string, formerPath: string, path: string): Promise<void> {
  if (formerPath === path) return;
  const entry = (await draft.get(keys.filePath(formerPath))) as PathEntry | undefined;
  if ([entry?.page, entry?.file, entry?.reusable].includes(id)) draft.delete(keys.filePath(formerPath));
}
