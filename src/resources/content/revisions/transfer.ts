// Content on its way to another organization, which is another partition: the objects that its revisions lead to are copied
// there, each of them once.

import { type NodeSource, reach } from "../../../content/map";
import { objectIn } from "../../../content/revision/entries";
import { copyObjects, createObjectCache, objectsIn } from "../../../store/objects";
import type { Key } from "../../../store/storage";
import type { Store } from "../../../store/store";
import type { Reader } from "../../../store/transaction";
import { nodesOf, type RevisionRecord, revisions, toldBy } from "./records";

/** Revisions that are read together. */
const PAGE = 200;
/** Objects that are gathered before they are copied. */
const GATHERED = 2000;

/** What one who copies has copied so far. */
export interface Sent {
  readonly nodes: Set<string>;
  readonly rest: Set<string>;
}

/**
 * Copies what revisions of a space lead to that have not come yet. It lives over there for as long as the announcements do
 * that are given back: until the revisions are there as well.
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
      if (known[i] === undefined) fresh.push(...(await freshObjects(source, record, sent)));
      if (fresh.length >= GATHERED) await copy();
    }
    if (rows.length < PAGE) break;
    after = rows.at(-1)!.position;
  }
  await copy();
  return announcements;
}

/** The objects of a revision that none before it has. */
async function freshObjects(source: NodeSource, revision: RevisionRecord, sent: Sent): Promise<string[]> {
  const found: string[] = [];
  const take = (object: string | undefined) => {
    if (object === undefined || sent.rest.has(object)) return;
    sent.rest.add(object);
    found.push(object);
  };
  const nodes = new Noted(sent.nodes, found);
  await reach(source, revision.root, nodes, (entry) => take(objectIn(entry)));
  for (const object of toldBy(revision)) take(object);
  return found;
}

/** A set that writes down what is new in it. */
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
