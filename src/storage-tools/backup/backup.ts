// Writes everything that a storage holds into one stream. The storage may be in use at the same time.

import { createPooledRandom, generateRandomText } from "../../storage/ids";
import { getByteLength } from "../../storage/limits";
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
   * The newest earlier backup of the same storage. Objects that it has, or that it needs of others before it, are left out: texts,
   * files and nodes of content never change. To restore, all of them are needed. Default: none, and the backup is complete.
   */
  readonly base?: ReadableStream<Uint8Array> | undefined;
  readonly onProgress?: OnProgress | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface BackupResult {
  /** The id by which later backups refer to this one. */
  readonly id: string;
  /** The earlier backups that it needs, the newest first. */
  readonly needs: readonly string[];
  readonly bytes: number;
  readonly partitions: number;
  readonly entries: number;
  readonly blobs: number;
  /** True if all partitions are of one moment. If not, each is as it was at a different time, because many were writing. */
  readonly isOneMoment: boolean;
}

const BLOB_FRAME_BYTES = 1024 * 1024;

/**
 * The approximate bytes of entries in one frame. Similar texts compress well only within one frame: a page that was changed a hundred
 * times has a hundred nodes that are almost the same, and their hashes scatter them over all keys.
 */
const ENTRIES_FRAME_BYTES = 16 * 1024 * 1024;

interface BackupRow {
  /** JSON: the key, and the value if it is sent. */
  readonly line: string;
  /** The text of an object's value, by which it is placed next to similar ones. */
  readonly objectText?: string;
}

/** Writes a backup. The sink is closed at the end. If something fails, it is aborted. */
export async function backup(
  storage: Storage,
  sink: WritableStream<Uint8Array>,
  options: BackupOptions = {},
): Promise<BackupResult> {
  const writer = new FrameWriter(sink);
  try {
    const base = options.base && (await readBackupIndex(options.base));
    const result = await new BackupWriter(writer, base).write(storage, options);
    await writer.close();
    return result;
  } catch (error) {
    await writer.abort(error);
    throw error;
  }
}

class BackupWriter {
  readonly #writer: FrameWriter;
  readonly #base: BackupIndex | undefined;
  readonly #keptBlobs: string[] = [];
  #partition = "";
  #digest = new EntryDigest();
  #rows: BackupRow[] = [];
  #rowBytes = 0;
  readonly #counts = { partitions: 0, entries: 0, blobs: 0 };

  constructor(writer: FrameWriter, base: BackupIndex | undefined) {
    this.#writer = writer;
    this.#base = base;
  }

  async write(storage: Storage, { onProgress, signal }: BackupOptions): Promise<BackupResult> {
    const id = generateRandomText(createPooledRandom(), 24);
    const needs = this.#base ? [this.#base.id, ...this.#base.needs] : [];
    await this.#writer.begin();
    await this.#writer.writeJson(frameKinds.header, { id, needs, createdAt: new Date().toISOString() });

    const hasBlob = async (name: string) => {
      const isInBase = this.#base?.blobs.has(name) === true;
      if (isInBase) this.#keptBlobs.push(name);
      return isInBase;
    };
    let isOneMoment = true;
    for await (const item of readContents(storage, { onProgress, signal, hasBlob })) {
      await this.#addItem(item);
      if (item.kind === "end") ({ isOneMoment } = item);
    }
    return { id, needs, bytes: this.#writer.bytes, ...this.#counts, isOneMoment };
  }

  async #addItem(item: ContentItem): Promise<void> {
    const writer = this.#writer;
    switch (item.kind) {
      case "blob":
        this.#counts.blobs++;
        await writer.writeJson(frameKinds.blob, { name: item.name, size: item.size });
        for await (const chunk of item.stream)
          for (let start = 0; start < chunk.length; start += BLOB_FRAME_BYTES) {
            await writer.writeFrame(frameKinds.bytes, [chunk.subarray(start, start + BLOB_FRAME_BYTES)]);
            await yieldToEventLoop();
          }
        return;
      case "partition":
        this.#partition = item.name;
        this.#digest = new EntryDigest();
        this.#rows = [];
        this.#rowBytes = 0;
        await writer.writeJson(frameKinds.partition, { name: item.name, version: item.version });
        return;
      case "entries":
        for (const entry of item.entries) await this.#addEntry(entry);
        return;
      case "whole":
        await this.#writeRows();
        this.#counts.partitions++;
        this.#counts.entries += this.#digest.count;
        await writer.writeJson(frameKinds.whole, { entries: this.#digest.count, digest: this.#digest.toHex() });
        return;
      case "end": {
        if (this.#keptBlobs.length > 0) await writer.writeJson(frameKinds.keptBlobs, this.#keptBlobs);
        const { isOneMoment, reached } = item;
        await writer.writeJson(frameKinds.end, { isOneMoment, reached });
      }
    }
  }

  async #addEntry({ key, value, text = JSON.stringify(value) }: ItemEntry): Promise<void> {
    if (!isSecretRecord(this.#partition, key)) this.#digest.add(key, text);
    const isObject = isInlineObject(key, value!);
    const isInBase = isObject && this.#base?.objects.get(this.#partition)?.has(key) === true;
    const line = isInBase ? `[${JSON.stringify(key)}]\n` : `[${JSON.stringify(key)},${text}]\n`;
    this.#rows.push(isObject && !isInBase ? { line, objectText: text } : { line });
    this.#rowBytes += getByteLength(line);
    if (this.#rowBytes >= ENTRIES_FRAME_BYTES) await this.#writeRows();
  }

  async #writeRows(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    this.#rowBytes = 0;
    if (rows.length > 0) {
      // Objects come last, sorted by their texts. All other entries keep the order of their keys.
      const others = rows.filter(({ objectText }) => objectText === undefined);
      const objects = rows.filter(({ objectText }) => objectText !== undefined);
      objects.sort((a, b) => (a.objectText! < b.objectText! ? -1 : 1));
      const lines = [...others, ...objects].map(({ line }) => line);
      await this.#writer.writeFrame(frameKinds.entries, lines);
    }
    await yieldToEventLoop();
  }
}
