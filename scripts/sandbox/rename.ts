// Gives the imports and exports of a WebAssembly module other names, drops the exports that have none, and lets it begin
// with less memory.

import { Kind, Reader, Section, section, sectionsOf, unsigned } from "./wasm-bytes";

/** The memory that a module asks for: what its data and its stack take, with some room. Each run has one, and the garbage
 * collectors of runtimes count all of it, used or not. */
const FIRST_PAGES = 96;
const MOST_PAGES = 32_768;
const smallMemory = [Kind.Memory, 1, ...unsigned(FIRST_PAGES), ...unsigned(MOST_PAGES)];

/** The new names, by the old ones. */
export interface Names {
  readonly imports: ReadonlyMap<string, string>;
  readonly exports: ReadonlyMap<string, string>;
}

/** The module with other names; its imports are all of the module `host`. */
export function renamed(module: Uint8Array, names: Names): Uint8Array<ArrayBuffer> {
  const parts = sectionsOf(module).flatMap(({ id, body }) => {
    if (id === Section.Import) return section(id, importsNamed(body, names.imports));
    if (id === Section.Export) return section(id, exportsNamed(body, names.exports));
    return section(id, [...body]);
  });
  return Uint8Array.from([...module.subarray(0, 8), ...parts]);
}

function importsNamed(body: Uint8Array, names: Names["imports"]): number[] {
  const reader = new Reader(body);
  const count = reader.unsigned();
  const out = unsigned(count);
  for (let left = count; left > 0; left--) {
    reader.text();
    const old = reader.text();
    const name = names.get(old);
    if (name === undefined) throw new Error(`The import "${old}" has no name.`);
    const from = reader.at;
    const isMemory = reader.imported() === Kind.Memory;
    const kind = isMemory ? smallMemory : body.subarray(from, reader.at);
    out.push(...text("host"), ...text(name), ...kind);
  }
  return out;
}

function exportsNamed(body: Uint8Array, names: Names["exports"]): number[] {
  const reader = new Reader(body);
  const kept: number[][] = [];
  for (let left = reader.unsigned(); left > 0; left--) {
    const name = names.get(reader.text());
    const from = reader.at;
    reader.byte();
    reader.unsigned();
    if (name !== undefined) kept.push([...text(name), ...body.subarray(from, reader.at)]);
  }
  if (kept.length !== names.size) throw new Error("Some exports are missing.");
  return [...unsigned(kept.length), ...kept.flat()];
}

function text(value: string): number[] {
  return [...unsigned(value.length), ...new TextEncoder().encode(value)];
}
