// A draft reads the same whether its changes are kept on top of the stored map or are part of it.

import fc from "fast-check";
import { expect, test } from "vitest";
import {
  changeMap,
  countEntries,
  createMemorySource,
  type JsonValue,
  listEntries,
} from "../../../src/content/prolly-tree";
import { createDraft } from "../../../src/content/revision/draft";
import { runs } from "../../support/test-length";

const key = fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("x", "y", "z"), fc.nat({ max: 40 }));
const keyText = ([kind, scope, n]: [string, string, number]) => `${kind}/${scope}/${n}`;
const edits = (maxLength: number) => fc.array(fc.tuple(key, fc.option(fc.nat())), { maxLength });
const part = fc.record({
  under: fc.constantFrom("", "a/", "a/x/", "b/z/", "b/z/1", "c/"),
  after: fc.option(key.map(keyText), { nil: undefined }),
  before: fc.option(key.map(keyText), { nil: undefined }),
  limit: fc.option(fc.nat({ max: 10 }), { nil: undefined }),
  reverse: fc.boolean(),
});

test.each([
  ["few", 30],
  ["many", 400],
])("%s changes are visible in every list and count at any time", async (_, most) => {
  await fc.assert(
    fc.asyncProperty(edits(100), edits(most), fc.array(part, { minLength: 1 }), async (stored, made, parts) => {
      const values = (all: typeof stored) =>
        new Map(all.map(([it, value]): [string, JsonValue | undefined] => [keyText(it), value ?? undefined]));
      const base = await changeMap(createMemorySource(new Map()), null, values(stored));
      const source = createMemorySource(base.created);
      const wanted = await changeMap(source, base.root, values(made));
      const after = createMemorySource(wanted.created, source);
      const draft = createDraft(source, base.root);
      const step = Math.ceil(made.length / parts.length);
      for (const [i, asked] of parts.entries()) {
        for (const [it, value] of made.slice(i * step, (i + 1) * step))
          if (value === null) draft.delete(keyText(it));
          else draft.put(keyText(it), value);
        if (i < parts.length - 1) await draft.list(asked);
      }
      for (const asked of parts) {
        expect(await draft.list(asked)).toEqual(await listEntries(after, wanted.root, asked));
        const { under } = asked;
        expect(await draft.count({ under })).toBe(await countEntries(after, wanted.root, { under }));
      }
      expect((await draft.finish()).root).toBe(wanted.root);
    }),
    { numRuns: runs(150) },
  );
});

test("with an outlet, changes and nodes beyond the limit are moved there, and the map is the same", async () => {
  const put = new Map<string, string>();
  let taken = new Map<string, string>();
  const outlet = {
    take(hash: string, content: Uint8Array | string) {
      taken.set(hash, content as string);
      return taken.size >= 100;
    },
    async put() {
      for (const [hash, text] of taken) put.set(hash, text);
      taken = new Map();
    },
  };
  const source = createMemorySource(put);
  const draft = createDraft(source, null, undefined, outlet, 1000);
  const wanted = new Map<string, JsonValue>();
  // Keys come in no order, as ids do.
  for (let n = 0; n < 5000; n++) {
    const name = `a/${(n * 7919) % 101_009}/x`;
    wanted.set(name, n);
    draft.put(name, n);
    await draft.flushIfFull();
  }
  expect(put.size).toBeGreaterThan(100);
  draft.put("a/7919/x", "again");
  wanted.set("a/7919/x", "again");
  expect(await draft.get("a/15838/x")).toBe(2);
  const { root, objects } = await draft.finish();
  await outlet.put();
  expect(objects.size).toBe(0);
  expect(root).toBe((await changeMap(createMemorySource(new Map()), null, wanted)).root);
  expect(await countEntries(source, root, {})).toBe(5000);
});
