// Makes new trees from known trees and a list of changed paths. Only the directories on the path to a change are opened.
// All other entries stay byte for byte the same.

import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { hashObject } from "./objects";
import { type GitChange, GitError } from "./port";
import { encodeName, getFileMode, isAllowedName, isDirectoryMode, parseTree, type TreeEntry, writeTree } from "./trees";

const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 64;
const DIRECTORY_MODE = "40000";

/** Known trees by their oids. */
type TreeMap = ReadonlyMap<string, Uint8Array>;

interface OpenDirectory {
  readonly entries: Map<string, TreeEntry | OpenEntry>;
}

interface OpenEntry {
  readonly mode: string;
  readonly name: string;
  readonly directory: OpenDirectory;
}

/** An object that did not exist before. */
export type NewObject = NewBlob | { readonly type: "tree"; readonly oid: string; readonly bytes: Uint8Array };

/** A new file. Its bytes may be read when they are needed. */
interface NewBlob {
  readonly type: "blob";
  readonly oid: string;
  readonly bytes: NonNullable<GitChange["bytes"]>;
}

/** Applies changes to a tree. Removals come first, and a directory that becomes empty is removed. */
export async function editTree(root: string | undefined, trees: TreeMap, changes: readonly GitChange[]) {
  const top: OpenDirectory = root === undefined ? { entries: new Map() } : openTree(root, trees);
  const newObjects = new Map<string, NewObject>();
  const pathNames: string[][] = [];
  for (const { path } of changes) {
    const names = path.split("/").map(encodeName);
    const isStorable = (name: string) =>
      isAllowedName(name) && name.length <= MAX_NAME_BYTES && !/[\x00-\x1f\x7f\\]/.test(name);
    if (names.length > MAX_DEPTH || !names.every(isStorable) || /\p{Cs}/u.test(path))
      throw new GitError("rejected", "A path cannot be stored in a Git repository.");
    pathNames.push(names);
    await yieldToEventLoop();
  }

  for (const [index, { bytes }] of changes.entries()) {
    if (bytes === null) removeFile(top, pathNames[index]!, trees);
    await yieldToEventLoop();
  }

  for (const [index, { path, bytes, oid: knownOid }] of changes.entries()) {
    if (bytes !== null) {
      const oid = knownOid ?? hashObject("blob", typeof bytes === "function" ? await bytes() : bytes);
      const isNew = putFile(top, pathNames[index]!, trees, { path, oid });
      if (isNew) newObjects.set(oid, { type: "blob", oid, bytes });
    }
    await yieldToEventLoop();
  }
  return { root: await closeDirectory(top, trees, newObjects), newObjects: [...newObjects.values()] };
}

function openTree(oid: string, trees: TreeMap): OpenDirectory {
  const bytes = trees.get(oid);
  if (!bytes)
    throw new GitError("damaged", "The saved state of the repository is incomplete. Read the repository again.");
  return { entries: new Map(parseTree(bytes).map((entry) => [entry.name, entry])) };
}

/** Opens a subdirectory for changes. Returns undefined if there is none of that name. */
function openSubdirectory(parent: OpenDirectory, name: string, trees: TreeMap): OpenDirectory | undefined {
  const entry = parent.entries.get(name);
  if (!entry || !isDirectoryMode(entry.mode)) return undefined;
  if ("directory" in entry) return entry.directory;
  const directory = openTree(entry.oid, trees);
  parent.entries.set(name, { mode: entry.mode, name, directory });
  return directory;
}

function removeFile(top: OpenDirectory, names: readonly string[], trees: TreeMap): void {
  const ancestors = [top];
  for (const name of names.slice(0, -1)) {
    const next = openSubdirectory(ancestors.at(-1)!, name, trees);
    if (!next) return;
    ancestors.push(next);
  }
  const fileName = names.at(-1)!;
  const { entries } = ancestors.at(-1)!;
  const entry = entries.get(fileName);
  if (!entry || isDirectoryMode(entry.mode)) return;
  entries.delete(fileName);
  for (let depth = ancestors.length - 1; depth > 0 && ancestors[depth]!.entries.size === 0; depth--)
    ancestors[depth - 1]!.entries.delete(names[depth - 1]!);
}

/** Puts a file into the tree. Returns false if the same file was there. */
function putFile(
  top: OpenDirectory,
  names: readonly string[],
  trees: TreeMap,
  { path, oid }: { readonly path: string; readonly oid: string },
): boolean {
  const createConflictError = () => new GitError("rejected", `A file and a directory have the same path: ${path}.`);
  let parent = top;
  for (const name of names.slice(0, -1)) {
    // A link or a submodule blocks the path as a file does. Nothing is written through it.
    const entry = parent.entries.get(name);
    if (entry && !isDirectoryMode(entry.mode)) throw createConflictError();
    const directory = openSubdirectory(parent, name, trees) ?? { entries: new Map() };
    if (!entry) parent.entries.set(name, { mode: DIRECTORY_MODE, name, directory });
    parent = directory;
  }

  const name = names.at(-1)!;
  const before = parent.entries.get(name);
  if (before && isDirectoryMode(before.mode)) throw createConflictError();
  const isRegularFile = before !== undefined && getFileMode(before.mode)!.startsWith("100");
  if (isRegularFile && "oid" in before && before.oid === oid) return false;
  parent.entries.set(name, { mode: isRegularFile ? before.mode : "100644", name, oid });
  return true;
}

/** Writes a directory and those inside it, from the leaves up, and returns its oid. */
async function closeDirectory(
  { entries }: OpenDirectory,
  trees: TreeMap,
  newObjects: Map<string, NewObject>,
): Promise<string> {
  const closed: TreeEntry[] = [];
  for (const entry of entries.values())
    if ("oid" in entry) closed.push(entry);
    else
      closed.push({
        mode: entry.mode,
        name: entry.name,
        oid: await closeDirectory(entry.directory, trees, newObjects),
      });
  const bytes = writeTree(closed);
  const oid = hashObject("tree", bytes);
  if (!trees.has(oid)) newObjects.set(oid, { type: "tree", oid, bytes });
  await yieldToEventLoop();
  return oid;
}
