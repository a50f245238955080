// Copies content to another organization, which is another partition. Every object that its revisions reference is copied once.

import { markReachableNodes } from "../../../content/prolly-tree";
import { getObjectHash } from "../../../content/revision/entries";
import { copyObjects, createObjectCache, openObjects } from "../../../storage/objects";
import type { Key } from "../../../storage/storage";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { createNodeSource, listObjectHashes, revisions } from "./records";

/** The number of revisions that are read together. */
const REVISIONS_PER_READ = 200;
/** The number of objects that are collected before they are copied. */
const OBJECTS_PER_COPY = 2000;

/** The hashes of the objects that a transfer has copied so far. */
export interface CopiedObjects {
  readonly nodes: Set<string>;
  readonly rest: Set<string>;
}

/**
 * Copies the objects of a space's revisions that the target does not have. They are kept there as long as the returned
 * announcements exist: until the revisions themselves are there.
 */
export async function copyContent(
  store: Store,
  view: Reader,
  to: string,
  space: string,
  copied: CopiedObjects,
  guard: (tx: Reader) => Promise<void>,
): Promise<Key[]> {
  const source = createNodeSource(openObjects(store, createObjectCache(), view));
  const target = await store.read(to);
  const announcements: Key[] = [];
  let hashes: string[] = [];
  const copyCollected = async () => {
    announcements.push(...(await copyObjects(store, view, to, hashes, guard)));
    hashes = [];
  };

  let after: Key | undefined;
  for (;;) {
    const rows = await revisions.list(view, "all", { under: [space], after, limit: REVISIONS_PER_READ });
    const keys = rows.map(({ record }) => [space, record.id]);
    const existing = await revisions.getMany(target, keys);
    for (const [i, { record: revision }] of rows.entries()) {
      if (existing[i] === undefined) {
        const addObject = (object: string | undefined) => {
          if (object === undefined || copied.rest.has(object)) return;
          copied.rest.add(object);
          hashes.push(object);
        };
        const nodes = {
          has: (hash: string) => copied.nodes.has(hash),
          add(hash: string) {
            copied.nodes.add(hash);
            hashes.push(hash);
          },
        };
        await markReachableNodes(source, [revision.root], nodes, (entry) => addObject(getObjectHash(entry)));
        for (const object of listObjectHashes(revision)) addObject(object);
      }
      if (hashes.length >= OBJECTS_PER_COPY) await copyCollected();
    }
    if (rows.length < REVISIONS_PER_READ) break;
    after = rows.at(-1)!.position;
  }
  await copyCollected();
  return announcements;
}
