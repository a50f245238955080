// A draft: a stored revision with changes on top, and the new objects that have to be saved with it. Nobody sees a draft
// before it is saved.
//
// Changes wait in memory and are written into the map together, because each write of a leaf also writes every node above it.
// Reads see them at once.

import { type RunSteps, runStepsAtOnce, yieldOnce } from "../../utils/concurrency/steps";
import { sha256Hex } from "../../utils/sha256";
import * as map from "../prolly-tree";
import { sortInSteps } from "./sort-in-steps";
import { createRevisionView, type RevisionReader, type RevisionView } from "./view";

/** Reads of the stored map with the changes on top, and the changes. */
export interface Draft extends RevisionView {
  put(key: string, value: object | string | number | boolean): void;
  delete(key: string): void;
  /** Adds a text or bytes that an entry names by their hash, and returns the hash. */
  storeObject(content: Uint8Array | string): string;
  /** If the draft has a sink and holds much, hands over what it holds. Awaiting this bounds the memory of a large draft. */
  flushIfFull(): Promise<void>;
  /** Returns the root with all changes, and every new object. */
  finish(): Promise<FinishedDraft>;
}

/** Takes new objects as they come, ahead of the revision, so that a draft does not hold all of them: the storage. */
export interface ObjectSink {
  /** Takes an object by its hash. Returns true if the sink holds enough to be emptied. */
  take(hash: string, content: Uint8Array | string): boolean;
  /** Empties the sink. From then on, the source of the draft has the objects. */
  put(): Promise<void>;
}

export interface FinishedDraft {
  readonly root: map.MapRoot;
  /** New nodes, texts and files, by hash, without those that the sink took. */
  readonly objects: ReadonlyMap<string, Uint8Array | string>;
  /** The new nodes as parsing them would return them, and some that were needed on the way. */
  readonly nodes: ReadonlyMap<string, map.MapNode>;
}

export function createStoredView(source: map.NodeSource, root: map.MapRoot): RevisionView {
  return createRevisionView({
    get: (key) => map.getValue(source, root, key),
    getMany: (keys) => map.getValues(source, root, keys),
    list: (range) => map.listEntries(source, root, range),
    listMany: (ranges) => map.listRanges(source, root, ranges),
    iterate: (under) => map.iterateEntries(source, root, { under }),
    count: (range) => map.countEntries(source, root, range),
  });
}

/** If more pending keys than this are in the range of a read, they are written into the map before it. */
const MAX_OVERLAID_KEYS = 64;
/** The number of changes that are written into the map together. More would keep other work waiting. */
const EDITS_PER_WRITE = 500;
/**
 * The number of changes that wait in a draft with a sink. Fewer would take less memory, and would write more nodes that the
 * next changes replace. The ids of a book rise with its pages, so each part of it changes its own nodes, except for links
 * across.
 */
const MAX_PENDING_EDITS = 20_000;
/** The number of characters of new nodes that are held before they are handed over. */
const MAX_HELD_CHARACTERS = 2 * 1024 * 1024;

type Edits = Map<string, map.JsonValue | undefined>;

/**
 * Creates a draft on a stored revision. `runSteps` runs long work. Default: all at once. With a sink, the draft holds at most
 * `maxPendingEdits` changes, and `stored` must have the objects that the sink put.
 */
export function createDraft(
  stored: map.NodeSource,
  base: map.MapRoot,
  runSteps: RunSteps = runStepsAtOnce,
  sink?: ObjectSink,
  maxPendingEdits = MAX_PENDING_EDITS,
): Draft {
  const newTexts = new Map<string, string>();
  const newNodes = new Map<string, map.MapNode>();
  const newObjects = new Map<string, Uint8Array | string>();
  const source = map.createCachedSource(stored, { get: (hash) => newNodes.get(hash), set: () => undefined });
  let root = base;
  let pendingEdits: Edits = new Map();
  /** The keys of `pendingEdits`, by the part of the key up to its second `/`. */
  let pendingKeysByScope = new Map<string, Set<string>>();
  let currentFlush: Promise<void> | undefined;
  let writeCount = 0;
  let isSinkFull = false;

  const setEdit = (key: string, value: map.JsonValue | undefined) => {
    pendingEdits.set(key, value);
    const scope = getScope(key);
    const keys = pendingKeysByScope.get(scope);
    if (keys) keys.add(key);
    else pendingKeysByScope.set(scope, new Set([key]));
  };

  /** Writes the pending edits into the map. Reads that come meanwhile wait for this. */
  async function flushEdits(isLast = false): Promise<void> {
    await currentFlush;
    if (pendingEdits.size === 0) return;
    const edits = pendingEdits;
    pendingEdits = new Map();
    pendingKeysByScope = new Map();
    currentFlush = writeEdits(edits, isLast).finally(() => {
      currentFlush = undefined;
    });
    await currentFlush;
  }

  /** Writes many edits in the order of their keys, so that each part changes its own nodes, except for the few above them. */
  async function writeEdits(edits: Edits, isLast: boolean): Promise<void> {
    if (edits.size <= EDITS_PER_WRITE) {
      await writePart(edits);
      return;
    }
    const keys = await runSteps(sortInSteps([...edits.keys()]));
    let heldCharacters = 0;
    for (let start = 0; start < keys.length; start += EDITS_PER_WRITE) {
      const part: Edits = new Map();
      for (const key of keys.slice(start, start + EDITS_PER_WRITE)) {
        part.set(key, edits.get(key));
        edits.delete(key);
      }
      heldCharacters += await writePart(part);
      if (isLast && sink && heldCharacters >= MAX_HELD_CHARACTERS) {
        await releaseNodes(sink);
        heldCharacters = 0;
      }
      await runSteps(yieldOnce());
    }
  }

  /** Writes edits into the map and returns the characters of the new nodes. */
  async function writePart(edits: Edits): Promise<number> {
    writeCount++;
    const changed = await map.changeMap(source, root, edits, runSteps);
    let characters = 0;
    for (const [hash, text] of changed.created) {
      newTexts.set(hash, text);
      characters += text.length;
    }
    for (const [hash, node] of changed.nodes) newNodes.set(hash, node);
    root = changed.root;
    return characters;
  }

  /** Returns the new nodes that the map needs. After several writes, only the last root counts. */
  async function collectNewTexts(): Promise<ReadonlyMap<string, string>> {
    return writeCount > 1 ? runSteps(map.collectNeededNodesInSteps(newTexts, root)) : newTexts;
  }

  /** Hands over the new nodes that the map needs. From then on, they are read from the storage. */
  async function releaseNodes(into: ObjectSink): Promise<void> {
    for (const [hash, text] of await collectNewTexts()) if (into.take(hash, text)) await into.put();
    await into.put();
    newTexts.clear();
    newNodes.clear();
  }

  /**
   * Returns the pending keys in a range. If they are few, the caller lays them over the stored entries, because writing them
   * into the map costs nodes. If they are many, they are written into the map first, because every read would have to look at
   * all of them.
   */
  async function listPendingKeys(under: string): Promise<readonly string[]> {
    await currentFlush;
    const isScope = under !== "" && getScope(under) === under;
    const candidates = isScope ? pendingKeysByScope.get(under) : pendingEdits.keys();
    const keys = [...(candidates ?? [])].filter((key) => key.startsWith(under));
    if (keys.length <= MAX_OVERLAID_KEYS) return keys;
    await flushEdits();
    return [];
  }

  const reader: RevisionReader = {
    async get(key) {
      if (currentFlush !== undefined) await currentFlush;
      return pendingEdits.has(key) ? pendingEdits.get(key) : map.getValue(source, root, key);
    },
    async getMany(keys) {
      if (currentFlush !== undefined) await currentFlush;
      const storedKeys = keys.filter((key) => !pendingEdits.has(key));
      const storedValues = await map.getValues(source, root, storedKeys);
      let next = 0;
      return keys.map((key) => (pendingEdits.has(key) ? pendingEdits.get(key) : storedValues[next++]));
    },
    async list(range) {
      if (currentFlush !== undefined) await currentFlush;
      const pendingKeys = await listPendingKeys(range.under);
      if (pendingKeys.length === 0) return map.listEntries(source, root, range);
      const limit = range.limit ?? Number.POSITIVE_INFINITY;
      const stored = await map.listEntries(source, root, { ...range, limit: limit + pendingKeys.length });
      const entries = stored.filter(({ key }) => !pendingEdits.has(key));
      const { from, to } = map.toKeyRange(range);
      for (const key of pendingKeys) {
        const value = pendingEdits.get(key);
        if (value !== undefined && key >= from && key < to) entries.push({ key, value });
      }
      const direction = range.reverse ? -1 : 1;
      return entries.sort((a, b) => (a.key < b.key ? -direction : direction)).slice(0, limit);
    },
    async count(range) {
      if (currentFlush !== undefined) await currentFlush;
      const pendingKeys = await listPendingKeys(range.under);
      const stored = await map.getValues(source, root, pendingKeys);
      let change = 0;
      for (const [i, key] of pendingKeys.entries())
        change += Number(pendingEdits.get(key) !== undefined) - Number(stored[i] !== undefined);
      return change + (await map.countEntries(source, root, range));
    },
  };
  return {
    ...createRevisionView(reader),
    put: (key, value) => setEdit(key, value as map.JsonValue),
    delete: (key) => setEdit(key, undefined),
    storeObject(content) {
      const hash = sha256Hex(content);
      if (sink) isSinkFull = sink.take(hash, content);
      else newObjects.set(hash, content);
      return hash;
    },
    async flushIfFull() {
      if (sink && pendingEdits.size >= maxPendingEdits) {
        await flushEdits(true);
        await releaseNodes(sink);
      }
      if (!isSinkFull) return;
      isSinkFull = false;
      await sink!.put();
    },
    async finish() {
      await flushEdits(true);
      const texts = await collectNewTexts();
      if (!sink) return { root, objects: new Map([...texts, ...newObjects]), nodes: newNodes };
      for (const [hash, text] of texts) if (sink.take(hash, text)) await sink.put();
      return { root, objects: new Map(), nodes: newNodes };
    },
  };
}

/** Returns the part of a key up to its second `/`, if it has one. */
function getScope(key: string): string {
  return key.slice(0, key.indexOf("/", key.indexOf("/") + 1) + 1);
}
