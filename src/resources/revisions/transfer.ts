// Content on its way to another organization, which is another partition: objects are copied there, revision by revision.
// It is done as often as it takes: a revision that is there already has all that it needs.

import { type NodeSource, reach } from "../../content/map";
import { objectIn } from "../../content/revision/entries";
import { bytesOf, createObjectCache, nameAll, objectsIn, type StagedSet, stageAll } from "../../store/objects";
import { Corrupt } from "../../store/storage";
import type { Store } from "../../store/store";
import type { Reader } from "../../store/transaction";
import { nodesOf, type RevisionRecord, revisions, toldBy } from "./records";

/** Objects that are in memory at once. */
const AT_ONCE = 200;

/** Copies the revisions of a space that is coming into another partition, the oldest first. */
export async function copyContent(
  store: Store,
  from: string,
  to: string,
  space: string,
  isComing: (tx: Reader) => Promise<boolean>,
): Promise<void> {
  const view = await store.read(from);
  const source = nodesOf(objectsIn(store, createObjectCache(), view));
  const sent = { nodes: new Noted(), rest: new Noted() };
  let after: string | undefined;
  for (;;) {
    const rows = await revisions.list(view, "all", { under: [space], after, limit: 100 });
    for (const { record } of rows) {
      const fresh = await freshObjects(source, record, sent);
      if (!(await revisions.get(await store.read(to), space, record.id)))
        await copy(store, view, to, record, fresh, isComing);
    }
    if (rows.length < 100) return;
    after = rows.at(-1)!.position;
  }
}

/** A set that knows what was added to it lately. */
class Noted extends Set<string> {
  #fresh: string[] = [];

  override add(hash: string): this {
    if (!this.has(hash)) this.#fresh.push(hash);
    return super.add(hash);
  }

  takeFresh(): string[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }
}

/** The objects of a revision that none before it has. */
async function freshObjects(
  source: NodeSource,
  revision: RevisionRecord,
  sent: { readonly nodes: Noted; readonly rest: Noted },
): Promise<string[]> {
  await reach(source, revision.root, sent.nodes, (entry) => {
    const object = objectIn(entry);
    if (object !== undefined) sent.rest.add(object);
  });
  for (const object of toldBy(revision)) sent.rest.add(object);
  return [...sent.nodes.takeFresh(), ...sent.rest.takeFresh()];
}

async function copy(
  store: Store,
  view: Reader,
  to: string,
  revision: RevisionRecord,
  hashes: readonly string[],
  isComing: (tx: Reader) => Promise<boolean>,
): Promise<void> {
  const staged: StagedSet[] = [];
  for (let at = 0; at < hashes.length; at += AT_ONCE) {
    const bytes = new Map<string, Uint8Array>();
    for (const hash of hashes.slice(at, at + AT_ONCE)) {
      const found = await bytesOf(store, view, hash);
      if (!found) throw new Corrupt(`The object ${hash} is named but not there.`);
      bytes.set(hash, found);
    }
    staged.push(await stageAll(store, to, bytes, { ahead: hashes.length > AT_ONCE }));
  }
  await store.write(to, async (tx) => {
    if (!(await isComing(tx))) return;
    for (const set of staged) await nameAll(tx, set);
    await revisions.put(tx, revision);
  });
}
