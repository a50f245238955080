// Whether LevelDB's log has all that was acknowledged. When LevelDB is opened, it leaves out what is damaged in its log, up
// to 32 KiB for one wrong bit, and says nothing. A write that a crash has torn looks alike, and is no damage: it was never
// acknowledged. But writes go to the log one after the other, each synced. So when another one begins behind a damaged place,
// the damaged one was acknowledged.

import { Corrupt } from "../adapter";

/** The log is a row of blocks. A record does not go over the end of one: a longer write has a first, middle and last one. */
const BLOCK = 32 * 1024;
/** The check (four bytes), the length (two) and the kind (one). */
const HEAD = 7;
/** The kinds of records with which a write begins: those that hold all of it, and the first ones of many. */
const BEGINNINGS: ReadonlySet<number> = new Set([1, 2]);
const BLOCKS_A_TURN = 32;

/** Throws `Corrupt` when the logs of a directory have lost what was acknowledged. */
export async function checkLogs(directory: string): Promise<void> {
  const { open, readdir } = await import("node:fs/promises");
  for (const name of await readdir(directory).catch(() => [])) {
    if (!/^\d+\.log$/.test(name)) continue;
    const file = await open(`${directory}/${name}`, "r");
    try {
      let isDamaged = false;
      const bytes = new Uint8Array(BLOCKS_A_TURN * BLOCK);
      for (;;) {
        const { bytesRead } = await file.read(bytes, 0, bytes.length);
        for (let at = 0; at < bytesRead; at += BLOCK) {
          const block = bytes.subarray(at, Math.min(at + BLOCK, bytesRead));
          const found = inspectBlock(block, isDamaged);
          if (found === "lost")
            throw new Corrupt(
              `The log ${directory}/${name} is damaged, and acknowledged writes with it: restore a backup.`,
            );
          isDamaged = found === "damaged";
        }
        if (bytesRead < bytes.length) break;
      }
    } finally {
      await file.close();
    }
  }
}

/** What a block says: that it is sound, that something is damaged by now, or that a write begins behind that. */
function inspectBlock(block: Uint8Array, wasDamaged: boolean): "sound" | "damaged" | "lost" {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  let isDamaged = wasDamaged;
  for (let at = 0; at + HEAD <= block.length; ) {
    const end = at + HEAD + view.getUint16(at + 4, true);
    const kind = block[at + 6]!;
    const isSound =
      end <= block.length && view.getUint32(at, true) === masked(computeCrc32c(block.subarray(at + 6, end)));
    if (!isSound) isDamaged = true;
    else if (isDamaged && BEGINNINGS.has(kind)) return "lost";
    at = end;
  }
  return isDamaged ? "damaged" : "sound";
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** The CRC-32C of bytes: another polynomial than that of archives. */
function computeCrc32c(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (let at = 0; at < bytes.length; at++) value = table[(value ^ bytes[at]!) & 255]! ^ (value >>> 8);
  return ~value >>> 0;
}

/** LevelDB turns the checks that it stores. */
function masked(check: number): number {
  return (((check >>> 15) | (check << 17)) + 0xa282ead8) >>> 0;
}
