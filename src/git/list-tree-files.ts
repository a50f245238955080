// Lists the files of a commit's tree. Trees come from an untrusted server: their number and depth are limited, and
// links are not followed.

import { yieldToEventLoop } from "../utils/concurrency/event-loop";
import { createLimitError } from "./limits";
import { GitError, type GitFile, type GitLimits, type GitSkippedEntry } from "./port";
import { decodeName, formatName, getFileMode, isDirectoryMode, parseTree, type TreeEntry } from "./trees";

const MAX_NAME_BYTES = 255;
const MAX_PATH_LENGTH = 1024;
const MAX_DISPLAYED_PATH_LENGTH = 200;
export const INCOMPLETE = "The Git server didn't send the complete repository. Try again.";
/** Files that are listed between two yields to the event loop. */
const FILES_PER_YIELD = 100;

export type ReadTree = (oid: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

export interface TreeListing {
  readonly files: GitFile[];
  readonly skippedEntries: GitSkippedEntry[];
  /** Every tree that was read, by its oid. */
  readonly trees: Map<string, Uint8Array>;
}

export async function listTreeFiles(
  root: string,
  readTree: ReadTree,
  { maxFiles, maxDepth }: Required<GitLimits>,
): Promise<TreeListing> {
  const files: GitFile[] = [];
  const skippedEntries: GitSkippedEntry[] = [];
  const trees = new Map<string, Uint8Array>();
  const entriesByTree = new Map<string, TreeEntry[]>();
  let directories = 0;

  async function visitTree(oid: string, parentPath: string, depth: number): Promise<void> {
    // A few small trees that contain each other many times can name more files than could be listed.
    if (++directories > maxFiles)
      throw createLimitError(`The repository has more than ${maxFiles} directories.`, "maxFiles");
    if (depth > maxDepth)
      throw createLimitError(
        `The repository has directories that are nested more than ${maxDepth} levels deep.`,
        "maxDepth",
      );

    let entries = entriesByTree.get(oid);
    if (!entries) {
      const bytes = await readTree(oid);
      if (!bytes) throw new GitError("damaged", INCOMPLETE);
      trees.set(oid, bytes);
      entries = parseTree(bytes);
      entriesByTree.set(oid, entries);
    }

    for (const entry of entries) {
      const name = decodeName(entry.name);
      const path = `${parentPath}${name}`;
      let reason: GitSkippedEntry["reason"] | undefined;
      if (name === undefined) reason = "not_text";
      else if (/[\x00-\x1f\x7f\\]/.test(entry.name)) reason = "forbidden_character";
      else if (entry.name.length > MAX_NAME_BYTES || path.length > MAX_PATH_LENGTH) reason = "too_long";

      if (reason !== undefined) {
        const displayedPath = `${parentPath}${formatName(entry.name)}`.slice(0, MAX_DISPLAYED_PATH_LENGTH);
        skippedEntries.push({ path: displayedPath, reason });
      } else if (isDirectoryMode(entry.mode)) await visitTree(entry.oid, `${path}/`, depth + 1);
      else files.push({ path, oid: entry.oid, mode: getFileMode(entry.mode)! });

      const count = files.length + skippedEntries.length;
      if (count > maxFiles) throw createLimitError(`The repository has more than ${maxFiles} files.`, "maxFiles");
      if (count % FILES_PER_YIELD === 0) await yieldToEventLoop();
    }
  }

  await visitTree(root, "", 0);
  return { files, skippedEntries, trees };
}
