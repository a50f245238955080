// A draft: a stored revision with changes on top, and the new objects that have to be saved with it. Nobody sees it
// until it is saved.

import { sha256Hex } from "../../utils/sha256";
import { type RunSteps, runStepsAtOnce, yieldOnce } from "../markdown/steps";
import * as map from "../prolly-tree";
import { sortInSteps } from "./sort-in-steps";
import { createRevisionView, type RevisionReader, type RevisionView } from "./view";

/** Reads of the stored map with the changes on top, and the changes. */
export interface Draft extends RevisionView {
  put(key: string, value: object | string | number | boolean): void;
  delete(key: string): void;
  /** Keeps a text or bytes that an entry names by their hash. */
  storeObject(content: Uint8Array | string): string;
  /** Waits until what was kept and changed is no longer held, if that is much and there is an outlet. */
  flushIfFull(): Promise<void>;
  /** The root with all changes in it, and every object that is new. */
  finish(): Promise<FinishedDraft>;
}

/** Where new objects go as they come, so that a draft does not hold all of them: the storage, ahead of the revision. */
export interface ObjectSink {
  /** Takes an object by its hash. True: it holds enough to be emptied. */
  take(hash: string, content: Uint8Array | string): boolean;
  /** Empties it. From then on the source of the draft has what it took. */
  put(): Promise<void>;
}

export interface FinishedDraft {
  readonly root: map.MapRoot;
  /** New nodes, texts and files, by hash, without those that went into an outlet. */
  readonly objects: ReadonlyMap<string, Uint8Array | string>;
  /** The new nodes as reading them would give them, and some that were needed on the way. */
  readonly nodes: ReadonlyMap<string, map.MapNode>;
}

/** A stored map as a view. */
export function createStoredView(source: map.NodeSource, root: map.MapRoot): RevisionView {
  return createRevisionView(readsOf(source, root));
}

function readsOf(source: map.NodeSource, root: map.MapRoot): RevisionReader {
  return {
    get: (key) => map.getValue(source, root, key),
    getMany: (keys) => map.getValues(source, root, keys),
    list: (part) => map.listEntries(source, root, part),
    listMany: (parts) => map.listRanges(source, root, parts),
    iterate: (under) => map.iterateEntries(source, root, { under }),
    count: (part) => map.countEntries(source, root, part),
  };
}

/**
 * A draft on a stored revision. `runSteps` carries out what is long, with turns for others; default: at once. With an outlet
 * it holds `mostPending` changes and no more; `stored` must have what was put.
 */
export function createDraft(
  stored: map.NodeSource,
  base: map.MapRoot,
  inTurns: RunSteps = runStepsAtOnce,
  outlet?: ObjectSink,
  mostPending = MOST_PENDING,
): Draft {
  const created = new Map<string, string>();
  const kept = new Map<string, Uint8Array | string>();
  let pending = new Map<string, map.JsonValue | undefined>();
  /** The keys of `pending`, by the part up to their second `/`. */
  let scopes = new Map<string, Set<string>>();
  const nodes = new Map<string, map.MapNode>();
  const source = map.createLayeredSource(nodes, stored);
  let root = base;
  let settledTimes = 0;
  let settling: Promise<void> | undefined;
  let isFull = false;
  const overwritten = (key: string) => pending.has(key);

  const enter = (key: string, value: map.JsonValue | undefined) => {
    pending.set(key, value);
    const scope = scopeOf(key);
    const known = scopes.get(scope);
    if (known) known.add(key);
    else scopes.set(scope, new Set([key]));
  };

  /** Writes what waits into the map. Reads that come meanwhile wait for it. */
  async function settle(isLast = false): Promise<void> {
    await settling;
    if (pending.size === 0) return;
    const edits = pending;
    pending = new Map();
    scopes = new Map();
    settling = changeAll(edits, isLast).finally(() => {
      settling = undefined;
    });
    await settling;
  }

  async function change(edits: ReadonlyMap<string, map.JsonValue | undefined>): Promise<number> {
    settledTimes++;
    const changed = await map.changeMap(source, root, edits, inTurns);
    let length = 0;
    for (const [hash, text] of changed.created) {
      created.set(hash, text);
      length += text.length;
    }
    for (const [hash, node] of changed.nodes) nodes.set(hash, node);
    root = changed.root;
    return length;
  }

  /** In the order of keys each piece changes nodes of its own, except for the few above them. */
  async function changeAll(edits: Map<string, map.JsonValue | undefined>, isLast: boolean): Promise<void> {
    if (edits.size <= AT_ONCE) {
      await change(edits);
      return;
    }
    const keys = await inTurns(sortInSteps([...edits.keys()]));
    let length = 0;
    for (let at = 0; at < keys.length; at += AT_ONCE) {
      const piece = new Map<string, map.JsonValue | undefined>();
      for (const key of keys.slice(at, at + AT_ONCE)) {
        piece.set(key, edits.get(key));
        edits.delete(key);
      }
      length += await change(piece);
      if (isLast && outlet && length >= MOST_HELD) {
        await release(outlet);
        length = 0;
      }
      await inTurns(yieldOnce());
    }
  }

  /** Hands over the new nodes that the map needs. They are read from the storage from then on. */
  async function release(into: ObjectSink): Promise<void> {
    for (const [hash, text] of settledTimes > 1 ? await inTurns(map.collectNeededNodesInSteps(created, root)) : created)
      if (into.take(hash, text)) await into.put();
    await into.put();
    created.clear();
    nodes.clear();
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

  const reads: RevisionReader = {
    async get(key) {
      if (settling) await settling;
      return overwritten(key) ? pending.get(key) : map.getValue(source, root, key);
    },
    async getMany(keys) {
      if (settling) await settling;
      const found = await map.getValues(
        source,
        root,
        keys.filter((key) => !overwritten(key)),
      );
      let next = 0;
      return keys.map((key) => (overwritten(key) ? pending.get(key) : found[next++]));
    },
    async list(part) {
      if (settling) await settling;
      const waiting = await waitingFor(part.under ?? "");
      if (waiting.length === 0) return map.listEntries(source, root, part);
      const limit = part.limit ?? Number.POSITIVE_INFINITY;
      const rows = await map.listEntries(source, root, { ...part, limit: limit + waiting.length });
      const fresh = map.filterKeys(part, waiting).flatMap((key) => {
        const value = pending.get(key);
        return value === undefined ? [] : [{ key, value }];
      });
      const all = [...rows.filter(({ key }) => !overwritten(key)), ...fresh];
      const turn = part.reverse ? -1 : 1;
      return all.sort((a, b) => (a.key < b.key ? -turn : turn)).slice(0, limit);
    },
    async count(part) {
      if (settling) await settling;
      const waiting = await waitingFor(part.under ?? "");
      const before = await map.getValues(source, root, waiting);
      const more = waiting.map((key, i) => Number(pending.get(key) !== undefined) - Number(before[i] !== undefined));
      return more.reduce((sum, each) => sum + each, await map.countEntries(source, root, part));
    },
  };
  return {
    ...createRevisionView(reads),
    put: (key, value) => enter(key, value as map.JsonValue),
    delete: (key) => enter(key, undefined),
    storeObject(content) {
      const hash = sha256Hex(content);
      if (outlet) isFull = outlet.take(hash, content);
      else kept.set(hash, content);
      return hash;
    },
    async flushIfFull() {
      if (outlet && pending.size >= mostPending) {
        await settle(true);
        await release(outlet);
      }
      if (!isFull) return;
      isFull = false;
      await outlet!.put();
    },
    async finish() {
      await settle(true);
      // A draft may be settled several times; only the last root counts.
      const texts = settledTimes > 1 ? await inTurns(map.collectNeededNodesInSteps(created, root)) : created;
      if (!outlet) return { root, objects: new Map([...texts, ...kept]), nodes };
      for (const [hash, text] of texts) if (outlet.take(hash, text)) await outlet.put();
      return { root, objects: new Map(), nodes };
    },
  };
}

/** If more keys than this wait for a part, they are written into the map before it is read. */
const MOST_LAID_OVER = 64;
/** Changes that are written into the map together. More would keep others waiting. */
const AT_ONCE = 500;
/** Changes that wait in a draft with an outlet. Fewer would take less memory, and would write more nodes that the next ones
 * replace. The ids of a book rise with its pages, so each part of it changes nodes of its own, except for links across. */
const MOST_PENDING = 20_000;
/** Characters of new nodes that are held before they are handed over. */
const MOST_HELD = 2 * 1024 * 1024;

/** The part of a key up to its second `/`, if it has one. */
function scopeOf(key: string): string {
  return key.slice(0, key.indexOf("/", key.indexOf("/") + 1) + 1);
}
