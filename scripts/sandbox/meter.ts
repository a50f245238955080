// Puts a meter into a WebAssembly module: a counter that every turn of a loop and every call decreases, and that ends
// the instance at zero. So everything inside comes to an end, even where no interrupt is checked (a search in a long
// text, a walk over a sparse array), and at the same step on every machine.

import { Kind, Reader, Section, section, sectionsOf, signed, unsigned } from "./wasm-bytes";

/** The name under which the counter is exported. */
export const COUNTER = "steps";

const Instruction = { Loop: 0x03, Copy: 0xfc0a, Fill: 0xfc0b } as const;

/** How many bytes one step copies or fills. */
const BYTES_A_STEP = 16;

/** The steps that a module gets before its counter is set: it initializes its memory then. */
const STEPS_TO_START = 10_000_000;

/** The module with the meter. */
export function metered(module: Uint8Array): Uint8Array<ArrayBuffer> {
  const sections = sectionsOf(module);
  const counter = globalsImported(sections) + globalsDefined(sections);
  const parts = sections.flatMap(({ id, body }) => {
    if (id === Section.Custom) return [];
    if (id === Section.Global) return section(id, withCounter(body));
    if (id === Section.Export) return section(id, withExport(body, counter));
    if (id === Section.Code) return section(id, withSteps(body, counter));
    return section(id, [...body]);
  });
  return Uint8Array.from([...module.subarray(0, 8), ...parts]);
}

type Sections = ReturnType<typeof sectionsOf>;

function globalsDefined(sections: Sections): number {
  const globals = sections.find(({ id }) => id === Section.Global);
  if (!globals) throw new Error("A module without globals is not expected here.");
  return new Reader(globals.body).unsigned();
}

function globalsImported(sections: Sections): number {
  const imports = sections.find(({ id }) => id === Section.Import);
  if (!imports) return 0;
  const reader = new Reader(imports.body);
  let globals = 0;
  for (let left = reader.unsigned(); left > 0; left--) {
    reader.text();
    reader.text();
    if (reader.imported() === Kind.Global) globals++;
  }
  return globals;
}

function withMore(body: Uint8Array, entries: readonly (readonly number[])[]): number[] {
  const reader = new Reader(body);
  return [...unsigned(reader.unsigned() + entries.length), ...reader.rest(), ...entries.flat()];
}

/** The counter, and after it a place for the length of what is copied. */
function withCounter(body: Uint8Array): number[] {
  return withMore(body, [
    [0x7e, 1, 0x42, ...signed(STEPS_TO_START), 0x0b],
    [0x7f, 1, 0x41, ...signed(0), 0x0b],
  ]);
}

function withExport(body: Uint8Array, counter: number): number[] {
  const name = [...new TextEncoder().encode(COUNTER)];
  return withMore(body, [[...unsigned(name.length), ...name, 3, ...unsigned(counter)]]);
}

function withSteps(body: Uint8Array, counter: number): number[] {
  const reader = new Reader(body);
  const count = reader.unsigned();
  const out = unsigned(count);
  for (let left = count; left > 0; left--) {
    const code = functionWithSteps(reader.bytes(reader.unsigned()), counter);
    for (const byte of [...unsigned(code.length), ...code]) out.push(byte);
  }
  return out;
}

function functionWithSteps(body: Uint8Array, counter: number): number[] {
  const reader = new Reader(body);
  for (let left = reader.unsigned(); left > 0; left--) reader.local();
  const one = step(counter, [0x42, ...signed(1)]);
  const code = [...body.subarray(0, reader.at), ...one];
  while (!reader.isAtEnd) {
    const from = reader.at;
    const instruction = reader.instruction();
    if (instruction === Instruction.Copy || instruction === Instruction.Fill) code.push(...stepsOfLength(counter));
    code.push(...body.subarray(from, reader.at));
    if (instruction === Instruction.Loop) code.push(...one);
  }
  return code;
}

/** As many steps as the length on top of the stack is worth, which stays there. */
function stepsOfLength(counter: number): number[] {
  const length = unsigned(counter + 1);
  const shift = Math.log2(BYTES_A_STEP);
  return [0x24, ...length, 0x23, ...length, ...step(counter, [0x23, ...length, 0xad, 0x42, ...signed(shift), 0x88])];
}

/** Takes an amount from the counter, and ends the instance when nothing is left. */
function step(counter: number, amount: readonly number[]): number[] {
  const index = unsigned(counter);
  const get = [0x23, ...index];
  const take = [...get, ...amount, 0x7d, 0x24, ...index];
  return [...take, ...get, 0x42, ...signed(0), 0x53, 0x04, 0x40, 0x00, 0x0b];
}
