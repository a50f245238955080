// The declared shapes have every member that the interface names, under its name and of its type, and no member is null that
// may be absent. `members.tsv` says which members those are.

import { readFileSync } from "node:fs";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../../src/execution/kernel";
import { allOperations } from "../../src/operations";
import { compare, linesIn } from "./members";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const table = allOperations();
const lines = linesIn(read("members.tsv"));

describe("law 12: schemas have the members of the interface", () => {
  test("every operation has its lines in the table", () => {
    const ofInterface = read("operations.tsv")
      .trim()
      .split("\n")
      .map((line) => line.split("\t").slice(1).join(" "));
    const routeOf = ({ definition: operation }: RegisteredOperation) =>
      `${operation.method} /v1${operation.path.replace(/:(\w+)/g, "{$1}")}`;
    const known = table.filter((named) => ofInterface.includes(routeOf(named)));
    expect(known.length).toBe(147);
    const has = (of: string, side: string) => lines.some((line) => line.of === of && line.side === side);
    for (const { name, definition: operation } of known) {
      expect([name, has(name, "answer")]).toEqual([name, true]);
      if (operation.spec.body) expect([name, has(name, "request")]).toEqual([name, true]);
      if (operation.spec.list) expect([name, has(name, "query")]).toEqual([name, true]);
    }
  });

  test("every schema of the table is used", () => {
    const used = new Set(lines.flatMap(({ type }) => type.match(/[A-Z]\w+/g) ?? []));
    for (const { of, side } of lines) if (side === "shape") expect([of, used.has(of)]).toEqual([of, true]);
  });

  test("no line of the table is repeated", () => {
    const all = read("members.tsv").trim().split("\n");
    expect(all.filter((line, i) => all.indexOf(line) !== i)).toEqual([]);
  });

  test("the declared schemas agree with the table", () => {
    expect(compare(table, lines)).toEqual([]);
  });
});

describe("the comparison", () => {
  const shape = v.object({
    id: v.string(),
    title: v.nullable(v.string()),
    note: v.optional(v.string()),
    kind: v.picklist(["a", "b"]),
    parts: v.array(v.object({ name: v.string() })),
    extra: v.optional(v.string()),
    tone: v.optional(v.string(), "low"),
  });
  const body = v.strictObject({ id: v.string(), mode: v.optional(v.picklist(["x"])), size: v.optional(v.number()) });
  const getThing = { name: "getThing", definition: { spec: { returns: shape, body, query: { deep: v.string() } } } };
  const told = (...rows: string[]) =>
    compare(
      [getThing] as unknown as RegisteredOperation[],
      linesIn(rows.map((row) => row.replaceAll(" ", "\t")).join("\n")),
    );

  test("members that agree are not reported", () => {
    expect(
      told(
        "getThing answer . Thing required",
        "Thing shape id string required",
        "Thing shape title string|null required",
        "Thing shape note string optional",
        "Thing shape kind enum(a,b,c) required",
        "Thing shape parts[].name string required",
        "Thing shape never string unsent",
        "Thing shape tone string required",
        "getThing request id string required",
        "getThing request mode enum(x) optional",
        "getThing query deep string required",
      ),
    ).toEqual([]);
  });

  test.each([
    ["getThing answer ident string required", "getThing answer: ident is missing"],
    ["getThing answer parts[].title string optional", "getThing answer: parts.[].title is missing"],
    ["getThing answer title string optional", "getThing answer: title may be null"],
    ["getThing answer note string required", "getThing answer: note may be absent"],
    ["getThing answer id number required", "getThing answer: id is string, and number is expected"],
    ["getThing answer id string[] required", "getThing answer: id is no list"],
    ["getThing answer kind enum(a) required", "getThing answer: kind may be b"],
    ["getThing answer extra string unsent", "getThing answer: extra is sent, and the table says it never is"],
    ["getThing answer . nothing required", "getThing: something is answered where nothing is expected"],
    ["getThing answer . bytes required", "getThing: the answer of somebody else is not passed on"],
    ["getThing answer . list(any) required", "getThing answer: items is missing"],
    ["getThing answer id Thing required", "getThing answer: id is string, and Thing is expected"],
    ["getThing request id string optional", "getThing request: id is demanded"],
    ["getThing request other string optional", "getThing request: other is missing"],
    ["getThing request size number|null optional", "getThing request: size does not take null"],
    ["getThing request mode enum(x,y) optional", "getThing request: mode does not take y"],
    ["getThing query wide boolean optional", "getThing query: wide is missing"],
    ["getOther answer id string required", "getOther: there is no such operation"],
  ])("a disagreement is reported: %s", (row, problem) => {
    expect(told(row)).toContain(problem);
  });

  test("a recursive schema is checked once", () => {
    const Tree: v.GenericSchema = v.object({ pages: v.array(v.lazy(() => Tree)) });
    const named = { name: "getTree", definition: { spec: { returns: Tree } } } as unknown as RegisteredOperation;
    const rows = linesIn("getTree\tanswer\t.\tTree\trequired\nTree\tshape\tpages\tTree[]\trequired");
    expect(compare([named], rows)).toEqual([]);
    const more = linesIn("Tree\tshape\tid\tstring\trequired");
    expect(compare([named], [...rows, ...more])).toEqual(["getTree answer (Tree): id is missing"]);
  });
});
