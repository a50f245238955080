// Whether a directory has room for LevelDB to be opened again. It writes its log anew as a table then, and a new manifest,
// before it deletes anything. Only writing tells for sure: the numbers of a file system know nothing of quotas and other
// limits.

import type { FileHandle } from "node:fs/promises";

/** For what is not known beforehand: a new log, blocks that are not full. */
const MARGIN_BYTES = 1024 * 1024;
const PIECE_BYTES = 64 * 1024;
/** No name that LevelDB has for a file. */
const PROBE = "room";

/** Writes as much as is needed and takes it away again. Throws the error of the system where that cannot be done. */
export async function assertDiskSpace(directory: string): Promise<void> {
  const { open, readdir, rm, stat } = await import("node:fs/promises");
  let needed = MARGIN_BYTES;
  for (const name of await readdir(directory))
    if (name.endsWith(".log") || name.startsWith("MANIFEST-"))
      // LevelDB may just have deleted it.
      needed += (await stat(`${directory}/${name}`).catch(() => ({ size: 0 }))).size;
  const path = `${directory}/${PROBE}`;
  try {
    const probe = await open(path, "w", 0o600);
    try {
      await fill(probe, needed);
    } finally {
      await probe.close();
    }
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

async function fill(probe: FileHandle, bytes: number): Promise<void> {
  const piece = new Uint8Array(PIECE_BYTES);
  for (let at = 0; at < bytes; at += PIECE_BYTES) {
    // A file system that compresses would take equal bytes for nothing.
    crypto.getRandomValues(piece);
    await probe.writeFile(piece);
  }
  await probe.sync();
}
