// Gives the imports and exports of a WebAssembly module other names, and drops the exports that have none.

import { Reader, Section, section, sectionsOf, unsigned } from "./wasm-bytes";

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
    reader.imported();
    out.push(...text("host"), ...text(name), ...body.subarray(from, reader.at));
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
