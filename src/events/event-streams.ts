// Streams of the events of organizations, as server-sent events. Each organization that somebody listens to has one channel in this
// process: it reads the new events, and sends each stream those that its caller may see. A stream buffers little: a reader who is too
// slow is disconnected, and continues later from the same position.

import { DocsError } from "../errors";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import { listProgress, type ProgressRecord } from "../jobs/progress";
import type { Actor } from "../operation/actor";
import { BinaryResponse } from "../operation/binary-response";
import type { EventStreamRequest, OriginalRequest } from "../operation/operation";
import { DIRECTORY, getOrganizationPartition } from "../storage/ids";
import type { Version } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import { createEventGuards } from "./event-guards";
import { createEventView, type EventView } from "./event-view";
import { type LoggedEvent, readEventsAfterBreak, readEventsSince } from "./logged-events";
import { createPartitionWatches, type PartitionWatches } from "./partition-watches";
import { openPosition, type StreamPosition, sealPosition } from "./stream-position";
import type { EndEvent, StreamedEvent } from "./streamed-event";

export interface EventStreams {
  /** Opens a stream. Throws `too_many_streams`. */
  open(call: EventStreamRequest): Promise<BinaryResponse>;
  close(): void;
}

/** The limits of streams. Hosts set the first three, and tests the others. */
export interface EventStreamLimits {
  readonly maxStreams?: number | undefined;
  readonly maxStreamsOfUser?: number | undefined;
  readonly pollSeconds?: number | undefined;
  /** The interval of heartbeats on a quiet stream. Some servers close a connection that is quiet for 10 seconds. Default: 8000. */
  readonly heartbeatMs?: number;
  /** The most bytes that are buffered for a slow reader. Default: 128 KiB, which is more than all events of a break take. */
  readonly maxQueuedBytes?: number;
  /** The interval of identifying callers again who are not in the directory, or expire. Default: 30,000. */
  readonly refreshMs?: number;
}

interface EventStreamsOptions {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  /** Returns the caller as they are now; undefined if they are no longer identified. */
  readonly refreshActor: (actor: Actor, originalRequest: OriginalRequest | undefined) => Promise<Actor | undefined>;
  readonly limits?: EventStreamLimits | undefined;
}

/** A progress record that is new, with the version of its commit. */
interface ProgressChange {
  readonly record: ProgressRecord;
  readonly version: Version;
}

const MAX_QUEUED_BYTES = 128 * 1024;
/** The progress of running work is sent at most once in this time. */
const PROGRESS_INTERVAL_MS = 1000;
/** Callers are identified again at most once in this time, however often the directory changes. */
const MIN_REFRESH_INTERVAL_MS = 1000;
/** After this time without a read, rows of the log may have been sealed. */
const MAX_UNSEALED_BREAK_MS = 30_000;
/** A caller who is refused a stream should wait this long. */
const RETRY_AFTER_SECONDS = "10";

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Proxies must neither store the stream, nor buffer it.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};

const utf8 = new TextEncoder();

export function createEventStreams({
  kernel,
  operations,
  refreshActor,
  limits = {},
}: EventStreamsOptions): EventStreams {
  const { maxStreams = 500, maxStreamsOfUser = 20, pollSeconds = 2 } = limits;
  const { heartbeatMs = 8000, refreshMs = 30_000, maxQueuedBytes = MAX_QUEUED_BYTES } = limits;
  const { store, secrets, jobs } = kernel;
  const viewOptions = { kernel, operations, guards: createEventGuards(operations) };
  const watches = createPartitionWatches(store, pollSeconds * 1000, jobs.onError);
  const channels = new Map<string, Channel>();
  const streamCounts = new Map<string, number>();
  let openStreams = 0;

  class Channel {
    readonly streams = new Set<Stream>();
    readonly #watches: ReturnType<PartitionWatches["begin"]>[];
    readonly #heartbeatTimer: ReturnType<typeof setInterval>;
    readonly #refreshTimer: ReturnType<typeof setInterval>;
    /** The version of each progress record when it was last sent, and the time. */
    readonly #sentProgress = new Map<string, { readonly version: Version; readonly at: number }>();
    /** The last task. Reads and openings run one after the other. */
    #lastTask: Promise<unknown> = Promise.resolve();
    /** The version of the directory when callers were last identified, and the time. */
    #directoryVersion = -1;
    #refreshedAt = Number.NEGATIVE_INFINITY;

    constructor(
      readonly partition: string,
      public position: StreamPosition,
    ) {
      this.#watches = [
        watches.begin(partition, (view) => this.runExclusive(() => this.#sendNewEvents(view))),
        watches.begin(DIRECTORY, (view) => this.runExclusive(() => this.#refreshCallers(view.version))),
      ];
      const runInBackground = (run: () => Promise<void>) => void this.runExclusive(run).catch(jobs.onError);
      this.#heartbeatTimer = setInterval(() => runInBackground(() => this.#sendHeartbeat()), heartbeatMs);
      this.#refreshTimer = setInterval(() => runInBackground(() => this.#refreshCallers()), refreshMs);
    }

    runExclusive<T>(run: () => Promise<T>): Promise<T> {
      const task = this.#lastTask.then(run);
      this.#lastTask = task.catch(() => {});
      return task;
    }

    removeStream(stream: Stream): void {
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      for (const watch of this.#watches) watch.end();
      clearInterval(this.#heartbeatTimer);
      clearInterval(this.#refreshTimer);
      if (channels.get(this.partition) === this) channels.delete(this.partition);
    }

    async #sendNewEvents(view: Reader): Promise<void> {
      const { version } = view;
      const time = store.now().getTime();
      const progress = await this.#readNewProgress(view, time);
      const position = { version, time };
      if (version === this.position.version && progress.length === 0) {
        this.position = position;
        return;
      }

      const mayBeSealed = time - this.position.time > MAX_UNSEALED_BREAK_MS;
      const logged = mayBeSealed
        ? await readEventsAfterBreak(view, this.partition, this.position, time)
        : await readEventsSince(view, this.partition, this.position);
      const eventView = createEventView(viewOptions, view, this.partition);
      const ids = new EventIds(this.partition);
      for (const stream of this.streams) {
        if (!(await eventView.canListen(stream.actor))) stream.end("no-access");
        else if (logged) await stream.sendVisible(eventView, logged, progress, position, ids);
        else stream.send(await ids.get(position), { type: "reset" });
      }
      this.position = position;
    }

    /** Returns the progress records that were not sent yet. Those of running work are sent now and then, its end at once. */
    async #readNewProgress(view: Reader, time: number): Promise<ProgressChange[]> {
      const changes: ProgressChange[] = [];
      const present = new Set<string>();
      for (const { name, record, version } of await listProgress(view)) {
        present.add(name);
        const sent = this.#sentProgress.get(name);
        if (version <= (sent?.version ?? this.position.version)) continue;
        if (sent && record.status === "running" && time - sent.at < PROGRESS_INTERVAL_MS && time >= sent.at) {
          this.#watches[0]!.soon(PROGRESS_INTERVAL_MS);
          continue;
        }
        this.#sentProgress.set(name, { version, at: time });
        changes.push({ record, version });
      }
      for (const name of this.#sentProgress.keys()) if (!present.has(name)) this.#sentProgress.delete(name);
      return changes;
    }

    /** Identifies the callers again. If a version of the directory is given, only when it has changed. */
    async #refreshCallers(directoryVersion?: Version): Promise<void> {
      if (directoryVersion === this.#directoryVersion) return;
      const delayMs = this.#refreshedAt + MIN_REFRESH_INTERVAL_MS - performance.now();
      if (directoryVersion !== undefined && delayMs > 0) return this.#watches[1]!.soon(delayMs);
      this.#directoryVersion = directoryVersion ?? this.#directoryVersion;
      this.#refreshedAt = performance.now();
      for (const stream of this.streams) await stream.refreshCaller().catch(jobs.onError);
    }

    /** Keeps connections open, and tells the readers their position. */
    async #sendHeartbeat(): Promise<void> {
      const line = `id: ${await sealPosition(secrets, this.partition, this.position)}\n\n`;
      for (const stream of this.streams) stream.write(line);
    }
  }

  /** The ids of the events of one read, which are the same for all streams. */
  class EventIds {
    readonly #idsByPosition = new Map<string, Promise<string>>();
    constructor(readonly partition: string) {}

    get(position: StreamPosition): Promise<string> {
      const name = `${position.version} ${position.time}`;
      const id = this.#idsByPosition.get(name) ?? sealPosition(secrets, this.partition, position);
      this.#idsByPosition.set(name, id);
      return id;
    }
  }

  class Stream {
    readonly body: ReadableStream<Uint8Array>;
    actor: Actor;
    /** The version up to which everything was sent. Until the stream has begun, nothing is sent. */
    sentVersion: Version = Number.POSITIVE_INFINITY;
    #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    readonly #release: () => void;
    readonly #endTimer: ReturnType<typeof setTimeout> | undefined;

    constructor(
      readonly channel: Channel,
      readonly call: EventStreamRequest,
      release: () => void,
    ) {
      this.actor = call.actor;
      this.#release = release;
      this.body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            this.#controller = controller;
          },
          cancel: () => this.leave(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: maxQueuedBytes }),
      );
      channel.streams.add(this);
      if (call.durationSeconds > 0) this.#endTimer = setTimeout(() => this.end("time"), call.durationSeconds * 1000);
    }

    /** Begins the stream: at the present, or at the reader's last position. */
    async begin(): Promise<void> {
      const { partition } = this.channel;
      const { lastEventId, durationSeconds } = this.call;
      const time = store.now().getTime();
      const { view } = await store.readWithCache(partition);
      const position = { version: view.version, time };
      const ids = new EventIds(partition);
      const since = lastEventId === undefined ? position : await openPosition(secrets, partition, lastEventId);
      this.sentVersion = since?.version ?? view.version;
      this.write(`retry: 2000\nid: ${await ids.get(since ?? position)}\n\n`);
      if (since !== position) {
        const logged = since && (await readEventsAfterBreak(view, partition, since, time));
        const progress = (await listProgress(view)).filter(({ version }) => version > this.sentVersion);
        const eventView = createEventView(viewOptions, view, partition);
        if (logged) await this.sendVisible(eventView, logged, progress, position, ids);
        else this.send(await ids.get(position), { type: "reset" });
      }
      this.sentVersion = view.version;
      if (durationSeconds === 0) this.end("time");
    }

    /** Sends the events that the caller may see. */
    async sendVisible(
      eventView: EventView,
      logged: readonly LoggedEvent[],
      progress: readonly ProgressChange[],
      position: StreamPosition,
      ids: EventIds,
    ): Promise<void> {
      for (const { event, version, position: eventPosition } of logged) {
        if (version !== undefined && version <= this.sentVersion) continue;
        const changedEvent = await eventView.toChangedEvent(this.actor, event);
        if (changedEvent) this.send(await ids.get(eventPosition), changedEvent);
      }
      for (const { record, version } of progress) {
        if (version <= this.sentVersion) continue;
        const progressEvent = await eventView.toProgressEvent(this.actor, record);
        if (progressEvent) this.send(await ids.get(position), progressEvent);
      }
      this.sentVersion = Math.max(this.sentVersion, position.version);
    }

    send(id: string, event: StreamedEvent): void {
      this.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
    }

    /** Sends a text. A reader who does not keep up is disconnected. What is buffered is still sent; its ids say where to continue. */
    write(text: string): void {
      if (!this.#controller) return;
      if ((this.#controller.desiredSize ?? 0) <= 0) this.#close();
      else this.#controller.enqueue(utf8.encode(text));
    }

    /** Identifies the caller again, and ends the stream if that fails. */
    async refreshCaller(): Promise<void> {
      const present = await refreshActor(this.actor, this.call.originalRequest).catch((error) => {
        if (error instanceof DocsError) return undefined;
        throw error;
      });
      if (present) this.actor = present;
      else this.end("signed-out");
    }

    end(reason: EndEvent["reason"]): void {
      this.write(`data: ${JSON.stringify({ type: "end", reason })}\n\n`);
      this.#close();
    }

    #close(): void {
      this.#controller?.close();
      this.leave();
    }

    leave(): void {
      if (!this.#controller) return;
      this.#controller = undefined;
      clearTimeout(this.#endTimer);
      this.channel.removeStream(this);
      this.#release();
    }
  }

  return {
    async open(call) {
      const partition = getOrganizationPartition(call.organization);
      const time = store.now().getTime();
      const { version } = channels.get(partition)?.position ?? (await store.read(partition));

      const userId = call.actor.user.id;
      const ownStreams = streamCounts.get(userId) ?? 0;
      if (openStreams >= maxStreams || ownStreams >= maxStreamsOfUser)
        throw new DocsError("too_many_streams", { headers: { "retry-after": RETRY_AFTER_SECONDS } });
      openStreams++;
      streamCounts.set(userId, ownStreams + 1);
      const release = () => {
        openStreams--;
        const left = streamCounts.get(userId)! - 1;
        if (left > 0) streamCounts.set(userId, left);
        else streamCounts.delete(userId);
      };

      const channel = channels.get(partition) ?? new Channel(partition, { version, time });
      channels.set(partition, channel);
      const stream = new Stream(channel, call, release);
      try {
        await channel.runExclusive(() => stream.begin());
      } catch (error) {
        stream.leave();
        throw error;
      }
      return new BinaryResponse(stream.body, HEADERS);
    },
    close() {
      for (const channel of channels.values()) for (const stream of channel.streams) stream.end("closing");
    },
  };
}
