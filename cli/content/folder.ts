// Reads a folder of Markdown into an archive, and writes files into a folder. Names are not trusted: nothing is read through a
// link, and nothing is written outside of the folder.

import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, sep } from "node:path";
import { zipSync } from "fflate";
import { CommandError } from "../framework/command";
import type { OmittedItem } from "./omitted-items";
import { UNFINISHED_MARKER } from "./unfinished-marker";

/** Folders that belong to tools, not to the documentation. */
const IGNORED_FOLDERS = new Set(["node_modules", ".git", ".hg", ".svn"]);

/** Packs the files of a folder into an archive, and lists what was left out. */
export async function archiveFolder(folder: string): Promise<{ bytes: Uint8Array; leftOut: OmittedItem[] }> {
  const files: Record<string, Uint8Array> = {};
  const leftOut: OmittedItem[] = [];
  const visit = async (path: string, name: string): Promise<void> => {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      const entryPath = join(path, entry.name);
      const entryName = name === "" ? entry.name : `${name}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!IGNORED_FOLDERS.has(entry.name)) await visit(entryPath, entryName);
      } else if (entry.isFile()) files[entryName.normalize("NFC")] = await readFile(entryPath);
      else leftOut.push({ resource: entryName, reason: "It is a symbolic link or not a regular file." });
    }
  };
  await visit(folder, "");
  if (files[UNFINISHED_MARKER])
    throw new CommandError(`The export into ${folder} is incomplete. Run it again before you import the folder.`);
  // The archive never leaves this process, so nothing is compressed.
  return { bytes: zipSync(files, { level: 0 }), leftOut };
}

/** Prepares a folder for an export. Throws if it contains anything else, unless `overwrites` is set. */
export async function beginFolder(folder: string, overwrites: boolean): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = await readdir(folder);
  if (names.length > 0 && !names.includes(UNFINISHED_MARKER) && !overwrites)
    throw new CommandError(`${folder} is not empty. Choose another folder, or use --overwrite.`);
  await writeFile(join(folder, UNFINISHED_MARKER), "An export into this folder is incomplete.\n");
}

export async function finishFolder(folder: string): Promise<void> {
  await rm(join(folder, UNFINISHED_MARKER));
}

/** Writes files into a folder, and returns those whose names some systems do not allow. */
export async function writeFiles(
  folder: string,
  files: ReadonlyMap<string, Uint8Array>,
  onWritten: (files: number) => void,
): Promise<OmittedItem[]> {
  const put = await createFolderWriter(folder);
  const leftOut: OmittedItem[] = [];
  let written = 0;
  for (const [path, bytes] of files) {
    const reason = await put(path, bytes);
    if (reason !== undefined) leftOut.push({ resource: path, reason });
    onWritten(++written);
  }
  return leftOut;
}

/** Returns a function that writes a file into a folder, or returns the reason why it cannot. */
export async function createFolderWriter(
  folder: string,
): Promise<(path: string, bytes: Uint8Array) => Promise<string | undefined>> {
  const root = await realpath(folder);
  const taken = new Map<string, string>();
  return async (path, bytes) => {
    const reason = checkPath(path, taken);
    if (reason !== undefined) return reason;

    // Create the folders above the path, unless it cannot be written on this disk.
    const target = join(root, ...path.split("/"));
    const parent = dirname(target);
    if ((await lstat(parent).catch(() => undefined))?.isSymbolicLink())
      return "It would be written through a symbolic link.";
    try {
      await mkdir(parent, { recursive: true });
    } catch {
      return "A file exists where its folder should be.";
    }
    const real = await realpath(parent);
    if (real !== root && !real.startsWith(root + sep)) return "It would be written through a symbolic link.";
    const existing = await lstat(target).catch(() => undefined);
    if (existing && !existing.isFile()) return "Something else exists at its path.";

    await writeFile(target, bytes);
    return undefined;
  };
}

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;
const FORBIDDEN = /[\u0000-\u001f<>:"|?*\\]|[. ]$/;

/** Returns the reason why a path can never be written, and otherwise adds it to the taken names. */
export function checkPath(path: string, taken: Map<string, string>): string | undefined {
  const names = path.split("/");
  if (names.some((name) => name === "" || name === "." || name === ".."))
    return "Its path leads outside of the folder.";
  if (names.some((name) => FORBIDDEN.test(name) || RESERVED.test(name))) return "Its name is not valid on all systems.";
  if (names.some((name) => Buffer.byteLength(name) > 255)) return "Its name is too long.";
  const folded = path.normalize("NFC").toLowerCase();
  const other = taken.get(folded);
  if (other !== undefined) return `Some systems can't distinguish its name from ${other}.`;
  taken.set(folded, path);
  return undefined;
}
