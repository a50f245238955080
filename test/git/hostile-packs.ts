// Packs that Git would never write, and the packet lines in which a server sends them.

import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { hashObject } from "../../src/git/objects";
import type { ObjectType } from "../../src/git/pack-entries";

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, ofs: 6, ref: 7 };

export interface Thing {
  readonly type: ObjectType;
  readonly bytes: Buffer;
  readonly oid: string;
}

export function thing(type: ObjectType, content: string | Uint8Array): Thing {
  const bytes = Buffer.from(content);
  return { type, bytes, oid: hashObject(type, bytes) };
}

export type Row = readonly [mode: string, name: string, oid: string];

export function tree(...rows: readonly Row[]): Thing {
  const parts = rows.flatMap(([mode, name, oid]) => [
    Buffer.from(`${mode} ${name}\0`, "latin1"),
    Buffer.from(oid, "hex"),
  ]);
  return thing("tree", Buffer.concat(parts));
}

export function commit(root: string, author = "Eve <eve@example.org> 1700000000 +0000"): Thing {
  return thing("commit", `tree ${root}\nauthor ${author}\ncommitter ${author}\n\nHello\n`);
}

/** An object in a pack. The size is the true one unless another is told. */
export function entry(
  type: keyof typeof TYPES | number,
  bytes: Uint8Array,
  size = bytes.length,
  extra: Uint8Array = Buffer.alloc(0),
): Buffer {
  return Buffer.concat([head(typeof type === "number" ? type : TYPES[type], size), extra, deflateSync(bytes)]);
}

export function head(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size % 16)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 128;
    bytes.push(rest % 128);
  }
  return Buffer.from(bytes);
}

/** How far back the base of an offset delta is. */
export function back(distance: number): Buffer {
  const bytes = [distance % 128];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128))
    bytes.unshift(128 | (--rest % 128));
  return Buffer.from(bytes);
}

/** A delta: the sizes that it promises, and its instructions. */
export function delta(source: number, target: number, ...instructions: readonly number[]): Buffer {
  const size = (value: number) => {
    const bytes = [value % 128];
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
      bytes[bytes.length - 1]! |= 128;
      bytes.push(rest % 128);
    }
    return bytes;
  };
  return Buffer.from([...size(source), ...size(target), ...instructions]);
}

export interface PackLies {
  readonly count?: number;
  readonly version?: number;
  readonly sum?: Uint8Array;
  readonly after?: Uint8Array;
}

export function pack(
  entries: readonly Buffer[],
  { count = entries.length, version = 2, sum, after }: PackLies = {},
): Buffer {
  const start = Buffer.from("PACK\0\0\0\0\0\0\0\0", "latin1");
  start.writeUInt32BE(version, 4);
  start.writeUInt32BE(count, 8);
  const body = Buffer.concat([start, ...entries, after ?? Buffer.alloc(0)]);
  return Buffer.concat([body, sum ?? createHash("sha1").update(body).digest()]);
}

export const packed = (...things: readonly Thing[]) => pack(things.map(({ type, bytes }) => entry(type, bytes)));

export function packet(content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, "0")), bytes]);
}

/** Bytes on a band. */
export function band(number: number, bytes: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += 65_000)
    parts.push(packet(Buffer.concat([Buffer.from([number]), bytes.subarray(at, at + 65_000)])));
  return Buffer.concat(parts);
}

/** What a server sends that has this pack. */
export const sent = (bytes: Buffer) => Buffer.concat([packet("NAK\n"), band(1, bytes), Buffer.from("0000")]);
