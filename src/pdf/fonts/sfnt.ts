// Unpacks WOFF fonts before fontkit reads them. Otherwise fontkit would inflate the outlines again for every glyph.

import { unzlibSync } from "fflate";

const WOFF = 0x774f4646;
const WOFF2 = 0x774f4632;

/** Unpacks a WOFF font. Other fonts are returned unchanged. */
export function unpackWoff(bytes: Uint8Array): Uint8Array {
  const woff = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const signature = bytes.length < 44 ? 0 : woff.getUint32(0);
  if (signature === WOFF2) throw new Error("WOFF2 cannot be embedded: give the font as TTF, OTF or WOFF.");
  if (signature !== WOFF) return bytes;
  const count = woff.getUint16(12);
  const tables = Array.from({ length: count }, (_, at) => {
    const entry = 44 + 20 * at;
    const [offset, stored, length] = [4, 8, 12].map((field) => woff.getUint32(entry + field)) as [
      number,
      number,
      number,
    ];
    const raw = bytes.subarray(offset, offset + stored);
    const data = stored < length ? unzlibSync(raw, { out: new Uint8Array(length) }) : raw;
    // A table takes up whole words.
    const paddedLength = (data.length + 3) & ~3;
    return { tag: woff.getUint32(entry), checksum: woff.getUint32(entry + 16), data, paddedLength };
  });
  const size = tables.reduce((sum, { paddedLength }) => sum + paddedLength, 12 + 16 * count);
  const plain = new Uint8Array(size);
  const view = new DataView(plain.buffer);
  const power = Math.floor(Math.log2(Math.max(count, 1)));
  view.setUint32(0, woff.getUint32(4));
  view.setUint16(4, count);
  view.setUint16(6, 2 ** power * 16);
  view.setUint16(8, power);
  view.setUint16(10, count * 16 - 2 ** power * 16);
  let offset = 12 + 16 * count;
  for (const [at, { tag, checksum, data, paddedLength }] of tables.entries()) {
    const entry = 12 + 16 * at;
    view.setUint32(entry, tag);
    view.setUint32(entry + 4, checksum);
    view.setUint32(entry + 8, offset);
    view.setUint32(entry + 12, data.length);
    plain.set(data, offset);
    offset += paddedLength;
  }
  return plain;
}
