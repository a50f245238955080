// Long YAML is parsed in pieces, with the same result as in one piece.

import { CORE_SCHEMA, load, mergeTag } from "js-yaml";
import { describe, expect, test } from "vitest";
import { MAX_ENTRIES_AT_ONCE } from "../../../src/openapi/specifications/limits";
import { readYaml, UnsplittableTextError } from "../../../src/openapi/specifications/yaml";

function read(text: string): { readonly value: unknown; readonly steps: number } {
  const reading = readYaml(text);
  for (let steps = 1; ; steps++) {
    const { done, value } = reading.next();
    if (done) return { value, steps };
  }
}

const schema = CORE_SCHEMA.withTags(mergeTag);
const whole = (text: string) => load(text, { schema });
const numbered = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("");
/** Schemas of which there are more than are read at once, indented by two more than what they stand in. */
const schemas = (indent = "    ", count = MAX_ENTRIES_AT_ONCE / 2) =>
  numbered(count, (n) => `${indent}Name${n}:\n${indent}  type: object\n${indent}  title: "a, b"\n`);

const texts: Readonly<Record<string, string>> = {
  "a specification": `openapi: 3.1.0\ninfo:\n  title: A\npaths:\n  /a/{id}:get:\n    get: {}\ncomponents:\n  schemas:\n${schemas()}x: 1\n`,
  "one with a head, comments and empty lines": `# A\n---\n# B\nopenapi: 3.1.0\n\ncomponents: # here\n\n  # C\n  schemas:\n\n${schemas()}\n# D\n  responses: {}\n`,
  "lines that end as on Windows": `openapi: 3.1.0\ncomponents:\n  schemas:\n${schemas()}`.replaceAll("\n", "\r\n"),
  "a list below its key": `openapi: 3.1.0\ntags:\n${numbered(40_000, (n) => `- name: t${n}\n  x: 1\n`)}after: true\n`,
  "a list that is indented": `openapi: 3.1.0\ntags:\n${numbered(40_000, (n) => `  - name: t${n}\n`)}after: true\n`,
  "a list at the top": numbered(40_000, (n) => `- ${n}\n`),
  "keys in quotes, with colons and spaces": `"a: b":\n  c: 1\n'd': 2\nv1:cancel: 3\nTwo words: 4\n/x: 5\nall:\n${schemas("  ")}`,
  "texts of several lines": numbered(
    10_000,
    (n) => `a${n}: |\n  b: 1\n\n  - c\n  # no comment\n  d\ne${n}: "f\n  g: h"\ni${n}: j\n  k\nl${n}: >-\n  m\n`,
  ),
};

describe("long YAML", () => {
  test.each(Object.entries(texts))("long YAML is read in steps: %s", (_, text) => {
    const { value, steps } = read(text);
    expect(steps).toBeGreaterThan(5);
    expect(JSON.stringify(value) === JSON.stringify(whole(text))).toBe(true);
  });

  test("a member named __proto__ is an own member", () => {
    const { value } = read(`__proto__:\n  a: 1\nall:\n${schemas("  ")}`);
    expect(Object.keys(value as object)).toEqual(["__proto__", "all"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ["a key that stands twice, far apart", `a: 1\nall:\n${schemas("  ")}a: 2\n`, "duplicated mapping key"],
    ["an alias that leads far away", `a: &a 1\nall:\n${schemas("  ")}b: *a\n`, "alias"],
    ["what is no YAML, far down", `all:\n${schemas("  ", 20_000)}a: b: c\n`, "(60002:"],
    ["a quote that nothing closes", `a: "\nall:\n${schemas("  ")}`, "indentation (2:1)"],
  ])("long YAML is rejected: %s", (_, text, reason) => {
    expect(() => read(text)).toThrow(reason);
  });

  test.each([
    ["a list in brackets", `a: [${"b,".repeat(MAX_ENTRIES_AT_ONCE + 1)}]`],
    ["a list in brackets, line by line", `a: [\n${" b,\n".repeat(MAX_ENTRIES_AT_ONCE)}]`],
    ["a map with an anchor of its own", `a: &b\n${schemas("  ")}`],
    ["a map that others are merged into", `<<: {}\nall:\n${schemas("  ")}`],
    ["two documents", `a: 1\n---\nall:\n${schemas("  ")}`],
  ])("%s is not split and is too long", (_, text) => {
    expect(() => read(text)).toThrow(UnsplittableTextError);
  });
});

describe("short YAML", () => {
  test("short YAML is read at once", () => {
    expect(read("a: &a 1\nb: *a\n")).toEqual({ value: { a: 1, b: 1 }, steps: 2 });
  });

  const medium = `openapi: 3.1.0\ncomponents:\n  schemas:\n${schemas("    ", 5_000)}`;
  test("longer YAML is split where possible", () => {
    const { value, steps } = read(medium);
    expect(steps).toBeGreaterThan(10);
    expect(value).toEqual(whole(medium));
  });

  test.each([
    ["an alias that leads far away", `a: &a 1\n${medium}b: *a\n`],
    ["a map with an anchor of its own", `a: &b\n${schemas("  ", 5_000)}c: *b\n`],
    ["a map that others are merged into", `<<: { x: 1 }\n${medium}`],
    ["a list in brackets", `a: [${"b,".repeat(5_000)}]`],
  ])("%s is not split", (_, text) => {
    expect(read(text).value).toEqual(whole(text));
  });

  test("invalid YAML is rejected with the position of the error", () => {
    expect(() => read(`${medium}a: b: c\n`)).toThrow("(15004:");
    expect(() => read(`openapi: 1\n${medium}`)).toThrow("duplicated mapping key");
  });
});
