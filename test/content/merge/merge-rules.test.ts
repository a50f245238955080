// One test for each rule at the head of src/content/merge/revisions.ts, by its number.

import { describe, expect, test } from "vitest";
import type { MergeConflict } from "../../../src/content/merge";
import type { MapRoot } from "../../../src/content/prolly-tree";
import type { BatchChange } from "../../../src/content/revision/changes";
import { keys, type PageEntry } from "../../../src/content/revision/entries";
import { flawsOf, Space } from "./merge-space";

type Ids = string[];
/** Changes, and the ids of what they bring. */
type Script = readonly [changes: readonly BatchChange[], ids?: Ids];

interface Outcome {
  readonly space: Space;
  readonly root: MapRoot;
  readonly base: MapRoot;
  readonly conflicts: readonly MergeConflict[];
}

async function merging(base: Script, ours: Script, theirs: Script): Promise<Outcome> {
  const space = new Space();
  const root = await space.change(null, base[0], [...(base[1] ?? [])]);
  const mine = await space.change(root, ours[0], [...(ours[1] ?? [])]);
  const yours = await space.change(root, theirs[0], [...(theirs[1] ?? [])]);
  const merged = await space.merge(root, mine, yours);
  expect(await flawsOf(space, merged.root)).toEqual([]);
  return { space, base: root, ...merged };
}

const page = (title: string, more: object = {}): BatchChange =>
  ({ operation: "insert_page", title, document: { markdown: "Words.\n" }, ...more }) as BatchChange;
const update = (id: string, more: object): BatchChange =>
  ({ operation: "update_page", page: id, ...more }) as BatchChange;
const move = (id: string, into: string | null, at?: number): BatchChange => ({
  operation: "move_page",
  page: id,
  into,
  at,
});
const remove = (id: string): BatchChange => ({ operation: "delete_page", page: id });
const write = (id: string, markdown: string): BatchChange => update(id, { document: { markdown } });
const file = (name: string): BatchChange => ({
  operation: "insert_files",
  files: [{ name, contentType: "text/plain", bytes: new TextEncoder().encode(name) }],
});
const nothing: Script = [[{ operation: "set_variables", variables: { unrelated: true } }]];

/** A, B and C at the top. */
const three: Script = [
  [page("A"), page("B"), page("C")],
  ["a", "b", "c"],
];

async function entryOf({ space, root }: Outcome, id: string): Promise<PageEntry> {
  return (await space.view(root).getPage(id))!;
}

describe("pages", () => {
  test("rule 1: fields are merged individually, including those of layout and variables", async () => {
    const merged = await merging(
      [[page("A", { emoji: "1f600", layout: { width: "wide", outline: true }, variables: { x: 1, y: 1 } })], ["a"]],
      [
        [
          update("a", {
            icon: "bolt",
            emoji: null,
            layout: { width: "wide", outline: false },
            variables: { x: 2, y: 1 },
          }),
        ],
      ],
      [[update("a", { title: "A!", hidden: true, layout: { outline: true, cover: true }, variables: { x: 1, z: 3 } })]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await entryOf(merged, "a")).toMatchObject({
      title: "A!",
      icon: "bolt",
      hidden: true,
      layout: { outline: false, cover: true },
      variables: { x: 2, z: 3 },
    });
    expect(await entryOf(merged, "a")).not.toHaveProperty("emoji");
    expect((await entryOf(merged, "a")).layout).not.toHaveProperty("width");
  });

  test("S7: names that every object has are ordinary names", async () => {
    const own = (value: number) => JSON.parse(`{"constructor":${value},"toString":1,"valueOf":${value}}`) as object;
    const merged = await merging(
      [[page("A", { variables: own(1) })], ["a"]],
      [[update("a", { variables: { ...own(2), hasOwnProperty: 1 } })]],
      [[update("a", { variables: { toString: 2 } })]],
    );
    expect((await entryOf(merged, "a")).variables).toEqual({ ...own(2), toString: 2, hasOwnProperty: 1 });
    expect(merged.conflicts.map(({ member }) => member)).toEqual(["variables.constructor", "variables.valueOf"]);
    const proto = await merging(
      [[{ operation: "set_variables", variables: JSON.parse('{"__proto__":1}') }]],
      [[{ operation: "set_variables", variables: JSON.parse('{"__proto__":2}') }]],
      [[{ operation: "set_variables", variables: JSON.parse('{"__proto__":3}') }]],
    );
    expect(proto.conflicts).toEqual([{ kind: "variable", variable: "__proto__", base: 1, ours: 2, theirs: 3 }]);
  });

  test("rule 2: a field changed differently on both sides is a conflict", async () => {
    const merged = await merging(
      [[page("A", { variables: { x: 1 } })], ["a"]],
      [[update("a", { title: "Mine", icon: "bolt", variables: { x: 2 } })]],
      [[update("a", { title: "Yours", hidden: true, variables: { x: 3 } })]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "field", page: "a", member: "title", base: "A", ours: "Mine", theirs: "Yours" },
      { kind: "field", page: "a", member: "variables.x", base: 1, ours: 2, theirs: 3 },
    ]);
    expect(await entryOf(merged, "a")).toMatchObject({
      title: "Mine",
      icon: "bolt",
      hidden: true,
      variables: { x: 2 },
    });
  });

  test("rule 2: a field changed on one side and removed on the other is a conflict", async () => {
    const merged = await merging(
      [[page("A", { icon: "bolt" })], ["a"]],
      [[update("a", { icon: null })]],
      [[update("a", { icon: "star" })]],
    );
    expect(merged.conflicts).toEqual([{ kind: "field", page: "a", member: "icon", base: "bolt", theirs: "star" }]);
    expect(await entryOf(merged, "a")).not.toHaveProperty("icon");
  });

  test("rule 3: texts are merged, and each place changed on both sides is a conflict", async () => {
    const merged = await merging(
      [[page("A", { document: { markdown: "One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n" } })], ["a"]],
      [[write("a", "One!\n\nTwo.\n\nThree.\n\nFour!\n\nFive.\n")]],
      [[write("a", "One?\n\nTwo?\n\nThree.\n\nFour?\n\nFive.\n")]],
    );
    expect(await merged.space.textOf(merged.root, "a")).toBe("One!\n\nTwo?\n\nThree.\n\nFour!\n\nFive.\n");
    expect(merged.conflicts).toEqual([
      { kind: "text", page: "a", member: "document", base: "One.\n", ours: "One!\n", theirs: "One?\n" },
      { kind: "text", page: "a", member: "document", base: "Four.\n", ours: "Four!\n", theirs: "Four?\n" },
    ]);
  });

  test("rule 3: a conflict report is short, and a text with very many conflicts is reported as a whole", async () => {
    const text = (mark: string) =>
      Array.from({ length: 60 }, (_, i) => `Line ${i}${mark} ${"x".repeat(200)}\n`).join("\n");
    const merged = await merging(
      [[page("A", { document: { markdown: text(".") } })], ["a"]],
      [[write("a", text("!"))]],
      [[write("a", text("?"))]],
    );
    expect(merged.conflicts).toHaveLength(1);
    expect((merged.conflicts[0]!.theirs as string).length).toBeLessThan(1100);
    expect(await merged.space.textOf(merged.root, "a")).toBe(text("!"));
  });

  test("rule 4: a title stated in one text and changed in the other side's fields is one title", async () => {
    const stated = await merging(
      [[page("A")], ["a"]],
      [[update("a", { title: "Mine" })]],
      [[write("a", "# Yours\n\nWords.\n")]],
    );
    expect(stated.conflicts).toEqual([
      { kind: "field", page: "a", member: "title", base: "A", ours: "Mine", theirs: "Yours" },
    ]);
    expect(await entryOf(stated, "a")).toMatchObject({ title: "Mine", stated: ["title"] });
    expect(await stated.space.textOf(stated.root, "a")).toBe("# Mine\n\nWords.\n");
  });

  test("rule 4: a field that theirs changed is changed in our text if that now states it", async () => {
    const merged = await merging(
      [[page("A", { description: "Old" })], ["a"]],
      [[write("a", "---\ndescription: Old\n---\n\nWords!\n")]],
      [[update("a", { description: "New" })]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await entryOf(merged, "a")).toMatchObject({ description: "New", stated: ["description"] });
    expect(await merged.space.textOf(merged.root, "a")).toBe("---\ndescription: New\n---\n\nWords!\n");
  });

  test("rule 4: titles that both texts state differently are one conflict, in the texts", async () => {
    const merged = await merging(
      [[page("A", { document: { markdown: "# A\n\nWords.\n" } })], ["a"]],
      [[write("a", "# Mine\n\nWords.\n")]],
      [[write("a", "# Yours\n\nWords!\n")]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "text", page: "a", member: "document", base: "# A\n", ours: "# Mine\n", theirs: "# Yours\n" },
    ]);
    expect(await entryOf(merged, "a")).toMatchObject({ title: "Mine" });
    expect(await merged.space.textOf(merged.root, "a")).toBe("# Mine\n\nWords!\n");
  });

  test("rule 5: two pages that take one slug get different slugs", async () => {
    const merged = await merging(
      three,
      [[page("New"), update("a", { slug: "mine" })], ["x"]],
      [[page("New"), update("b", { slug: "mine" })], ["y"]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["a", "mine"],
      ["b", "mine-1"],
      ["c", "c"],
      ["x", "new"],
      ["y", "new-1"],
    ]);
  });

  test("rule 5: pages of theirs may swap slugs and take those of deleted pages", async () => {
    const merged = await merging(three, nothing, [
      [remove("c"), update("a", { slug: "x" }), update("b", { slug: "a" }), update("a", { slug: "b" }), page("C")],
      ["d"],
    ]);
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["a", "b"],
      ["b", "a"],
      ["d", "c"],
    ]);
  });

  test("rule 6: a move on one side is applied, even among siblings", async () => {
    const merged = await merging(
      [
        [...three[0], page("D"), page("E")],
        ["a", "b", "c", "d", "e"],
      ],
      [[move("b", "a"), update("e", { title: "E!" })]],
      [[move("c", "d"), move("e", null, 0)]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["e", "e"],
      ["a", "a", [["b", "b"]]],
      ["d", "d", [["c", "c"]]],
    ]);
    expect(await entryOf(merged, "e")).toMatchObject({ title: "E!" });
  });

  test("rule 6: moves that depend on each other are applied together", async () => {
    const merged = await merging(
      [[page("A"), page("B", { into: "a" }), page("C", { into: "b" })].map(withRef), ["a", "b", "c"]],
      nothing,
      [[move("c", null), move("b", "c"), move("a", "b")]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.tree(merged.root)).toEqual([["c", "c", [["b", "b", [["a", "a"]]]]]]);
  });

  test("rule 7: a page moved under different parents is a conflict", async () => {
    const merged = await merging(three, [[move("c", "a")]], [[move("c", "b")]]);
    expect(merged.conflicts).toEqual([
      { kind: "move", page: "c", base: { parent: null }, ours: { parent: "a" }, theirs: { parent: "b" } },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["a", "a", [["c", "c"]]],
      ["b", "b"],
    ]);
  });

  test("rule 8: a page moved among its siblings on both sides stays where ours has it", async () => {
    const merged = await merging(three, [[move("c", null, 0)]], [[move("c", null, 1)]]);
    expect(merged.conflicts).toEqual([]);
    expect((await merged.space.tree(merged.root)).map((it) => (it as string[])[0])).toEqual(["c", "a", "b"]);
  });

  test("rule 8: a new parent outranks a new place among siblings, on either side", async () => {
    for (const isTurned of [false, true]) {
      const sides: Script[] = [[[move("c", null, 0)]], [[move("c", "b")]]];
      const [ours, theirs] = isTurned ? sides.toReversed() : sides;
      const merged = await merging(three, ours!, theirs!);
      expect(merged.conflicts).toEqual([]);
      expect(await merged.space.tree(merged.root)).toEqual([
        ["a", "a"],
        ["b", "b", [["c", "c"]]],
      ]);
    }
  });

  test("rule 8: of pages that both sides put into one place, ours come first and the groups are not mixed", async () => {
    const merged = await merging(
      three,
      [
        [page("O1", { at: 1 }), page("O2", { at: 2 }), page("O3"), page("O4")],
        ["o1", "o2", "o3", "o4"],
      ],
      [
        [page("T1", { at: 1 }), page("T2", { at: 2 }), page("T3"), page("T5"), page("T4", { at: 6 })],
        ["t1", "t2", "t3", "t5", "t4"],
      ],
    );
    expect(merged.conflicts).toEqual([]);
    expect((await merged.space.tree(merged.root)).map((it) => (it as string[])[0])).toEqual(
      "a o1 o2 t1 t2 b c o3 o4 t3 t4 t5".split(" "),
    );
  });

  test("rule 9: the same change on both sides is no conflict", async () => {
    const changes = [update("a", { title: "A!", icon: "bolt" }), write("a", "Same.\n"), move("b", "a"), remove("c")];
    const merged = await merging(three, [changes], [changes]);
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.tree(merged.root)).toEqual([["a", "a", [["b", "b"]]]]);
    expect(await merged.space.textOf(merged.root, "a")).toBe("Same.\n");
  });

  test("rule 10: a page deleted on one side is deleted with its descendants", async () => {
    const base: Script = [[page("A"), page("B"), page("C", { into: "b" })].map(withRef), ["a", "b", "c"]];
    for (const isTurned of [false, true]) {
      const sides: Script[] = [[[update("a", { title: "A!" })]], [[remove("b")]]];
      const [ours, theirs] = isTurned ? sides.toReversed() : sides;
      const merged = await merging(base, ours!, theirs!);
      expect(merged.conflicts).toEqual([]);
      expect(await merged.space.tree(merged.root)).toEqual([["a", "a"]]);
    }
  });

  test("rule 10: a new place among siblings does not preserve a deleted page", async () => {
    const merged = await merging(three, [[move("c", null, 0)]], [[remove("c")]]);
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.view(merged.root).getPage("c")).toBeUndefined();
  });

  test("rule 11: a page that theirs deleted and ours edited stays as ours has it", async () => {
    const merged = await merging(
      [[page("A"), page("B", { into: "a" }), page("C", { into: "a" })].map(withRef), ["a", "b", "c"]],
      [[write("a", "Mine.\n")]],
      [[remove("a")]],
    );
    expect(merged.conflicts).toEqual([{ kind: "delete", page: "a", base: "A", ours: "A" }]);
    expect(await merged.space.tree(merged.root)).toEqual([["a", "a"]]);
    expect(await merged.space.textOf(merged.root, "a")).toBe("Mine.\n");
  });

  test("rule 11: a page that ours deleted and theirs edited or moved returns as theirs has it", async () => {
    const merged = await merging(
      three,
      [[remove("b"), remove("c"), page("B")], ["d"]],
      [[write("b", "Yours [a](/pages/a).\n"), move("c", "a")]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "delete", page: "b", base: "B", theirs: "B" },
      { kind: "delete", page: "c", base: "C", theirs: "C" },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["a", "a", [["c", "c"]]],
      ["d", "b"],
      ["b", "b-1"],
    ]);
    expect(await merged.space.textOf(merged.root, "b")).toBe("Yours [a](/pages/a).\n");
    expect(await merged.space.view(merged.root).getIncomingLinks("p:a")).toEqual([{ source: "b", n: 0 }]);
  });

  test("rule 12: a page that theirs deleted and ours put something under stays", async () => {
    const merged = await merging(
      [[page("A"), page("B", { into: "a" }), page("C")].map(withRef), ["a", "b", "c"]],
      [[page("D", { into: "b" }), move("c", "b")], ["d"]],
      [[remove("a")]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "delete", page: "b", base: "B", ours: "B" },
      { kind: "delete", page: "a", base: "A", ours: "A" },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([
      [
        "a",
        "a",
        [
          [
            "b",
            "b",
            [
              ["d", "d"],
              ["c", "c"],
            ],
          ],
        ],
      ],
    ]);
  });

  test("rule 12: a page that ours deleted and theirs put something under returns", async () => {
    const merged = await merging(
      [[page("A"), page("B", { into: "a" }), page("C")].map(withRef), ["a", "b", "c"]],
      [[remove("a")]],
      [[page("D", { into: "b" })], ["d"]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "delete", page: "b", base: "B", theirs: "B" },
      { kind: "delete", page: "a", base: "A", theirs: "A" },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([
      ["a", "a", [["b", "b", [["d", "d"]]]]],
      ["c", "c"],
    ]);
  });

  test("rule 12: a preserved page preserves its ancestors, not its siblings", async () => {
    const merged = await merging(
      [[page("A"), page("B", { into: "a" }), page("C", { into: "a" })].map(withRef), ["a", "b", "c"]],
      [[update("b", { title: "B!" })]],
      [[remove("a")]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "delete", page: "b", base: "B", ours: "B!" },
      { kind: "delete", page: "a", base: "A", ours: "A" },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([["a", "a", [["b", "b"]]]]);
  });

  test("rule 13: moves that form a cycle together are a conflict", async () => {
    const merged = await merging(three, [[move("a", "b")]], [[move("b", "c"), move("c", "a")]]);
    expect(merged.conflicts).toEqual([
      { kind: "cycle", page: "b", base: { parent: null }, ours: { parent: null }, theirs: { parent: "c" } },
    ]);
    expect(await merged.space.tree(merged.root)).toEqual([["b", "b", [["a", "a", [["c", "c"]]]]]]);
  });

  test("rule 14: moves that nest pages too deep together are a conflict", async () => {
    const chain = (name: string) => {
      const ids = Array.from({ length: 20 }, (_, i) => `${name}${i}`);
      return { ids, changes: ids.map((id, i) => withRef(page(id, i === 0 ? {} : { into: ids[i - 1] }))) };
    };
    const [x, y, z] = [chain("x"), chain("y"), [withRef(page("z"))]];
    const merged = await merging(
      [
        [...x.changes, ...y.changes, ...z],
        [...x.ids, ...y.ids, "z"],
      ],
      [[move("x0", "z")]],
      [[move("z", "y15")]],
    );
    expect(merged.conflicts).toEqual([
      { kind: "move", page: "z", base: { parent: null }, ours: { parent: null }, theirs: { parent: "y15" } },
    ]);
    expect((await entryOf(merged, "z")).parent).toBe(null);
  });

  test("rule 15: a page does not become a link while ours puts another under it, and a group stays at the top level", async () => {
    const space = new Space();
    const base = await space.change(null, three[0], [...three[1]!]);
    const ours = await space.change(base, [page("D", { into: "a" }), move("b", "c")], ["d"]);
    const theirs = await space.edit(base, async (draft) => {
      for (const [id, type] of [
        ["a", "link"],
        ["b", "group"],
      ] as const) {
        const { id: _, body: __, ...entry } = (await draft.getPage(id))!;
        draft.put(keys.page(id), { ...entry, type });
      }
    });
    const merged = await space.merge(base, ours, theirs);
    expect(await flawsOf(space, merged.root)).toEqual([]);
    expect(merged.conflicts).toContainEqual({
      kind: "field",
      page: "a",
      member: "type",
      base: "document",
      ours: "document",
      theirs: "link",
    });
    expect((await space.view(merged.root).getPage("a"))!.type).toBe("document");
    expect((await space.view(merged.root).getPage("b"))!.type).toBe("document");
  });

  test("rule 15: a page that theirs puts under a page that ours turned into a link moves to the top level", async () => {
    const space = new Space();
    const base = await space.change(null, three[0], [...three[1]!]);
    const ours = await space.edit(base, async (draft) => {
      const { id: _, body: __, ...entry } = (await draft.getPage("a"))!;
      draft.put(keys.page("a"), { ...entry, type: "link" });
    });
    const theirs = await space.change(base, [page("D", { into: "a" }), move("b", "a")], ["d"]);
    const merged = await space.merge(base, ours, theirs);
    expect(await flawsOf(space, merged.root)).toEqual([]);
    expect(merged.conflicts).toEqual([
      { kind: "move", page: "d", theirs: { parent: "a" } },
      { kind: "move", page: "b", base: { parent: null }, ours: { parent: null }, theirs: { parent: "a" } },
    ]);
  });
});

/** A page that others of the batch may stand under by its title, in small letters. */
function withRef(change: BatchChange): BatchChange {
  return { ...change, ref: (change as { title: string }).title.toLowerCase() } as BatchChange;
}

describe("files and reusable content", () => {
  const withFile: Script = [
    [file("a.txt"), page("A")],
    ["f", "a"],
  ];
  const reusable = (title: string, markdown: string): BatchChange => ({
    operation: "insert_reusable_content",
    title,
    document: { markdown },
  });

  test("rule 16: a file deleted on one side is deleted, and one added is added", async () => {
    const merged = await merging(
      [
        [file("a.txt"), file("b.txt"), reusable("R", "R.\n"), reusable("S", "S.\n")],
        ["f", "g", "r", "s"],
      ],
      [
        [
          { operation: "delete_files", files: ["f"] },
          { operation: "delete_reusable_content", reusableContent: "r" },
        ],
      ],
      [
        [
          { operation: "delete_files", files: ["g"] },
          { operation: "delete_reusable_content", reusableContent: "s" },
          file("c.txt"),
          reusable("T", "T [c](/files/h).\n"),
        ],
        ["h", "t"],
      ],
    );
    expect(merged.conflicts).toEqual([]);
    expect(Object.keys(await merged.space.entered(merged.root))).toEqual(["f/h", "r/t"]);
    expect(await merged.space.view(merged.root).getIncomingLinks("f:h")).toEqual([{ source: "t", n: 0 }]);
  });

  test("rule 17: a file that theirs deleted and ours newly links to stays", async () => {
    const merged = await merging(
      withFile,
      [[write("a", "[f](/files/f)\n")]],
      [[{ operation: "delete_files", files: ["f"] }]],
    );
    expect(merged.conflicts).toEqual([{ kind: "delete", file: "f", base: "a.txt", ours: "a.txt" }]);
    expect(await merged.space.view(merged.root).getFile("f")).toBeDefined();
  });

  test("rule 17: a file that ours deleted and theirs made a cover returns", async () => {
    const merged = await merging(
      withFile,
      [[{ operation: "delete_files", files: ["f"] }]],
      [[update("a", { cover: { ref: { kind: "file", file: "f" } } })]],
    );
    expect(merged.conflicts).toEqual([{ kind: "delete", file: "f", base: "a.txt", theirs: "a.txt" }]);
    expect(await merged.space.view(merged.root).getFile("f")).toBeDefined();
  });

  test("rule 17: existing links do not preserve a file", async () => {
    const merged = await merging(
      [
        [file("a.txt"), page("A", { document: { markdown: "[f](/files/f)\n" } })],
        ["f", "a"],
      ],
      [[write("a", "New.\n\n[x](https://example.com/)\n\n[f](/files/f)\n")]],
      [[{ operation: "delete_files", files: ["f"] }]],
    );
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.view(merged.root).getFile("f")).toBeUndefined();
  });

  test("rule 17: reusable content deleted on one side and edited or included on the other stays", async () => {
    const merged = await merging(
      [
        [reusable("R", "R.\n"), reusable("S", "S.\n"), page("A")],
        ["r", "s", "a"],
      ],
      [[{ operation: "delete_reusable_content", reusableContent: "r" }, write("a", "[s](/reusable-contents/s)\n")]],
      [
        [
          { operation: "update_reusable_content", reusableContent: "r", document: { markdown: "Yours.\n" } },
          { operation: "delete_reusable_content", reusableContent: "s" },
        ],
      ],
    );
    expect(merged.conflicts).toEqual([
      { kind: "delete", reusableContent: "r", base: "R", theirs: "R" },
      { kind: "delete", reusableContent: "s", base: "S", ours: "S" },
    ]);
    const { body } = (await merged.space.view(merged.root).getReusable("r"))!;
    expect(await merged.space.text(body)).toBe("Yours.\n");
  });

  test("rule 18: reusable content is merged like pages", async () => {
    const merged = await merging(
      [[reusable("R", "One.\n\nTwo.\n")], ["r"]],
      [
        [
          {
            operation: "update_reusable_content",
            reusableContent: "r",
            title: "Mine",
            document: { markdown: "One!\n\nTwo.\n" },
          },
        ],
      ],
      [
        [
          {
            operation: "update_reusable_content",
            reusableContent: "r",
            title: "Yours",
            document: { markdown: "One.\n\nTwo?\n" },
          },
        ],
      ],
    );
    expect(merged.conflicts).toEqual([
      { kind: "field", reusableContent: "r", member: "title", base: "R", ours: "Mine", theirs: "Yours" },
    ]);
    const { body, title } = (await merged.space.view(merged.root).getReusable("r"))!;
    expect(title).toBe("Mine");
    expect(await merged.space.text(body)).toBe("One!\n\nTwo?\n");
  });

  test("rule 19: two files that take one path get different paths, and links of theirs follow", async () => {
    const merged = await merging(
      [[page("A")], ["a"]],
      [[file("a.txt")], ["f"]],
      [[file("a.txt"), write("a", "[f](.gitbook/assets/a.txt)\n")], ["g"]],
    );
    expect(merged.conflicts).toEqual([]);
    const view = merged.space.view(merged.root);
    expect((await view.getFile("f"))!.path).toBe(".gitbook/assets/a.txt");
    expect((await view.getFile("g"))!.path).toBe(".gitbook/assets/a-1.txt");
    expect(await view.getIncomingLinks("f:g")).toEqual([{ source: "a", n: 0 }]);
  });
});

describe("variables", () => {
  const set = (variables: Record<string, string | number | null>): Script => [
    [{ operation: "set_variables", variables }],
  ];

  test("rule 20: a variable set on one side is taken", async () => {
    const merged = await merging(set({ a: 1, b: 1, c: 1 }), set({ a: 2, d: 1 }), set({ b: null, e: 1 }));
    expect(merged.conflicts).toEqual([]);
    expect(await merged.space.view(merged.root).getVariables()).toEqual({ a: 2, c: 1, d: 1, e: 1 });
  });

  test("rule 21: a variable set differently on both sides, or removed on one, is a conflict", async () => {
    const merged = await merging(set({ a: 1, b: 1, c: 1 }), set({ a: 2, b: null, c: 2 }), set({ a: 3, b: 2, c: null }));
    expect(merged.conflicts).toEqual([
      { kind: "variable", variable: "a", base: 1, ours: 2, theirs: 3 },
      { kind: "variable", variable: "b", base: 1, theirs: 2 },
      { kind: "variable", variable: "c", base: 1, ours: 2 },
    ]);
    expect(await merged.space.view(merged.root).getVariables()).toEqual({ a: 2, b: 2, c: 2 });
  });
});
