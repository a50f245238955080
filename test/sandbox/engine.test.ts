// The built engine: it is current, its meter counts correctly, and it has only the listed imports.

import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { builtFiles } from "../../scripts/sandbox/built";
import { COUNTER, metered } from "../../scripts/sandbox/meter";
import { loadBuiltInEngine } from "../../src/sandbox/engine";

test("src/sandbox/built is the output of `npm run generate:sandbox`", async () => {
  for (const [name, text] of Object.entries(await builtFiles())) {
    const present = await readFile(new URL(`../../src/sandbox/built/${name}`, import.meta.url), "utf8");
    expect(present === text, `${name} is stale: run \`npm run generate:sandbox\`.`).toBe(true);
  }
});

test("the engine imports a short list of functions, none of which gives access to the host", async () => {
  const imports = WebAssembly.Module.imports(await loadBuiltInEngine());
  expect(imports.map(({ module, name }) => `${module}.${name}`).sort()).toEqual(
    [
      "abort",
      "assertionFailed",
      "callHost",
      "closeFile",
      "environment",
      "environmentSizes",
      "exit",
      "freeHostRef",
      "growMemory",
      "keepAlive",
      "loadModule",
      "localTime",
      "memory",
      "normalizeModule",
      "now",
      "seekFile",
      "setAlarm",
      "shouldInterrupt",
      "timeZone",
      "writeFile",
    ].map((name) => `host.${name}`),
  );
});

/** A module with a global, a memory, and two functions: one turns a loop so many times, one copies so many bytes. */
const turns = [0, 0x03, 0x40, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x0b];
const copies = [0, 0x41, 0, 0x41, 0, 0x20, 0, 0xfc, 0x0a, 0, 0, 0x0b];
const sample = Uint8Array.from([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 5, 1, 0x60, 1, 0x7f, 0],
  ...[3, 3, 2, 0, 0],
  ...[5, 3, 1, 0, 1],
  ...[6, 6, 1, 0x7f, 1, 0x41, 0, 0x0b],
  ...[7, 9, 2, 1, 0x74, 0, 0, 1, 0x63, 0, 1],
  ...[10, 3 + turns.length + copies.length, 2, turns.length, ...turns, copies.length, ...copies],
]);

interface Sample {
  readonly t: (turns: number) => void;
  readonly c: (bytes: number) => void;
  readonly [COUNTER]: WebAssembly.Global<"i64">;
}

function start(bytes: Uint8Array<ArrayBuffer>): Sample {
  return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Sample;
}

test("a call, a loop iteration and every sixteen copied bytes cost a step", () => {
  const { t, c, steps } = start(metered(sample));
  const taken = (work: () => void) => {
    steps.value = 1_000_000n;
    work();
    return 1_000_000n - steps.value;
  };
  expect([taken(() => t(1)), taken(() => t(1000)), taken(() => c(0)), taken(() => c(1600))]).toEqual([
    2n,
    1001n,
    1n,
    101n,
  ]);
});

test("an instance ends when its steps are used up, and without the meter it does not", () => {
  const { t, c, steps } = start(metered(sample));
  steps.value = 100n;
  expect(() => t(1000)).toThrow(WebAssembly.RuntimeError);
  steps.value = 100n;
  expect(() => c(3200)).toThrow(WebAssembly.RuntimeError);
  const free = start(sample);
  free.t(1000);
  free.c(3200);
});

test("an unknown instruction is rejected", () => {
  const odd = Uint8Array.from(sample);
  odd[odd.lastIndexOf(0xfc) + 1] = 0x0c;
  expect(() => metered(odd)).toThrow("is not known here");
});
