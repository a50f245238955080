// Reads a backup: as items that fill a storage, or only the index that a later backup needs.

import { isInlineObject } from "../../storage/objects";
import type { Json, Key } from "../../storage/storage";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { StorageToolError } from "../errors";
import type { ContentItem, ItemEntry } from "../read-contents";
import { type BackupFrame, frameKinds, readFrames } from "./frames";

export interface BackupHeader {
  readonly id: string;
  /** The earlier backups that it needs, the newest first. */
  readonly needs: readonly string[];
  readonly createdAt: string;
}

/** The blobs and objects that a backup has, or needs of earlier ones. */
export interface BackupIndex extends BackupHeader {
  readonly blobs: ReadonlySet<string>;
  /** The keys of objects by partition. */
  readonly objects: ReadonlyMap<string, ReadonlySet<Key>>;
}

/** Reads one frame after the other, and remembers the place for messages about damage. */
class FrameReader {
  /** The place after what was read last. */
  place = "in its header";
  readonly #frames: AsyncGenerator<BackupFrame, void>;

  constructor(source: ReadableStream<Uint8Array>) {
    this.#frames = readFrames(source, () => this.place);
  }

  async readNext(): Promise<BackupFrame> {
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

  parseJson<T>(content: Uint8Array): T {
    try {
      return JSON.parse(new TextDecoder().decode(content)) as T;
    } catch (cause) {
      throw new StorageToolError(`The backup is damaged ${this.place}.`, { cause });
    }
  }
}

/** A backup that is open: its header, and its items. */
export interface OpenBackup {
  readonly header: BackupHeader;
  readonly items: () => AsyncGenerator<BackupItem, void>;
  readonly stop: () => Promise<unknown>;
}

export type BackupItem = ContentItem | { readonly kind: "kept-blobs"; readonly names: readonly string[] };

/** Opens a backup by reading its header. */
export async function openBackup(source: ReadableStream<Uint8Array>): Promise<OpenBackup> {
  const reader = new FrameReader(source);
  const { kind, content } = await reader.readNext();
  if (kind !== frameKinds.header) throw new StorageToolError("The backup does not begin with its header.");
  return { header: reader.parseJson(content), items: () => readItems(reader), stop: () => reader.stop() };
}

/** An entry as it is sent; without a value if an earlier backup has it. */
type BackupEntry = [Key, Json] | [Key];

const NEWLINE = 10;

async function* readItems(reader: FrameReader): AsyncGenerator<BackupItem, void> {
  reader.place = "behind its header";
  try {
    for (;;) {
      const { kind, content } = await reader.readNext();
      switch (kind) {
        case frameKinds.blob: {
          const { name, size } = reader.parseJson<{ name: string; size: number }>(content);
          reader.place = `in the blob ${name}`;
          const chunks = readBlobChunks(reader, size);
          const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
            const { done, value } = await chunks.next();
            if (done) controller.close();
            else controller.enqueue(value);
          };
          // Nothing is read ahead, so that all chunks are left if the stream is canceled.
          yield { kind: "blob", name, size, stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
          // If the stream was canceled, its chunks still have to be read.
          for await (const _ of chunks);
          reader.place = `behind the blob ${name}`;
          break;
        }
        case frameKinds.keptBlobs:
          yield { kind: "kept-blobs", names: reader.parseJson<string[]>(content) };
          break;
        case frameKinds.partition: {
          const { name, version } = reader.parseJson<{ name: string; version: number }>(content);
          reader.place = `in the partition ${name}`;
          yield { kind: "partition", name, version };
          break;
        }
        case frameKinds.list: {
          const entries = reader.parseJson<BackupEntry[]>(content).map(([key, value]) => ({ key, value }));
          yield { kind: "entries", entries };
          break;
        }
        case frameKinds.entries: {
          const entries: ItemEntry[] = [];
          for (let start = 0; start < content.length; ) {
            const newline = content.indexOf(NEWLINE, start);
            const line = content.subarray(start, newline < 0 ? content.length : newline);
            const [key, value] = reader.parseJson<BackupEntry>(line);
            entries.push({ key, value });
            start += line.length + 1;
            await yieldToEventLoop();
          }
          entries.sort((a, b) => (a.key < b.key ? -1 : 1));
          yield { kind: "entries", entries };
          break;
        }
        case frameKinds.whole:
          yield { kind: "whole", expected: reader.parseJson<{ entries: number; digest: string }>(content) };
          reader.place = "between two partitions";
          break;
        case frameKinds.end: {
          const end = reader.parseJson<{ isOneMoment: boolean; reached: Record<string, number> }>(content);
          await reader.finish();
          yield { kind: "end", ...end };
          return;
        }
        default:
          throw new StorageToolError(`The backup has a frame of an unknown kind, ${kind}.`);
      }
    }
  } finally {
    await reader.stop();
  }
}

async function* readBlobChunks(reader: FrameReader, size: number): AsyncGenerator<Uint8Array, void> {
  for (let read = 0; read < size; ) {
    const { kind, content } = await reader.readNext();
    read += content.length;
    if (kind !== frameKinds.bytes || read > size)
      throw new StorageToolError("A blob of the backup has not the size that it should.");
    yield content;
  }
}

/** Returns the index of a backup, which a later backup needs. */
export async function readBackupIndex(source: ReadableStream<Uint8Array>): Promise<BackupIndex> {
  const { header, items } = await openBackup(source);
  const blobs = new Set<string>();
  const objects = new Map<string, Set<Key>>();
  let keys = new Set<Key>();
  for await (const item of items()) {
    if (item.kind === "blob") {
      blobs.add(item.name);
      await item.stream.cancel();
    } else if (item.kind === "kept-blobs") for (const name of item.names) blobs.add(name);
    else if (item.kind === "partition") {
      keys = new Set();
      objects.set(item.name, keys);
    } else if (item.kind === "entries")
      for (const { key, value } of item.entries) if (value === undefined || isInlineObject(key, value)) keys.add(key);
  }
  return { ...header, blobs, objects };
}
