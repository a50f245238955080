// Reads and writes directories as Git stores them, byte for byte. A name is represented by its bytes, one character each,
// so that unchanged entries are written back exactly as they were.

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { concatBytes } from "../utils/bytes";
import { GitError, type GitMode } from "./port";

const DAMAGED_TREE = "The repository contains an invalid directory. Check it with `git fsck`.";

export interface TreeEntry {
  /** The mode as it is written, which may be an old spelling. */
  readonly mode: string;
  /** The bytes of the name, one character each. */
  readonly name: string;
  readonly oid: string;
}

/** Parses the entries of a directory, in their order. Throws for directories that Git itself would never write. */
export function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let offset = 0; offset < bytes.length; ) {
    const space = bytes.indexOf(0x20, offset);
    const nul = bytes.indexOf(0, offset);
    if (space < 0 || nul < space || space - offset > 6 || nul + 21 > bytes.length)
      throw new GitError("damaged", DAMAGED_TREE);
    const mode = toByteString(bytes.subarray(offset, space));
    const name = toByteString(bytes.subarray(space + 1, nul));
    const isKnownMode = isDirectoryMode(mode) || getFileMode(mode) !== undefined;
    if (!isKnownMode || !isAllowedName(name) || names.has(name)) throw new GitError("damaged", DAMAGED_TREE);
    names.add(name);
    entries.push({ mode, name, oid: bytesToHex(bytes.subarray(nul + 1, nul + 21)) });
    offset = nul + 21;
  }
  return entries;
}

/** Writes a directory in Git's order: the name of a subdirectory counts as if it ended with a slash. */
export function writeTree(entries: readonly TreeEntry[]): Uint8Array {
  const getSortKey = ({ mode, name }: TreeEntry) => (isDirectoryMode(mode) ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (getSortKey(a) < getSortKey(b) ? -1 : 1));
  return concatBytes(sorted.flatMap(({ mode, name, oid }) => [fromByteString(`${mode} ${name}\0`), hexToBytes(oid)]));
}

export function isDirectoryMode(mode: string): boolean {
  return mode === "40000" || mode === "040000";
}

/** Returns the normalized mode of an entry, or undefined for a directory and for an unknown mode. */
export function getFileMode(mode: string): GitMode | undefined {
  if (mode === "120000" || mode === "160000") return mode;
  if (!/^100[0-7]{3}$/.test(mode)) return undefined;
  return Number.parseInt(mode, 8) & 0o100 ? "100755" : "100644";
}

/** Checks that Git allows a name for an entry. */
export function isAllowedName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && name.toLowerCase() !== ".git";
}

/** Returns the name of an entry for a text: its bytes in UTF-8, one character each. */
export function encodeName(text: string): string {
  return toByteString(new TextEncoder().encode(text));
}

const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of a name, or undefined if its bytes are not UTF-8. */
export function decodeName(name: string): string | undefined {
  try {
    return strictDecoder.decode(fromByteString(name));
  } catch {
    return undefined;
  }
}

/** Returns the text of a name for display. Invalid bytes are replaced. */
export function formatName(name: string): string {
  return new TextDecoder().decode(fromByteString(name));
}

function fromByteString(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  return bytes;
}

function toByteString(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
