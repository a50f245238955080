// A folder of Markdown on the disk: read into an archive, and written from files. Names in it are not trusted: nothing is read
// through a link, and nothing is written outside of the folder.

import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { zipSync } from "fflate";
import { CommandFailed } from "../framework/errors";
import type { LeftOut } from "./copy-content";
import { UNFINISHED } from "./unfinished";

/** Folders that belong to tools, not to the documentation. */
const PASSED_OVER = new Set(["node_modules", ".git", ".hg", ".svn"]);

/** The files of a folder as an archive, and what could not be taken. */
export async function archiveOf(folder: string): Promise<{ bytes: Uint8Array; leftOut: LeftOut[] }> {
  const files: Record<string, Uint8Array> = {};
  const leftOut: LeftOut[] = [];
  const visit = async (path: string, name: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const [inside, called] = [join(path, entry.name), name === "" ? entry.name : `${name}/${entry.name}`];
      if (entry.isDirectory()) {
        if (!PASSED_OVER.has(entry.name)) await visit(inside, called);
      } else if (entry.isFile()) files[called.normalize("NFC")] = await readFile(inside);
      else leftOut.push({ resource: called, reason: "It is a link or no plain file, and is not followed." });
    }
  };
  await visit(folder, "");
  if (files[UNFINISHED])
    throw new CommandFailed(`An export into ${folder} was not finished: run it again before you import the folder.`);
  // The archive never leaves this process, so nothing is compressed.
  return { bytes: zipSync(files, { level: 0 }), leftOut };
}

/** Makes a folder ready to be written. One that holds something else is refused. */
export async function beginFolder(folder: string, overwrites: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(UNFINISHED) && !overwrites)
    throw new CommandFailed(`${folder} is not empty: choose another folder, or say --overwrite.`);
  await writeFile(join(folder, UNFINISHED), "An export into this folder has begun and has not ended.\n");
}

export async function endFolder(folder: string): Promise<void> {
  await rm(join(folder, UNFINISHED));
}

/** Writes files into a folder. What has no name that every system can have is left out. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  onWritten: (files: number) => void,
): Promise<LeftOut[]> {
  const put = await folderWriter(folder);
  const leftOut: LeftOut[] = [];
  let written = 0;
  for (const [path, bytes] of files) {
    const reason = await put(path, bytes);
    if (reason !== undefined) leftOut.push({ resource: path, reason });
    onWritten(++written);
  }
  return leftOut;
}

/** Writes one file after the other into a folder. Gives the reason where one cannot be written. */
export async function folderWriter(
  folder: string,
): Promise<(path: string, bytes: Uint8Array) => Promise<string | undefined>> {
  const root = await realpath(folder);
  const taken = new Map<string, string>();
  return async (path, bytes) => {
    const reason = whyNot(path, taken) ?? (await whyNotThere(root, path));
    if (reason === undefined) await writeFile(join(root, ...path.split("/")), bytes);
    return reason;
  };
}

/** Names that Windows keeps for devices, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const FORBIDDEN = /[\u0000-\u001f<>:"|?*\\]|[. ]$/;

/** Why a path cannot be written, whatever is on the disk. */
export function whyNot(path: string, taken: Map<string, string>): string | undefined {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === "..")) return "Its path leads out of the folder.";
  if (names.some((name) => FORBIDDEN.test(name) || RESERVED.test(name))) return "Some systems cannot have this name.";
  if (names.some((name) => Buffer.byteLength(name) > 255)) return "Its name is too long.";
  const folded = path.normalize("NFC").toLowerCase();
  const other = taken.get(folded);
  if (other !== undefined) return `Some systems cannot tell its name from ${other}.`;
  taken.set(folded, path);
  return undefined;
}

/** Why nothing can be written at a path of this disk. Makes the folders above it. */
async function whyNotThere(root: string, path: string): Promise<string | undefined> {
  const target = join(root, ...path.split("/"));
  const above = dirname(target);
  if ((await lstat(above).catch(() => undefined))?.isSymbolicLink()) return "It would be written through a link.";
  try {
    await mkdir(above, { recursive: true });
  } catch {
    return "Something else stands where its folder should be.";
  }
  const real = await realpath(above);
  if (real !== root && !real.startsWith(root + sep)) return "It would be written through a link.";
  const there = await lstat(target).catch(() => undefined);
  if (there && !there.isFile()) return "Something else stands in its place.";
  return undefined;
}
