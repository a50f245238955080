// Copies content to another organization, which is another partition: every object that its revisions reference is
// copied once.

import { markReachableNodes, type NodeSource } from "../../../content/prolly-tree";
import { getObjectHash } from "../../../content/revision/entries";
import { copyObjects, createObjectCache, objectsIn } from "../../../storage/objects";
import type { Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { nodesOf, type RevisionRecord, revisions, toldBy } from "./records";

/** Revisions that are read together. */
const PAGE = 200;
/** Objects that are collected before they are copied. */
const GATHERED = 2000;

/** What one transfer has copied so far. */
export interface Sent {
  readonly nodes: Set<string>;
  readonly rest: Set<string>;
}

/**
 * Copies the objects of revisions of a space that are not there yet. They are kept there as long as the returned
 * announcements exist: until the revisions themselves are there.
 */
export async function copyContent(
  store: Store,
  view: Reader,
  to: string,
  space: string,
  sent: Sent,
  guard: (tx: Reader) => Promise<void>,
): Promise<Key[]> {
  const source = nodesOf(objectsIn(store, createObjectCache(), view));
  const target = await store.read(to);
  const announcements: Key[] = [];
  let fresh: string[] = [];
  const copy = async () => {
    announcements.push(...(await copyObjects(store, view, to, fresh, guard)));
    fresh = [];
  };
  let after: Key | undefined;
  for (;;) {
    const rows = await revisions.list(view, "all", { under: [space], after, limit: PAGE });
    const known = await revisions.getMany(
      target,
      rows.map(({ record }) => [space, record.id]),
    );
    for (const [i, { record }] of rows.entries()) {
      if (known[i] === undefined) for (const hash of await freshObjects(source, record, sent)) fresh.push(hash);
      if (fresh.length >= GATHERED) await copy();
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.position;
  }
  await copy();
  return announcements;
}

/** The objects of a revision that no earlier one has. */
async function freshObjects(source: NodeSource, revision: RevisionRecord, sent: Sent): Promise<string[]> {
  const found: string[] = [];
  const take = (object: string | undefined) => {
    if (object === undefined || sent.rest.has(object)) return;
    sent.rest.add(object);
    found.push(object);
  };
  const nodes = new Noted(sent.nodes, found);
  await markReachableNodes(source, [revision.root], nodes, (entry) => take(getObjectHash(entry)));
  for (const object of toldBy(revision)) take(object);
  return found;
}

/** A set that records its new items. */
class Noted extends Set<string> {
  readonly #known: Set<string> | undefined;
  readonly #fresh: string[] | undefined;

  constructor(known: Set<string>, fresh: string[]) {
    super();
    this.#known = known;
    this.#fresh = fresh;
  }

  override has(hash: string): boolean {
    return this.#known!.has(hash);
  }

  override add(hash: string): this {
    if (!this.#known!.has(hash)) this.#fresh!.push(hash);
    this.#known!.add(hash);
    return this;
  }
}
