// Zip files written byte by byte, so that their headers can be wrong.

import { crc32 } from "../../src/utils/crc32";

/** What an entry says of itself; whatever is left out is the truth. */
export interface Entry {
  readonly name: string | Uint8Array;
  readonly data?: Uint8Array;
  readonly method?: number;
  readonly flags?: number;
  readonly size?: number;
  readonly compressed?: number;
  readonly crc?: number;
  /** A Unix mode. */
  readonly mode?: number;
  /** Where the directory says that it is. */
  readonly offset?: number;
  readonly extra?: Uint8Array;
}

const text = new TextEncoder();

class Writer {
  #bytes: number[] = [];
  get length(): number {
    return this.#bytes.length;
  }
  number(value: number, size: number): this {
    for (let i = 0; i < size; i++) this.#bytes.push(Math.floor(value / 2 ** (8 * i)) % 256);
    return this;
  }
  raw(bytes: Uint8Array): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }
  done(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }
}

/** Writes an archive; `end` overrides what its last record says. */
export function zipOf(
  entries: readonly Entry[],
  end: { count?: number; size?: number; start?: number; isZip64?: boolean; comment?: string } = {},
): Uint8Array {
  const out = new Writer();
  const offsets: number[] = [];
  const all = entries.map((entry) => {
    const data = entry.data ?? new Uint8Array();
    const name = typeof entry.name === "string" ? text.encode(entry.name) : entry.name;
    return { flags: 0, method: 0, size: data.length, compressed: data.length, crc: crc32(data), ...entry, data, name };
  });
  for (const { name, flags, method, crc, compressed, size, data } of all) {
    offsets.push(out.length);
    out.number(0x04034b50, 4).number(20, 2).number(flags, 2).number(method, 2).number(0, 4).number(crc, 4);
    out.number(compressed, 4).number(size, 4).number(name.length, 2).number(0, 2).raw(name).raw(data);
  }
  const start = out.length;
  for (const [i, { name, flags, method, crc, compressed, size, mode = 0, offset, extra }] of all.entries()) {
    out.number(0x02014b50, 4).number(0x0314, 2).number(20, 2).number(flags, 2).number(method, 2).number(0, 4);
    out
      .number(crc, 4)
      .number(compressed, 4)
      .number(size, 4)
      .number(name.length, 2)
      .number(extra?.length ?? 0, 2);
    out
      .number(0, 2)
      .number(0, 2)
      .number(0, 2)
      .number(mode * 65536, 4)
      .number(offset ?? offsets[i]!, 4);
    out.raw(name).raw(extra ?? new Uint8Array());
  }
  const size = end.size ?? out.length - start;
  const count = end.count ?? entries.length;
  if (end.isZip64) {
    const at = out.length;
    out.number(0x06064b50, 4).number(44, 8).number(45, 2).number(45, 2).number(0, 4).number(0, 4);
    out
      .number(count, 8)
      .number(count, 8)
      .number(size, 8)
      .number(end.start ?? start, 8);
    out.number(0x07064b50, 4).number(0, 4).number(at, 8).number(1, 4);
    out.number(0x06054b50, 4).number(0, 4).number(0xffff, 2).number(0xffff, 2).number(0xffffffff, 4);
    return out.number(0xffffffff, 4).number(0, 2).done();
  }
  const comment = text.encode(end.comment ?? "");
  out.number(0x06054b50, 4).number(0, 4).number(count, 2).number(count, 2).number(size, 4);
  return out
    .number(end.start ?? start, 4)
    .number(comment.length, 2)
    .raw(comment)
    .done();
}
