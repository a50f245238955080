// Reads and writes directories as Git stores them, byte for byte. A name is kept as its bytes, one character each, so
// unchanged entries are written back exactly as they were.

import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { concatBytes } from "../utils/bytes";
import type { GitMode } from "./port";
import { GitRefused } from "./refused";

export interface TreeEntry {
  /** The mode as it is written, which may be an old spelling. */
  readonly mode: string;
  /** The bytes of the name, one character each. */
  readonly name: string;
  readonly oid: string;
}

/** The entries of a directory, in their order. Refuses directories that Git itself would never write. */
export function parseTree(bytes: Uint8Array): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const names = new Set<string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const nul = bytes.indexOf(0, at);
    if (space < 0 || nul < space || space - at > 6 || nul + 21 > bytes.length) throw damaged();
    const mode = characters(bytes.subarray(at, space));
    const name = characters(bytes.subarray(space + 1, nul));
    const oid = bytesToHex(bytes.subarray(nul + 1, nul + 21));
    if ((!isFolder(mode) && kindOf(mode) === undefined) || !isName(name) || names.has(name)) throw damaged();
    names.add(name);
    entries.push({ mode, name, oid });
    at = nul + 21;
  }
  return entries;
}

/** The bytes of a directory, in Git's order: the name of a directory counts as if it ended with a slash. */
export function writeTree(entries: readonly TreeEntry[]): Uint8Array {
  const key = ({ mode, name }: TreeEntry) => (isFolder(mode) ? `${name}/` : name);
  const sorted = [...entries].sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return concatBytes(sorted.flatMap(({ mode, name, oid }) => [codes(`${mode} ${name}\0`), hexToBytes(oid)]));
}

export function isFolder(mode: string): boolean {
  return mode === "40000" || mode === "040000";
}

/** The kind of an entry by its mode; undefined for a directory and for an unknown mode. */
export function kindOf(mode: string): GitMode | undefined {
  if (mode === "120000" || mode === "160000") return mode;
  if (!/^100[0-7]{3}$/.test(mode)) return undefined;
  return Number.parseInt(mode, 8) & 0o100 ? "100755" : "100644";
}

/** Whether Git allows this name for an entry. */
export function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("/") && name.toLowerCase() !== ".git";
}

/** The bytes of a text, one character each. */
export function nameOf(text: string): string {
  return characters(new TextEncoder().encode(text));
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of a name; undefined when its bytes are not UTF-8. */
export function nameText(name: string): string | undefined {
  try {
    return utf8.decode(codes(name));
  } catch {
    return undefined;
  }
}

/** The text of a name for display. Invalid bytes are replaced. */
export function readableOf(name: string): string {
  return new TextDecoder().decode(codes(name));
}

function codes(name: string): Uint8Array {
  const bytes = new Uint8Array(name.length);
  for (let at = 0; at < name.length; at++) bytes[at] = name.charCodeAt(at);
  return bytes;
}

function characters(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function damaged(): GitRefused {
  return new GitRefused("damaged", "The repository holds a directory that Git itself would refuse.");
}
