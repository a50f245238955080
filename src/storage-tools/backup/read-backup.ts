// Reads a backup: as items that a storage can be filled with, or only what a later backup must know of it.

import { isInlineObject } from "../../storage/objects";
import type { Json, Key } from "../../storage/storage";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { StorageToolError } from "../errors";
import type { ContentItem } from "../read-contents";
import { type Frame, frameKinds, readFrames } from "./frames";

export interface BackupHeader {
  readonly id: string;
  /** The earlier backups that it needs, the newest first. */
  readonly needs: readonly string[];
  readonly createdAt: string;
}

/** What a backup holds, or needs of earlier ones. */
export interface BackupIndex extends BackupHeader {
  readonly blobs: ReadonlySet<string>;
  /** Keys of objects by partition. */
  readonly objects: ReadonlyMap<string, ReadonlySet<Key>>;
}

/** The next frame, and what is known of the place. */
class Frames {
  #where = "in its header";
  readonly #frames: AsyncGenerator<Frame, void>;

  constructor(source: ReadableStream<Uint8Array>) {
    this.#frames = readFrames(source, () => this.#where);
  }

  async next(): Promise<Frame> {
    const { done, value } = await this.#frames.next();
    if (done) throw new StorageToolError("The backup has no end.");
    return value;
  }

  /** Reads on after the last frame: nothing may follow it. */
  async finish(): Promise<void> {
    await this.#frames.next();
  }

  stop(): Promise<unknown> {
    return this.#frames.return();
  }

  is(where: string): void {
    this.#where = where;
  }

  json<T>({ content }: Frame): T {
    try {
      return JSON.parse(new TextDecoder().decode(content)) as T;
    } catch (cause) {
      throw new StorageToolError(`The backup is damaged ${this.#where}.`, { cause });
    }
  }
}

/** A backup that is open: its header, and its items when they are wanted. */
export interface OpenBackup {
  readonly header: BackupHeader;
  readonly items: () => AsyncGenerator<BackupItem, void>;
  readonly stop: () => Promise<unknown>;
}

export type BackupItem = ContentItem | { readonly kind: "kept-blobs"; readonly names: readonly string[] };

export async function openBackup(source: ReadableStream<Uint8Array>): Promise<OpenBackup> {
  const frames = new Frames(source);
  const first = await frames.next();
  if (first.kind !== frameKinds.header) throw new StorageToolError("The backup does not begin with its header.");
  const header = frames.json<BackupHeader>(first);
  return { header, items: () => itemsOf(frames), stop: () => frames.stop() };
}

async function* itemsOf(frames: Frames): AsyncGenerator<BackupItem, void> {
  frames.is("behind its header");
  try {
    for (;;) {
      const frame = await frames.next();
      switch (frame.kind) {
        case frameKinds.blob: {
          const { name, size } = frames.json<{ name: string; size: number }>(frame);
          frames.is(`in the blob ${name}`);
          const bytes = bytesOf(frames, size);
          yield { kind: "blob", name, size, stream: streamOf(bytes) };
          // Whoever does not want the bytes has canceled the stream. They come all the same.
          for await (const _ of bytes);
          frames.is(`behind the blob ${name}`);
          break;
        }
        case frameKinds.keptBlobs:
          yield { kind: "kept-blobs", names: frames.json<string[]>(frame) };
          break;
        case frameKinds.partition: {
          const { name, version } = frames.json<{ name: string; version: number }>(frame);
          frames.is(`in the partition ${name}`);
          yield { kind: "partition", name, version };
          break;
        }
        case frameKinds.list:
          yield { kind: "entries", entries: frames.json<SentEntry[]>(frame).map(entryOf) };
          break;
        case frameKinds.entries:
          yield { kind: "entries", entries: await inOrder(frames, frame) };
          break;
        case frameKinds.whole:
          yield { kind: "whole", expected: frames.json<{ entries: number; digest: string }>(frame) };
          frames.is("between two partitions");
          break;
        case frameKinds.end: {
          const end = frames.json<{ isOneMoment: boolean; reached: Record<string, number> }>(frame);
          await frames.finish();
          yield { kind: "end", ...end };
          return;
        }
        default:
          throw new StorageToolError(`The backup has a frame of an unknown kind, ${frame.kind}.`);
      }
    }
  } finally {
    await frames.stop();
  }
}

/** An entry as it is sent; without a value when an earlier backup has it. */
type SentEntry = [Key, Json] | [Key];

const entryOf = ([key, value]: SentEntry) => ({ key, value });

/** The entries of a frame, in the order of their keys. */
async function inOrder(frames: Frames, { content, ...rest }: Frame) {
  const entries: ReturnType<typeof entryOf>[] = [];
  for (let at = 0; at < content.length; ) {
    const end = content.indexOf(NEWLINE, at);
    const line = content.subarray(at, end < 0 ? content.length : end);
    entries.push(entryOf(frames.json<SentEntry>({ ...rest, content: line })));
    at += line.length + 1;
    await yieldToEventLoop();
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const NEWLINE = 10;

async function* bytesOf(frames: Frames, size: number): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < size; ) {
    const frame = await frames.next();
    at += frame.content.length;
    if (frame.kind !== frameKinds.bytes || at > size)
      throw new StorageToolError("A blob of the backup has not the size that it should.");
    yield frame.content;
  }
}

/** A stream of pieces. Canceling it leaves the pieces to others. */
function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { done, value } = await pieces.next();
    if (done) controller.close();
    else controller.enqueue(value);
  };
  // Nothing is read ahead: what nobody wants is passed over by whoever made the pieces.
  return new ReadableStream({ pull }, { highWaterMark: 0 });
}

/** What a later backup must know of this one. */
export async function readBackupIndex(source: ReadableStream<Uint8Array>): Promise<BackupIndex> {
  const { header, items } = await openBackup(source);
  const blobs = new Set<string>();
  const objects = new Map<string, Set<Key>>();
  let current = new Set<Key>();
  for await (const item of items()) {
    if (item.kind === "blob") {
      blobs.add(item.name);
      await item.stream.cancel();
    } else if (item.kind === "kept-blobs") for (const name of item.names) blobs.add(name);
    else if (item.kind === "partition") {
      current = new Set();
      objects.set(item.name, current);
    } else if (item.kind === "entries")
      for (const { key, value } of item.entries)
        if (value === undefined || isInlineObject(key, value)) current.add(key);
  }
  return { ...header, blobs, objects };
}
