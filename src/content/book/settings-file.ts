// A file of settings, read as data, and what is in it. Nothing in it is trusted.

import type { Files } from "./tree";
import { isClosed } from "./yaml-values";

/** The longest settings that are read. */
const MAX_SETTINGS = 256 * 1024;

/** What a file of settings says. One that cannot be read is reported with `otherwise`, and says nothing. */
export async function readSettings(
  files: Files,
  path: string,
  read: (text: string) => unknown,
  otherwise: string,
): Promise<unknown> {
  const found = await files.text(path);
  try {
    if (!("text" in found) || found.text.length > MAX_SETTINGS) throw new Error(otherwise);
    return read(found.text.replace(/^\ufeff/, ""));
  } catch {
    files.skip(path, otherwise);
    return undefined;
  }
}

/** A member of a map; undefined when there is none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** All members of a map, by their names. */
export function membersOf(value: unknown): [string, unknown][] {
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return isMap ? Object.entries(value).filter(([name]) => !isClosed(name)) : [];
}
