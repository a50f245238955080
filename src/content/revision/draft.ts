// A revision in the making: a stored one with changes on top, and the new objects that saving it takes. Nothing of it is
// seen by anyone until it is saved.

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
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
  const source = map.memorySource(created, stored);
  let root = base;
  let settledTimes = 0;
  const overwritten = (key: string) => pending.has(key);

  /** Lists and counts look at the map alone, so what waits for the part they ask for is brought into it first. */
  async function settled(under = ""): Promise<Reads> {
    if ([...pending.keys()].some((key) => key.startsWith(under))) {
      const edits = pending;
      settledTimes++;
      pending = new Map();
      const changed = await map.change(source, root, edits);
      for (const [hash, text] of changed.created) created.set(hash, text);
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
    put: (key, value) => void pending.set(key, value as map.Json),
    delete: (key) => void pending.set(key, undefined),
    keep(content) {
      const hash = bytesToHex(sha256(typeof content === "string" ? utf8ToBytes(content) : content));
      kept.set(hash, content);
      return hash;
    },
    async finish() {
      await settled();
      // What was settled once was made for this root; of several times, only the last root counts.
      const nodes = settledTimes > 1 ? map.needed(created, root) : created;
      return { root, objects: new Map([...nodes, ...kept]) };
    },
  };
}
