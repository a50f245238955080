// Random histories of a map, and the expected result: a plain `Map` whose keys are sorted when it is read.

import fc from "fast-check";
import {
  changeMap,
  createMemorySource,
  type JsonValue,
  type MapNode,
  type MapRoot,
  markReachableNodes,
  type NodeSource,
} from "../../../src/content/prolly-tree";

export type Edits = ReadonlyMap<string, JsonValue | undefined>;

const prefixes = ["c/x/", "p/", "p/x/", "s/", "__proto__/"];
/** Characters in a value; the long ones make nodes that have to be cut, also where no key asks for it. */
const lengths = { small: 10, page: 300, long: 3000, huge: 15_000 };

/** One key of the two thousand that random edits meet on. */
export const anyKey = fc
  .tuple(fc.constantFrom(...prefixes), fc.nat({ max: 399 }))
  .map(([prefix, i]) => keyAt(prefix, i));

/** Edits of keys in a row, as an import or the deletion of a part of the tree makes them. */
const run = fc
  .record({
    prefix: fc.constantFrom(...prefixes),
    first: fc.nat({ max: 399 }),
    many: fc.integer({ min: 1, max: 250 }),
    stride: fc.integer({ min: 1, max: 5 }),
    size: fc.constantFrom("small", "page", "page", "long", "huge", "deleted", "deleted"),
    salt: fc.nat({ max: 3 }),
  })
  .map(({ prefix, first, many, stride, size, salt }) => {
    const count = size === "huge" || size === "long" ? Math.ceil(many / 10) : many;
    return Array.from({ length: count }, (_, n): [string, JsonValue | undefined] => {
      const i = (first + n * stride) % 400;
      return [keyAt(prefix, i), size === "deleted" ? undefined : pageValue(i, lengths[size as "small"], salt)];
    });
  });
const single = fc
  .tuple(anyKey, fc.option(fc.jsonValue({ maxDepth: 3 }), { nil: undefined }))
  .map((edit) => [edit as [string, JsonValue | undefined]]);

/** A batch of edits. */
export const anyEdits: fc.Arbitrary<Edits> = fc
  .array(fc.oneof(run, single), { maxLength: 6 })
  .map((edits) => new Map(edits.flat()));

/** Batches, one after another. */
export const anyHistory = fc.array(anyEdits, { minLength: 1, maxLength: 6 });

function keyAt(prefix: string, i: number): string {
  return `${prefix}${String(i).padStart(3, "0")}`;
}

/** A value of about so many characters. */
export function pageValue(i: number, length: number, salt = 0): JsonValue {
  return { title: `Page ${i}`, salt, text: "x".repeat(length) };
}

/** What a history comes to. */
export function played(history: readonly Edits[]): Map<string, JsonValue> {
  const contents = new Map<string, JsonValue>();
  for (const [key, value] of history.flatMap((edits) => [...edits])) {
    if (value === undefined) contents.delete(key);
    else contents.set(key, value);
  }
  return contents;
}

/** The entries of a plain map, in order. */
export function sorted(contents: ReadonlyMap<string, JsonValue>): { key: string; value: JsonValue }[] {
  const byKey = [...contents].sort(([a], [b]) => (a < b ? -1 : 1));
  // As they come back out of JSON, where -0 is 0.
  return byKey.map(([key, value]) => ({ key, value: JSON.parse(JSON.stringify(value)) }));
}

/** A map that is changed and saved again and again, with all its nodes in memory. */
export class Saved {
  readonly texts = new Map<string, string>();
  readonly source: NodeSource = createMemorySource(this.texts);
  root: MapRoot = null;

  async change(edits: Edits): Promise<ReadonlyMap<string, string>> {
    const { root, created } = await changeMap(this.source, this.root, edits);
    for (const [hash, text] of created) this.texts.set(hash, text);
    this.root = root;
    return created;
  }

  /** The map that a history leads to. */
  static async after(...history: readonly Edits[]): Promise<Saved> {
    const map = new Saved();
    for (const edits of history) await map.change(edits);
    return map;
  }

  /** Levels, from the root to the leaves. */
  async height(): Promise<number> {
    return this.root === null ? 0 : (await this.source.load([this.root]))[0]!.level + 1;
  }

  async reachable(root = this.root): Promise<Set<string>> {
    const seen = new Set<string>();
    await markReachableNodes(this.source, [root], seen);
    return seen;
  }
}

/** A source that counts the nodes that it hands out and how often it was asked. */
export function counted(source: NodeSource): NodeSource & { nodes: number; asked: number } {
  return {
    nodes: 0,
    asked: 0,
    async load(hashes): Promise<readonly MapNode[]> {
      this.nodes += hashes.length;
      this.asked++;
      return source.load(hashes);
    },
  };
}
