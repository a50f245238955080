// Writes everything that a storage holds into one stream. The storage may be in use meanwhile.

import { createPooledRandom, generateRandomText } from "../../storage/ids";
import { byteLength } from "../../storage/limits";
import { isInlineObject } from "../../storage/objects";
import type { Storage } from "../../storage/storage";
import { yieldToEventLoop } from "../../utils/concurrency/event-loop";
import { EntryDigest } from "../entry-digest";
import type { OnProgress } from "../progress";
import { type ContentItem, type ItemEntry, isSecretRecord, readContents } from "../read-contents";
import { FrameWriter, frameKinds } from "./frames";
import { type BackupIndex, readBackupIndex } from "./read-backup";

export interface BackupOptions {
  /**
   * The newest earlier backup of the same storage. What it has, or needs of others before it, is left out: texts, files and
   * nodes of content never change. To restore, all of them are needed. Default: none, and the backup stands alone.
   */
  readonly base?: ReadableStream<Uint8Array> | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupResult {
  /** What later backups call this one. */
  readonly id: string;
  /** The earlier backups that it needs, the newest first. */
  readonly needs: readonly string[];
  /** Of the backup. */
  readonly bytes: number;
  readonly partitions: number;
  readonly entries: number;
  readonly blobs: number;
  /** Whether all partitions are of one moment. If not, each is as it was at a time of its own, because many were writing. */
  readonly isOneMoment: boolean;
}

/** Bytes of a blob in one frame. */
const FRAME = 1024 * 1024;

/** Bytes of entries in one frame, about. What is alike compresses well only within one: a page that was changed a hundred times
 * has a hundred nodes that are almost the same, and their hashes put them anywhere. */
const ENTRIES = 16 * 1024 * 1024;

/** An entry on its way into a frame. */
interface Row {
  /** JSON: the key, and the value if it is sent. */
  readonly line: string;
  /** What an object is put beside others by: the text of its value. */
  readonly likeness?: string;
}

/** Writes a backup. The sink is closed at the end; when something fails, it is aborted. */
export async function backup(
  storage: Storage,
  sink: WritableStream<Uint8Array>,
  options: BackupOptions = {},
): Promise<BackupResult> {
  const writer = new FrameWriter(sink);
  try {
    const base = options.base && (await readBackupIndex(options.base));
    const done = await new Backup(writer, base).write(storage, options);
    await writer.close();
    return done;
  } catch (error) {
    await writer.abort(error);
    throw error;
  }
}

class Backup {
  readonly #writer: FrameWriter;
  readonly #base: BackupIndex | undefined;
  readonly #keptBlobs: string[] = [];
  #partition = "";
  #digest = new EntryDigest();
  #waiting: Row[] = [];
  #size = 0;
  readonly #counts = { partitions: 0, entries: 0, blobs: 0 };

  constructor(writer: FrameWriter, base: BackupIndex | undefined) {
    this.#writer = writer;
    this.#base = base;
  }

  async write(storage: Storage, { onProgress, signal }: BackupOptions): Promise<BackupResult> {
    const id = generateRandomText(createPooledRandom(), 24);
    const needs = this.#base ? [this.#base.id, ...this.#base.needs] : [];
    await this.#writer.begin();
    await this.#writer.json(frameKinds.header, { id, needs, createdAt: new Date().toISOString() });
    const hasBlob = async (name: string) => {
      const isKept = this.#base?.blobs.has(name) === true;
      if (isKept) this.#keptBlobs.push(name);
      return isKept;
    };
    let isOneMoment = true;
    for await (const item of readContents(storage, { onProgress, signal, hasBlob })) {
      await this.#take(item);
      if (item.kind === "end") ({ isOneMoment } = item);
    }
    return { id, needs, bytes: this.#writer.bytes, ...this.#counts, isOneMoment };
  }

  async #take(item: ContentItem): Promise<void> {
    const writer = this.#writer;
    switch (item.kind) {
      case "blob":
        this.#counts.blobs++;
        await writer.json(frameKinds.blob, { name: item.name, size: item.size });
        for await (const piece of item.stream)
          for (let at = 0; at < piece.length; at += FRAME) {
            await writer.frame(frameKinds.bytes, [piece.subarray(at, at + FRAME)]);
            await yieldToEventLoop();
          }
        return;
      case "partition":
        this.#partition = item.name;
        this.#digest = new EntryDigest();
        this.#waiting = [];
        this.#size = 0;
        await writer.json(frameKinds.partition, { name: item.name, version: item.version });
        return;
      case "entries":
        for (const entry of item.entries) await this.#entry(entry);
        return;
      case "whole":
        await this.#flush();
        this.#counts.partitions++;
        this.#counts.entries += this.#digest.count;
        await writer.json(frameKinds.whole, { entries: this.#digest.count, digest: this.#digest.hex() });
        return;
      case "end": {
        if (this.#keptBlobs.length > 0) await writer.json(frameKinds.keptBlobs, this.#keptBlobs);
        const { isOneMoment, reached } = item;
        await writer.json(frameKinds.end, { isOneMoment, reached });
      }
    }
  }

  async #entry({ key, value, text = JSON.stringify(value) }: ItemEntry): Promise<void> {
    if (!isSecretRecord(this.#partition, key)) this.#digest.add(key, text);
    const isObject = isInlineObject(key, value!);
    const isKept = isObject && this.#base?.objects.get(this.#partition)?.has(key) === true;
    const line = isKept ? `[${JSON.stringify(key)}]\n` : `[${JSON.stringify(key)},${text}]\n`;
    this.#waiting.push(isObject && !isKept ? { line, likeness: text } : { line });
    this.#size += byteLength(line);
    if (this.#size >= ENTRIES) await this.#flush();
  }

  async #flush(): Promise<void> {
    const rows = this.#waiting;
    this.#waiting = [];
    this.#size = 0;
    if (rows.length > 0) await this.#writer.frame(frameKinds.entries, alikeTogether(rows));
    await yieldToEventLoop();
  }
}

/** The lines of rows: first what is no object, in the order of the keys, then objects by their texts. */
function alikeTogether(rows: readonly Row[]): string[] {
  const others = rows.filter(({ likeness }) => likeness === undefined);
  const objects = rows.filter(({ likeness }) => likeness !== undefined);
  objects.sort((a, b) => (a.likeness! < b.likeness! ? -1 : 1));
  return [...others, ...objects].map(({ line }) => line);
}
