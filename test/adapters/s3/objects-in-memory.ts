// An object store in memory that does exactly what S3 promises: puts are atomic, conditions are honoured, reads see the
// last write, names are listed in order. What others do wrong is built on top of it.

import {
  type Condition,
  type GetResult,
  type ObjectRange,
  type ObjectStore,
  PART_BYTES,
  type PutResult,
} from "../../../adapters/s3/object-store";

export class ObjectsInMemory implements ObjectStore {
  readonly name = "a bucket in memory";
  readonly #objects = new Map<string, { readonly etag: string; readonly bytes: Uint8Array }>();
  #puts = 0;

  /** Another store that holds the same now. */
  copy(): ObjectsInMemory {
    return this.copyTo(new ObjectsInMemory());
  }

  /** An empty store, with all that this one holds. */
  copyTo<Objects extends ObjectsInMemory>(copy: Objects): Objects {
    for (const [name, object] of this.#objects) copy.#objects.set(name, object);
    copy.#puts = this.#puts;
    return copy;
  }

  async put(name: string, bytes: Uint8Array, condition?: Condition): Promise<PutResult> {
    return this.putNow(name, bytes, condition);
  }

  /** As `put`, at once: for those who decide when a request takes effect. */
  putNow(name: string, bytes: Uint8Array, condition?: Condition): PutResult {
    const there = this.#objects.get(name);
    if (condition && ("ifAbsent" in condition ? there !== undefined : there?.etag !== condition.ifMatch))
      return { outcome: "refused" };
    const etag = `e${++this.#puts}`;
    this.#objects.set(name, { etag, bytes: bytes.slice() });
    return { outcome: "stored", etag };
  }

  async get(name: string, options: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined } = {}) {
    return this.getNow(name, options);
  }

  getNow(name: string, options: { ifNoneMatch?: string | undefined; range?: ObjectRange | undefined } = {}): GetResult {
    const there = this.#objects.get(name);
    if (!there) return { outcome: "absent" };
    if (options.ifNoneMatch === there.etag) return { outcome: "unchanged" };
    const { start = 0, end } = options.range ?? {};
    return { outcome: "found", etag: there.etag, bytes: there.bytes.slice(start, end) };
  }

  async stat(name: string) {
    const there = this.#objects.get(name);
    return there && { size: there.bytes.length };
  }

  async open(name: string, range?: ObjectRange) {
    const there = this.#objects.get(name);
    if (!there) return undefined;
    const bytes = there.bytes.slice(range?.start ?? 0, range?.end);
    return { size: there.bytes.length, stream: new Blob([bytes]).stream() };
  }

  async putParts(name: string, parts: AsyncIterable<Uint8Array>, condition?: Condition): Promise<PutResult> {
    const held: Uint8Array<ArrayBuffer>[] = [];
    for await (const part of parts) {
      if (held.some(({ length }) => length !== PART_BYTES)) throw new Error("Only the last part may be smaller.");
      held.push(new Uint8Array(part));
    }
    return this.putNow(name, new Uint8Array(await new Blob(held).arrayBuffer()), condition);
  }

  async delete(name: string): Promise<void> {
    this.deleteNow(name);
  }

  deleteNow(name: string): void {
    this.#objects.delete(name);
  }

  async *list(prefix: string, after = ""): AsyncGenerator<string> {
    yield* this.namesNow(prefix, after);
  }

  namesNow(prefix: string, after = ""): string[] {
    return [...this.#objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
  }
}
