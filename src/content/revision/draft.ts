// A revision in the making: a stored one with changes on top, and the new objects that saving it takes. Nothing of it is
// seen by anyone until it is saved.

import { sha256Hex } from "../../sha256";
import * as map from "../map";
import { type Reads, type View, viewOf } from "./view";

/** Reads of the stored map with the changes on top, and the changes. */
export interface Draft extends View {
  put(key: string, value: object | string | number | boolean): void;
  delete(key: string): void;
  /** Keeps a text or bytes that an entry names by their hash. */
  keep(content: Uint8Array | string): string;
  /** The root with all changes in it, and every object that is new. */
  finish(): Promise<Finished>;
}

export interface Finished {
  readonly root: map.Root;
  /** New nodes, texts and files, by hash. */
  readonly objects: ReadonlyMap<string, Uint8Array | string>;
  /** The new nodes as reading them would give them, and some that were needed on the way. */
  readonly nodes: ReadonlyMap<string, map.Node>;
}

/** A stored map as a view. */
export function storedView(source: map.NodeSource, root: map.Root): View {
  return viewOf(readsOf(source, root));
}

function readsOf(source: map.NodeSource, root: map.Root): Reads {
  return {
    get: (key) => map.get(source, root, key),
    getMany: (keys) => map.getMany(source, root, keys),
    list: (part) => map.list(source, root, part),
    count: (part) => map.count(source, root, part),
  };
}

export function createDraft(stored: map.NodeSource, base: map.Root): Draft {
  const created = new Map<string, string>();
  const kept = new Map<string, Uint8Array | string>();
  let pending = new Map<string, map.Json | undefined>();
  let scopes = new Set<string>();
  const nodes = new Map<string, map.Node>();
  const source = map.heldSource(nodes, stored);
  let root = base;
  let settledTimes = 0;
  const overwritten = (key: string) => pending.has(key);

  const enter = (key: string, value: map.Json | undefined) => {
    pending.set(key, value);
    scopes.add(scopeOf(key));
  };
  /** Whether something waits for a part. Batches of thousands ask for the links of each of their texts. */
  const waitsFor = (under: string) => {
    if (scopeOf(under) === under) return scopes.has(under);
    for (const key of pending.keys()) if (key.startsWith(under)) return true;
    return false;
  };

  /** Lists and counts look at the map alone, so what waits for the part they ask for is brought into it first. */
  async function settled(under = ""): Promise<Reads> {
    if (waitsFor(under)) {
      const edits = pending;
      settledTimes++;
      pending = new Map();
      scopes = new Set();
      const changed = await map.change(source, root, edits);
      for (const [hash, text] of changed.created) created.set(hash, text);
      for (const [hash, node] of changed.nodes) nodes.set(hash, node);
      root = changed.root;
    }
    return readsOf(source, root);
  }

  const reads: Reads = {
    get: async (key) => (overwritten(key) ? pending.get(key) : map.get(source, root, key)),
    async getMany(keys) {
      const found = await map.getMany(
        source,
        root,
        keys.filter((key) => !overwritten(key)),
      );
      let next = 0;
      return keys.map((key) => (overwritten(key) ? pending.get(key) : found[next++]));
    },
    list: async (part) => (await settled(part.under)).list(part),
    count: async (part) => (await settled(part.under)).count(part),
  };
  return {
    ...viewOf(reads),
    put: (key, value) => enter(key, value as map.Json),
    delete: (key) => enter(key, undefined),
    keep(content) {
      const hash = sha256Hex(content);
      kept.set(hash, content);
      return hash;
    },
    async finish() {
      await settled();
      // What was settled once was made for this root; of several times, only the last root counts.
      const texts = settledTimes > 1 ? map.needed(created, root) : created;
      return { root, objects: new Map([...texts, ...kept]), nodes };
    },
  };
}

/** The part of a key up to its second `/`, if it has one. */
function scopeOf(key: string): string {
  return key.slice(0, key.indexOf("/", key.indexOf("/") + 1) + 1);
}
