// Files by their names in one compressed file, so that a storage of an earlier day is small in the repository.

import { readFile, writeFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";

export type Files = ReadonlyMap<string, Uint8Array>;

const place = (name: string) => new URL(`${name}.json.gz`, import.meta.url);

export async function keepFiles(name: string, files: Files): Promise<void> {
  const texts = [...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]);
  await writeFile(place(name), await promisify(gzip)(JSON.stringify(texts), { level: 9 }));
}

export async function keptFiles(name: string): Promise<Files> {
  const texts = JSON.parse((await promisify(gunzip)(await readFile(place(name)))).toString()) as [string, string][];
  return new Map(texts.map(([path, text]) => [path, new Uint8Array(Buffer.from(text, "latin1"))]));
}

const utf8 = {
  encode: (text: string) => new TextEncoder().encode(text),
  decode: (bytes: Uint8Array) => new TextDecoder().decode(bytes),
};

/** A value among the files. */
export const jsonFile = (value: unknown): Uint8Array => utf8.encode(JSON.stringify(value));
export const jsonIn = <T>(files: Files, path: string): T => JSON.parse(utf8.decode(files.get(path)!)) as T;
