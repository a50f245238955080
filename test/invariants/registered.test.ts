// operations.ts is the one place that knows all wings. Nothing that a wing declares is forgotten there: every hook is filled,
// every step of jobs is known by its name, and everything that leads to objects is asked before they are swept.

import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { JobType } from "../../src/jobs/jobs";
import { allOperations, reachable, steps } from "../../src/operations";
import type { ExtensionPoint } from "../../src/utils/extension-point";
import { defineExtensionPoint } from "../../src/utils/extension-point";

const src = new URL("../../src/", import.meta.url);

/** What the files of all wings export, by file and name. */
async function exported(): Promise<[name: string, value: unknown][]> {
  const files = (await readdir(src, { recursive: true })).filter((file) => /^(resources|jobs)\/.*\.ts$/.test(file));
  const loaded = await Promise.all(files.map(async (file) => [file, await import(new URL(file, src).href)] as const));
  return loaded.flatMap(([file, module]) =>
    Object.entries(module).map(([name, value]): [string, unknown] => [`${file} ${name}`, value]),
  );
}

const isHook = (value: unknown): value is ExtensionPoint<unknown> =>
  typeof value === "object" && value !== null && "implement" in value && "name" in value;
const isStep = (value: unknown): value is JobType =>
  typeof value === "object" && value !== null && "run" in value && "name" in value && typeof value.name === "string";

describe("operations.ts", () => {
  test("fills every hook", async () => {
    const hooks = (await exported()).filter(([, value]) => isHook(value));
    expect(hooks.length).toBeGreaterThan(5);
    for (const [name, it] of hooks)
      expect([name, (it as ExtensionPoint<unknown>).implementation]).toEqual([name, expect.anything()]);
  });

  test("names every step of jobs, each once", async () => {
    const found = new Set((await exported()).flatMap(([, value]) => (isStep(value) ? [value] : [])));
    expect(found.size).toBeGreaterThan(20);
    expect([...found].map(({ name }) => name).sort()).toEqual(steps.map(({ name }) => name).sort());
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  });

  test("asks everything that leads to objects", async () => {
    const found = new Set((await exported()).flatMap(([name, value]) => (/Objects$/.test(name) ? [value] : [])));
    expect(found.size).toBeGreaterThan(5);
    expect(found).toEqual(new Set(reachable));
  });

  test("has every operation that is declared", async () => {
    const declared = (await exported()).flatMap(([, value]) =>
      typeof value === "object" && value !== null && "spec" in value && "method" in value ? [value] : [],
    );
    expect(new Set(declared)).toEqual(new Set(allOperations().map(({ definition: operation }) => operation)));
  });
});

describe("a hook", () => {
  test("that nobody has filled says which one it is", () => {
    expect(() => defineExtensionPoint("what is behind the door").implementation).toThrow(/what is behind the door/);
  });

  test("is filled once", () => {
    const it = defineExtensionPoint<number>("a number");
    it.implement(1);
    expect(() => it.implement(2)).toThrow(/filled already/);
    expect(it.implementation).toBe(1);
  });
});
