// CRC-32 of texts and bytes, by the runtime where it has one: that takes 1.3 ns for a character, and the code below 6.

type Crc32 = (data: string | Uint8Array, before?: number) => number;

interface Runtime {
  getBuiltinModule?: (name: string) => { readonly crc32?: Crc32 } | undefined;
}

const { process: runtime } = globalThis as { process?: Runtime };

/** The CRC-32 of bytes, or of a text in UTF-8, behind what another one was made of. */
export const crc32: Crc32 = runtime?.getBuiltinModule?.("node:zlib")?.crc32 ?? computePortableCrc32;

const utf8 = new TextEncoder();

/** The same, in any runtime. */
export function computePortableCrc32(data: string | Uint8Array, before = 0): number {
  const bytes = typeof data === "string" ? utf8.encode(data) : data;
  let crc = ~before;
  for (let i = 0; i < bytes.length; i++) crc = steps()[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

let known: Uint32Array | undefined;

function steps(): Uint32Array {
  known ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    return crc;
  });
  return known;
}
