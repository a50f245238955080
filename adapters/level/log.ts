// Checks that LevelDB's log contains all acknowledged writes. When LevelDB is opened, it silently skips damaged parts of its log, up to
// 32 KiB for one wrong bit. A write that was torn by a crash looks the same, but it was never acknowledged, so nothing is lost. Writes
// are appended to the log one after the other, and each is synced. So if another write starts after a damaged part, the damaged write
// was acknowledged.

import { Corrupt } from "../adapter";

/** The log consists of blocks. A record does not cross the end of a block: a longer write has a first, middle and last record. */
const BLOCK = 32 * 1024;
/** The size of a record's header: the check (four bytes), the length (two) and the kind (one). */
const HEAD = 7;
/** The kinds of records that start a write: those that contain all of it, and the first ones of several. */
const BEGINNINGS: ReadonlySet<number> = new Set([1, 2]);
const BLOCKS_PER_READ = 32;

/** The table of CRC-32C, whose polynomial differs from that of CRC-32. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** Throws `Corrupt` if the logs of a directory have lost acknowledged writes. */
export async function checkLogs(directory: string): Promise<void> {
  const { open, readdir } = await import("node:fs/promises");
  for (const name of await readdir(directory).catch(() => [])) {
    if (!/^\d+\.log$/.test(name)) continue;
    const file = await open(`${directory}/${name}`, "r");
    try {
      let isDamaged = false;
      const bytes = new Uint8Array(BLOCKS_PER_READ * BLOCK);
      for (;;) {
        const { bytesRead } = await file.read(bytes, 0, bytes.length);
        for (let start = 0; start < bytesRead; start += BLOCK) {
          const block = bytes.subarray(start, Math.min(start + BLOCK, bytesRead));
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

/** Inspects a block. It is "damaged" if it or the previous one has a damaged record, and "lost" if a write starts after that. */
function inspectBlock(block: Uint8Array, wasDamaged: boolean): "sound" | "damaged" | "lost" {
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  let isDamaged = wasDamaged;
  for (let offset = 0; offset + HEAD <= block.length; ) {
    const end = offset + HEAD + view.getUint16(offset + 4, true);
    const kind = block[offset + 6]!;
    let remainder = 0xffffffff;
    for (let i = offset + 6; i < Math.min(end, block.length); i++)
      remainder = table[(remainder ^ block[i]!) & 255]! ^ (remainder >>> 8);
    const crc = ~remainder >>> 0;
    // LevelDB rotates the checks that it stores and adds a constant.
    const check = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
    const isSound = end <= block.length && view.getUint32(offset, true) === check;
    if (!isSound) isDamaged = true;
    else if (isDamaged && BEGINNINGS.has(kind)) return "lost";
    offset = end;
  }
  return isDamaged ? "damaged" : "sound";
}
