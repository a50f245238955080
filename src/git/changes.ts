// Makes new trees from known trees and a list of changed paths. Only the directories on the way to a change are opened.
// All other entries stay byte for byte the same.

import { Breaks } from "./effort";
import { objectId } from "./objects";
import type { GitChange } from "./port";
import { GitRefused } from "./refused";
import { isFolder, isName, kindOf, nameOf, parseTree, type TreeEntry, writeTree } from "./trees";

const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 64;
const FOLDER = "40000";

interface Folder {
  readonly entries: Map<string, Entry>;
}
type Entry = TreeEntry | { readonly mode: string; readonly name: string; readonly folder: Folder };

/** An object that did not exist before. */
export type Fresh = FreshBlob | { readonly type: "tree"; readonly oid: string; readonly bytes: Uint8Array };

/** A new file. Its bytes may be read when they are needed. */
interface FreshBlob {
  readonly type: "blob";
  readonly oid: string;
  readonly bytes: NonNullable<GitChange["bytes"]>;
}

export interface Changed {
  readonly root: string;
  /** The objects that the server may not have yet. */
  readonly fresh: readonly Fresh[];
}

/** The tree with the changes in it. Removals come first, and a directory that is left empty goes. */
export async function changedTree(
  root: string | undefined,
  trees: ReadonlyMap<string, Uint8Array>,
  changes: readonly GitChange[],
): Promise<Changed> {
  const top: Folder = root === undefined ? { entries: new Map() } : opened(root, trees);
  const fresh = new Map<string, Fresh>();
  const breaks = new Breaks();
  const steps: (GitChange & { readonly names: readonly string[] })[] = [];
  for (const change of changes) {
    steps.push({ ...change, names: namesOf(change.path) });
    await breaks.take();
  }
  for (const { bytes, names } of steps) {
    if (bytes === null) remove(top, names, trees);
    await breaks.take();
  }
  for (const { path, bytes, oid, names } of steps) {
    if (bytes !== null) put(top, names, { path, blob: await blobOf(bytes, oid), trees, fresh });
    await breaks.take();
  }
  return { root: await sealed(top, { trees, fresh, breaks }), fresh: [...fresh.values()] };
}

async function blobOf(bytes: FreshBlob["bytes"], known: string | undefined): Promise<FreshBlob> {
  const oid = known ?? objectId("blob", typeof bytes === "function" ? await bytes() : bytes);
  return { type: "blob", oid, bytes };
}

function namesOf(path: string): string[] {
  const names = path.split("/").map(nameOf);
  const isFine = (name: string) => isName(name) && name.length <= MAX_NAME_BYTES && !/[\x00-\x1f\x7f\\]/.test(name);
  if (names.length <= MAX_DEPTH && names.every(isFine) && !/\p{Cs}/u.test(path)) return names;
  throw new GitRefused("rejected", "A path cannot be stored in a Git repository.");
}

function opened(oid: string, trees: ReadonlyMap<string, Uint8Array>): Folder {
  const bytes = trees.get(oid);
  if (!bytes)
    throw new GitRefused("damaged", "The saved state of the repository is incomplete: read the repository again.");
  return { entries: new Map(parseTree(bytes).map((entry) => [entry.name, entry])) };
}

/** The directory of that name, opened for changes; undefined when there is none. */
function folderIn(parent: Folder, name: string, trees: ReadonlyMap<string, Uint8Array>): Folder | undefined {
  const entry = parent.entries.get(name);
  if (!entry || !isFolder(entry.mode)) return undefined;
  if ("folder" in entry) return entry.folder;
  const folder = opened(entry.oid, trees);
  parent.entries.set(name, { mode: entry.mode, name, folder });
  return folder;
}

function remove(top: Folder, names: readonly string[], trees: ReadonlyMap<string, Uint8Array>): void {
  const way = [top];
  for (const name of names.slice(0, -1)) {
    const next = folderIn(way.at(-1)!, name, trees);
    if (!next) return;
    way.push(next);
  }
  const last = names.at(-1)!;
  const entry = way.at(-1)!.entries.get(last);
  if (!entry || isFolder(entry.mode)) return;
  way.at(-1)!.entries.delete(last);
  for (let depth = way.length - 1; depth > 0 && way[depth]!.entries.size === 0; depth--)
    way[depth - 1]!.entries.delete(names[depth - 1]!);
}

interface Put {
  readonly path: string;
  readonly blob: FreshBlob;
  readonly trees: ReadonlyMap<string, Uint8Array>;
  readonly fresh: Map<string, Fresh>;
}

function put(top: Folder, names: readonly string[], { path, blob, trees, fresh }: Put): void {
  const inTheWay = () => new GitRefused("rejected", `A file and a directory want the same place: ${path}.`);
  let folder = top;
  for (const name of names.slice(0, -1)) {
    // A link or a submodule blocks the path as a file does. Nothing is written through it.
    if (folder.entries.has(name) && !isFolder(folder.entries.get(name)!.mode)) throw inTheWay();
    const next = folderIn(folder, name, trees) ?? { entries: new Map() };
    if (!folder.entries.has(name)) folder.entries.set(name, { mode: FOLDER, name, folder: next });
    folder = next;
  }
  const name = names.at(-1)!;
  const before = folder.entries.get(name);
  if (before && isFolder(before.mode)) throw inTheWay();
  const isFile = before !== undefined && kindOf(before.mode)!.startsWith("100");
  const { oid } = blob;
  if (isFile && "oid" in before && before.oid === oid) return;
  fresh.set(oid, blob);
  folder.entries.set(name, { mode: isFile ? before.mode : "100644", name, oid });
}

interface Sealing {
  readonly trees: ReadonlyMap<string, Uint8Array>;
  readonly fresh: Map<string, Fresh>;
  readonly breaks: Breaks;
}

/** Computes the names of all trees again, from the leaves to the root. */
async function sealed(folder: Folder, sealing: Sealing): Promise<string> {
  const { trees, fresh, breaks } = sealing;
  const entries: TreeEntry[] = [];
  for (const entry of folder.entries.values())
    if ("oid" in entry) entries.push(entry);
    else entries.push({ mode: entry.mode, name: entry.name, oid: await sealed(entry.folder, sealing) });
  const bytes = writeTree(entries);
  const oid = objectId("tree", bytes);
  if (!trees.has(oid)) fresh.set(oid, { type: "tree", oid, bytes });
  await breaks.take();
  return oid;
}
