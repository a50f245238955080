// What a revision remembers of a tree that was written from it: where everything is, and the texts as they are there.
// An import of that tree then finds nothing new.

import type { Draft } from "../revision/draft";
import { keys, type PathEntry } from "../revision/entries";
import { hashOfText } from "./lay-files";
import { type BookTools, type Laying, statedBy, turn, writeWaiting } from "./laying";
import type { Written } from "./write";
import type { Stand } from "./written";

/** Notes in a draft where its parts stand in a tree that was written from it; what was changed since is left alone. */
export async function keepWritten(draft: Draft, { stands }: Pick<Written, "stands">, tools: BookTools): Promise<void> {
  const waiting: Laying["waiting"] = new Map();
  for (const stand of stands) {
    await draft.flushIfFull();
    await turn({ tools });
    const { kind, id, path, oid } = stand;
    const text = await stand.text?.();
    const hash = text === undefined ? stand.hash : hashOfText(text);
    if (!(await keepOne(draft, stand, text, tools))) continue;
    if (stand.text && kind !== "file") waiting.set(id, { given: { text: "", later: stand.text }, of: kind });
    const standing: PathEntry = { [kind]: id, oid, hash };
    if (JSON.stringify(await draft.get(keys.filePath(path))) !== JSON.stringify(standing))
      draft.put(keys.filePath(path), standing);
  }
  await writeWaiting({ draft, tools, waiting });
}

/** Records where one thing is; false when it is gone or has changed. */
async function keepOne(
  draft: Draft,
  { kind, id, path, oid, hash }: Stand,
  text: string | undefined,
  tools: BookTools,
): Promise<boolean> {
  const git = { oid, path };
  const { now: updatedAt } = tools;
  if (kind === "file") {
    const file = await draft.getFile(id);
    if (file?.object !== hash) return false;
    const { id: _, ...entry } = file;
    if (isAt(file.git, git)) return true;
    await leavePath(draft, file, path);
    draft.put(keys.file(id), { ...entry, path, git });
    return true;
  }
  const found = kind === "page" ? await draft.getPage(id) : await draft.getReusable(id);
  if (!found || (found.body ?? "") !== hash) return false;
  if (isAt(found.git, git) && text === undefined) return true;
  const { id: _, ...entry } = found;
  const place = kind === "page" ? {} : { path };
  await leavePath(draft, { id, path: "path" in found ? found.path : (found.git?.path ?? path) }, path);
  const stated = kind === "page" && text !== undefined ? { stated: statedBy(path, text, []).names } : {};
  const touched = text === undefined ? {} : { updatedAt };
  draft.put(kind === "page" ? keys.page(id) : keys.reusable(id), { ...entry, ...place, ...stated, ...touched, git });
  return true;
}

/** Removes the old path of a thing that is now at another one. */
async function leavePath(
  draft: Draft,
  thing: { readonly id: string; readonly path: string },
  path: string,
): Promise<void> {
  if (thing.path === path) return;
  const there = (await draft.get(keys.filePath(thing.path))) as PathEntry | undefined;
  if ([there?.page, there?.file, there?.reusable].includes(thing.id)) draft.delete(keys.filePath(thing.path));
}

function isAt(a: { readonly oid: string; readonly path: string } | undefined, b: typeof a): boolean {
  return a?.oid === b?.oid && a?.path === b?.path;
}
