// operations.ts is the one place that knows all modules. Nothing that a module declares is forgotten there: every extension point is
// implemented, every type of job is known by its name, and everything that leads to objects is asked before they are swept.

import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import type { JobType } from "../../src/jobs/jobs";
import { allOperations, reachable, steps } from "../../src/operations";
import type { ExtensionPoint } from "../../src/utils/extension-point";
import { defineExtensionPoint } from "../../src/utils/extension-point";

const src = new URL("../../src/", import.meta.url);

/** What the files of all modules export, by file and name. */
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
  test("operations.ts implements every extension point", async () => {
    const hooks = (await exported()).filter(([, value]) => isHook(value));
    expect(hooks.length).toBeGreaterThan(5);
    for (const [name, it] of hooks)
      expect([name, (it as ExtensionPoint<unknown>).implementation]).toEqual([name, expect.anything()]);
  });

  test("operations.ts registers every job type once", async () => {
    const found = new Set((await exported()).flatMap(([, value]) => (isStep(value) ? [value] : [])));
    expect(found.size).toBeGreaterThan(20);
    expect([...found].map(({ name }) => name).sort()).toEqual(steps.map(({ name }) => name).sort());
    expect(new Set(steps.map(({ name }) => name)).size).toBe(steps.length);
  });

  test("operations.ts registers every list of objects that are in use", async () => {
    const found = new Set((await exported()).flatMap(([name, value]) => (/Objects$/.test(name) ? [value] : [])));
    expect(found.size).toBeGreaterThan(5);
    expect(found).toEqual(new Set(reachable));
  });

  test("operations.ts registers every declared operation", async () => {
    const declared = (await exported()).flatMap(([, value]) =>
      typeof value === "object" && value !== null && "spec" in value && "method" in value ? [value] : [],
    );
    expect(new Set(declared)).toEqual(new Set(allOperations().map(({ definition: operation }) => operation)));
  });
});

describe("extension points", () => {
  test("an extension point without an implementation names itself in the error", () => {
    expect(() => defineExtensionPoint("what is behind the door").implementation).toThrow(/what is behind the door/);
  });

  test("an extension point is implemented only once", () => {
    const it = defineExtensionPoint<number>("a number");
    it.implement(1);
    expect(() => it.implement(2)).toThrow(/filled already/);
    expect(it.implementation).toBe(1);
  });
});
