// Lists the files of a commit's tree. Trees come from an untrusted server: their number and depth are limited, and
// links are not followed.

import { Breaks } from "./effort";
import { overLimit } from "./limits";
import type { GitFile, GitLeftOut, GitLimits } from "./port";
import { GitRefused } from "./refused";
import { isFolder, kindOf, nameText, parseTree, readableOf, type TreeEntry } from "./trees";

const MAX_NAME_BYTES = 255;
const MAX_PATH_LENGTH = 1024;
const MAX_SHOWN = 200;
/** Files that are listed before others may have their turn. */
const FILES_A_TURN = 100;

/** Returns the bytes of a tree. */
export type FindTree = (oid: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

export interface Walked {
  readonly files: GitFile[];
  readonly leftOut: GitLeftOut[];
  /** Every tree that was read, by its oid. */
  readonly trees: Map<string, Uint8Array>;
}

/** All files below a tree. */
export async function walk(root: string, find: FindTree, limits: Required<GitLimits>): Promise<Walked> {
  const files: GitFile[] = [];
  const leftOut: GitLeftOut[] = [];
  const trees = new Map<string, Uint8Array>();
  const parsed = new Map<string, TreeEntry[]>();
  const breaks = new Breaks();
  let folders = 0;

  async function entriesOf(oid: string): Promise<TreeEntry[]> {
    const before = parsed.get(oid);
    if (before) return before;
    const bytes = await find(oid);
    if (!bytes) throw new GitRefused("damaged", "The Git server did not send all of the repository.");
    trees.set(oid, bytes);
    const entries = parseTree(bytes);
    parsed.set(oid, entries);
    return entries;
  }

  async function visit(oid: string, folder: string, depth: number): Promise<void> {
    // A few small trees that contain each other many times can name more files than could be listed.
    if (++folders > limits.maxFiles) throw tooLarge(`more than ${limits.maxFiles} directories`, "maxFiles");
    if (depth > limits.maxDepth)
      throw tooLarge(`more than ${limits.maxDepth} directories inside one another`, "maxDepth");
    for (const entry of await entriesOf(oid)) {
      const text = nameText(entry.name);
      const path = `${folder}${text}`;
      const why = text === undefined ? "not_text" : whyNot(entry.name, path);
      if (why !== undefined) leftOut.push({ path: `${folder}${readableOf(entry.name)}`.slice(0, MAX_SHOWN), why });
      else if (isFolder(entry.mode)) await visit(entry.oid, `${path}/`, depth + 1);
      else files.push({ path, oid: entry.oid, mode: kindOf(entry.mode)! });
      const count = files.length + leftOut.length;
      if (count > limits.maxFiles) throw tooLarge(`more than ${limits.maxFiles} files`, "maxFiles");
      if (count % FILES_A_TURN === 0) await breaks.take();
    }
  }

  await visit(root, "", 0);
  return { files, leftOut, trees };
}

function whyNot(name: string, path: string): GitLeftOut["why"] | undefined {
  if (/[\x00-\x1f\x7f\\]/.test(name)) return "forbidden_character";
  return name.length > MAX_NAME_BYTES || path.length > MAX_PATH_LENGTH ? "too_long" : undefined;
}

function tooLarge(what: string, limit: keyof GitLimits): GitRefused {
  return overLimit(`The repository holds ${what}.`, limit);
}
