// Checks that a directory has enough disk space for LevelDB to be reopened, which rewrites its log as a table and creates a new
// manifest before it deletes anything. The only reliable check is to write: the numbers that a file system reports do not account for
// quotas and other limits.

/** A reserve for space that is not known beforehand: a new log, and blocks that are not full. */
const MARGIN_BYTES = 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
/** The name of the probe file. LevelDB uses no such name. */
const PROBE = "room";

/** Writes as many bytes as reopening needs and deletes them again. Throws the error of the system if that fails. */
export async function assertDiskSpace(directory: string): Promise<void> {
  const { open, readdir, rm, stat } = await import("node:fs/promises");
  let needed = MARGIN_BYTES;
  for (const name of await readdir(directory))
    if (name.endsWith(".log") || name.startsWith("MANIFEST-"))
      // LevelDB may have just deleted the file.
      needed += (await stat(`${directory}/${name}`).catch(() => ({ size: 0 }))).size;
  const path = `${directory}/${PROBE}`;
  try {
    const probe = await open(path, "w", 0o600);
    try {
      const chunk = new Uint8Array(CHUNK_BYTES);
      for (let written = 0; written < needed; written += CHUNK_BYTES) {
        // A file system that compresses would need no space for equal bytes.
        crypto.getRandomValues(chunk);
        await probe.writeFile(chunk);
      }
      await probe.sync();
    } finally {
      await probe.close();
    }
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}
