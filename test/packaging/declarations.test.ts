// The declaration files hold what the public doors lead to, and nothing else.

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { declarationFiles, writeDeclarations } from "../../scripts/declarations";
import { compareChecking, compareDeclarations, declarationsOf, packagesIn } from "../../scripts/packaging/declarations";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "octavo-declarations-"));
});
afterEach(() => rm(root, { recursive: true }));

/** The declarations of a door in `src/index.ts`. */
async function built(sources: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return Object.fromEntries(declarationFiles(root, { index: "src/index.ts" }));
}

describe("declaration files", () => {
  test("a declaration file contains what is exported, what that mentions, and its documentation", async () => {
    const files = await built({
      "src/index.ts": [
        "// What the file is for.",
        'import { secret } from "./secret";',
        "/** What goes in. */",
        "interface Given { readonly a: string }",
        "interface Unused { readonly b: string }",
        "const inside: Unused = { b: secret };",
        "/** Does it. */",
        "export function run(given: Given): void { console.log(given, inside) }",
      ].join("\n"),
      "src/secret.ts": 'export const secret = "x";',
    });
    expect(Object.keys(files)).toEqual(["index.d.ts"]);
    expect(files["index.d.ts"]).toBe(
      [
        "/** What goes in. */",
        "interface Given {",
        "\treadonly a: string;",
        "}",
        "/** Does it. */",
        "export declare function run(given: Given): void;",
        "export {};",
        "",
      ].join("\n"),
    );
  });

  test("a declaration file refers to other files by their full paths", async () => {
    const files = await built({
      "src/index.ts": 'export { type A, makeB as b } from "./things"; export * as more from "./more";',
      "src/things/index.ts": [
        'import { hidden } from "./hidden";',
        'import type { Deep } from "./deep";',
        "export interface A { deep: Deep }",
        "export function makeB(): number { return hidden }",
        "export const makeC = () => hidden;",
      ].join("\n"),
      "src/things/deep.ts": "export type Deep = 1;\nexport type Other = 2;",
      "src/things/hidden.ts": "export const hidden = 1;",
      "src/more.ts": 'export * from "./things/deep";',
    });
    expect(Object.keys(files).sort()).toEqual([
      "index.d.ts",
      "types/src/more.d.ts",
      "types/src/things/deep.d.ts",
      "types/src/things/index.d.ts",
    ]);
    expect(files["index.d.ts"]).toContain('export { type A, makeB as b } from "./types/src/things/index.js";');
    expect(files["index.d.ts"]).toContain('export * as more from "./types/src/more.js";');
    expect(files["types/src/things/index.d.ts"]).toContain('import type { Deep } from "./deep.js";');
    expect(files["types/src/things/index.d.ts"]).not.toContain("makeC");
  });

  test("a declaration file includes from `export *` only what is requested", async () => {
    const files = await built({
      "src/index.ts": 'export type { A } from "./all";',
      "src/all.ts": 'export * from "./a"; export * from "./b";',
      "src/a.ts": "export type A = A2;\ntype A2 = 1;\nexport type A3 = 1;",
      "src/b.ts": "export type B = 1;",
    });
    expect(files["types/src/all.d.ts"]).toBe('export * from "./a.js";\n');
    expect(files["types/src/a.d.ts"]).toBe("export type A = A2;\ntype A2 = 1;\nexport {};\n");
    expect(files["types/src/b.d.ts"]).toBeUndefined();
  });

  test("a public type that would be inferred is rejected", async () => {
    const sources = { "src/index.ts": "const list = { a: Math.max(1) };\nexport type Key = keyof typeof list;" };
    await expect(built(sources)).rejects.toThrow("src/index.ts: list is public.");
  });

  test("a generated declaration file omits documentation of members, and writes a type on one line if it fits", async () => {
    const long = Array.from({ length: 5 }, (_, at) => `    a_member_with_a_long_name_${at}: string;`);
    const files = await built({
      "src/index.ts": 'export type { A } from "./generated/a";',
      "src/generated/a.ts": [
        "/** What it is. */",
        "export interface A {",
        "  b: {",
        "    /** What is said of it. */",
        "    c: { d: 1 };",
        "    /** @deprecated Since `c`. */",
        "    e: 2;",
        "  };",
        "  f: {",
        "    /** What is said of it. */",
        "    g: { h: 1 };",
        "  } | null;",
        "  long: {",
        ...long,
        "  };",
        "}",
      ].join("\n"),
    });
    expect(files["types/src/generated/a.d.ts"]).toBe(
      [
        "export interface A {",
        "\tb: {",
        "\t\tc: { d: 1 };",
        "\t\t/** @deprecated Since `c`. */",
        "\t\te: 2;",
        "\t};",
        "\tf: { g: { h: 1 } } | null;",
        "\tlong: {",
        ...long.map((line) => line.replace("    ", "\t\t")),
        "\t};",
        "}",
        "",
      ].join("\n"),
    );
  });

  test("an unresolved name is rejected", async () => {
    const sources = { "src/index.ts": 'export type { B } from "./a";', "src/a.ts": "export type A = 1;" };
    await expect(built(sources)).rejects.toThrow("src/a.ts exports no B.");
  });
});

test("what an entry point refers to is found in the output", async () => {
  await built({ "src/index.ts": 'export type { A } from "./a";', "src/a.ts": "export type A = 1;" });
  await writeDeclarations(root, { index: "src/index.ts" }, join(root, "dist"));
  const found = await declarationsOf(pathToFileURL(join(root, "dist/index.d.ts")));
  expect([...found.values()]).toEqual(['export type { A } from "./types/src/a.js";\n', "export type A = 1;\n"]);
});

test("a package that the declarations of the core would need is reported", () => {
  const files = ['import type * as v from "valibot";', 'export * from "./a.js";', 'export { type B } from "@b/b";'];
  expect(packagesIn(files)).toEqual(["valibot", "@b/b"]);
});

test("declarations that are too large or too slow to check are reported", () => {
  expect(compareDeclarations(176 * 1024)).toMatchObject({ isTooMuch: false });
  expect(compareDeclarations(176 * 1024 + 1)).toMatchObject({ isTooMuch: true });
  expect(compareChecking(3)).toMatchObject({ isTooMuch: false });
  expect(compareChecking(3.1)).toMatchObject({ isTooMuch: true, says: expect.stringContaining("3.10 s") });
});
