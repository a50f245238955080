// Computes the CRC-32 of texts and bytes. The runtime's own function takes 1.3 ns per character, the code below 6 ns.

type Crc32 = (data: string | Uint8Array, before?: number) => number;

interface RuntimeProcess {
  getBuiltinModule?: (name: string) => { readonly crc32?: Crc32 } | undefined;
}

const { process: runtimeProcess } = globalThis as { process?: RuntimeProcess };

/** Returns the CRC-32 of bytes, or of a text in UTF-8. `before` is the CRC-32 of the data that comes before it. */
export const crc32: Crc32 = runtimeProcess?.getBuiltinModule?.("node:zlib")?.crc32 ?? computePortableCrc32;

const utf8 = new TextEncoder();

let table: Uint32Array | undefined;

/** Computes the same as `crc32` in any runtime. */
export function computePortableCrc32(data: string | Uint8Array, before = 0): number {
  // Most runtimes never need the table.
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });

  const bytes = typeof data === "string" ? utf8.encode(data) : data;
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
