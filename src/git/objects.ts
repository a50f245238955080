// The objects of a call, kept and packed by isomorphic-git: those that arrived in a pack, and those that are to be sent.

import { sha1 } from "@noble/hashes/legacy.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { indexPack, packObjects, readObject, writeObject } from "isomorphic-git";
import { memoryFs, ROOT } from "./memory-fs";
import { joined } from "./packets";
import { GitRefused } from "./refused";

export type ObjectType = "commit" | "tree" | "blob";

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const PACK = "objects/pack/pack-received.pack";

/** The name that Git gives to an object. */
export function objectId(type: ObjectType, bytes: Uint8Array): string {
  return bytesToHex(sha1(joined([new TextEncoder().encode(`${type} ${bytes.length}\0`), bytes])));
}

/** A place for objects that lives as long as the call. */
export class Objects {
  private readonly repository = { fs: memoryFs(), dir: ROOT, gitdir: ROOT, cache: {} };
  private received = new Set<string>([EMPTY_TREE]);

  /** Takes in a pack that was checked. */
  async receive(pack: Uint8Array): Promise<void> {
    await this.repository.fs.promises.writeFile(`${ROOT}/${PACK}`, pack);
    const { oids } = await indexPack({ ...this.repository, filepath: PACK });
    this.received = new Set([...oids, EMPTY_TREE]);
  }

  /** Whether it arrived. */
  has(oid: string): boolean {
    return this.received.has(oid);
  }

  /** The bytes of an object; undefined when it did not arrive. Refuses one of another type. */
  async read(oid: string, type: ObjectType): Promise<Uint8Array | undefined> {
    if (!this.has(oid)) return undefined;
    const found = await readObject({ ...this.repository, oid, format: "content" });
    if (found.type !== type)
      throw new GitRefused("damaged", "The repository holds something that is not what it is called.");
    // A plain array of its own: what isomorphic-git hands out may be a window on the whole pack.
    return new Uint8Array(found.object as Uint8Array);
  }

  /** A pack with these objects. */
  async pack(objects: readonly { readonly type: ObjectType; readonly bytes: Uint8Array }[]): Promise<Uint8Array> {
    const oids: string[] = [];
    for (const { type, bytes } of objects)
      oids.push(await writeObject({ ...this.repository, type, object: bytes, format: "content" }));
    const { packfile } = await packObjects({ ...this.repository, oids });
    return packfile!;
  }
}
