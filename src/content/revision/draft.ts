// A draft: a stored revision with changes on top, and the new objects that have to be saved with it. Nobody sees it
// until it is saved.

import { sha256Hex } from "../../sha256";
import * as map from "../map";
import type { CarryOut } from "../markdown/steps";
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

/** A draft on a revision. `inTurns` carries out what is long, with turns for others; default: at once. */
export function createDraft(stored: map.NodeSource, base: map.Root, inTurns?: CarryOut): Draft {
  const created = new Map<string, string>();
  const kept = new Map<string, Uint8Array | string>();
  let pending = new Map<string, map.Json | undefined>();
  /** The keys of `pending`, by the part up to their second `/`. */
  let scopes = new Map<string, Set<string>>();
  const nodes = new Map<string, map.Node>();
  const source = map.heldSource(nodes, stored);
  let root = base;
  let settledTimes = 0;
  const overwritten = (key: string) => pending.has(key);

  const enter = (key: string, value: map.Json | undefined) => {
    pending.set(key, value);
    const scope = scopeOf(key);
    const known = scopes.get(scope);
    if (known) known.add(key);
    else scopes.set(scope, new Set([key]));
  };

  /** Changes that are being written: until then they are neither waiting nor in the map. */
  let settling: Promise<void> | undefined;

  async function settle(): Promise<void> {
    await settling;
    settling = writeAll().finally(() => {
      settling = undefined;
    });
    await settling;
  }

  async function writeAll(): Promise<void> {
    if (pending.size === 0) return;
    const edits = pending;
    settledTimes++;
    pending = new Map();
    scopes = new Map();
    const changed = await map.change(source, root, edits, inTurns);
    for (const [hash, text] of changed.created) created.set(hash, text);
    for (const [hash, node] of changed.nodes) nodes.set(hash, node);
    root = changed.root;
  }

  /** Waiting keys of a part of the map. If they are few, they are laid over the stored ones, because writing them into
   * the map costs nodes. If they are many, they are written into the map, because every read would have to look at all
   * of them. */
  async function waitingFor(under: string): Promise<readonly string[]> {
    await settling;
    const known = under !== "" && scopeOf(under) === under ? scopes.get(under) : pending.keys();
    const found = [...(known ?? [])].filter((key) => key.startsWith(under));
    if (found.length <= MOST_LAID_OVER) return found;
    await settle();
    return [];
  }

  const reads: Reads = {
    async get(key) {
      await settling;
      return overwritten(key) ? pending.get(key) : map.get(source, root, key);
    },
    async getMany(keys) {
      await settling;
      const found = await map.getMany(
        source,
        root,
        keys.filter((key) => !overwritten(key)),
      );
      let next = 0;
      return keys.map((key) => (overwritten(key) ? pending.get(key) : found[next++]));
    },
    async list(part) {
      const waiting = await waitingFor(part.under ?? "");
      if (waiting.length === 0) return map.list(source, root, part);
      const limit = part.limit ?? Number.POSITIVE_INFINITY;
      const rows = await map.list(source, root, { ...part, limit: limit + waiting.length });
      const fresh = map.within(part, waiting).flatMap((key) => {
        const value = pending.get(key);
        return value === undefined ? [] : [{ key, value }];
      });
      const all = [...rows.filter(({ key }) => !overwritten(key)), ...fresh];
      const turn = part.reverse ? -1 : 1;
      return all.sort((a, b) => (a.key < b.key ? -turn : turn)).slice(0, limit);
    },
    async count(part) {
      const waiting = await waitingFor(part.under ?? "");
      const before = await map.getMany(source, root, waiting);
      const more = waiting.map((key, i) => Number(pending.get(key) !== undefined) - Number(before[i] !== undefined));
      return more.reduce((sum, each) => sum + each, await map.count(source, root, part));
    },
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
      await settle();
      // A draft may be settled several times; only the last root counts.
      const texts = settledTimes > 1 ? map.needed(created, root) : created;
      return { root, objects: new Map([...texts, ...kept]), nodes };
    },
  };
}

/** If more keys than this wait for a part, they are written into the map before it is read. */
const MOST_LAID_OVER = 64;

/** The part of a key up to its second `/`, if it has one. */
function scopeOf(key: string): string {
  return key.slice(0, key.indexOf("/", key.indexOf("/") + 1) + 1);
}
