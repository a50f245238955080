// Streams of what happens in organizations, as server-sent events. An organization to which somebody listens has one channel in
// this process: it looks at what is new, and gives each stream what its caller may see. A stream keeps little: a reader who is
// too slow is let go, and goes on later where it was.

import { DocsError } from "../errors";
import type { Kernel, RegisteredOperation } from "../execution/kernel";
import { allProgress, type ProgressRow } from "../jobs/progress";
import type { Actor } from "../operation/actor";
import { BinaryResponse } from "../operation/binary-response";
import type { EventStreamRequest, OriginalRequest } from "../operation/operation";
import { DIRECTORY, getOrganizationPartition } from "../storage/ids";
import type { Version } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { Ended, StreamedEvent } from "./event";
import { createGuards } from "./guards";
import { type Logged, loggedAfterBreak, loggedSince } from "./happened";
import { type Moment, momentOf } from "./listening";
import { openPosition, type Position, sealPosition } from "./position";
import { createWatches, type Watches } from "./watch";

export interface Streams {
  /** Opens a stream. Throws `too_many_streams`. */
  open(call: EventStreamRequest): Promise<BinaryResponse>;
  /** Ends all streams. */
  close(): void;
}

/** The limits of streams; those that hosts set, and those of tests. */
export interface StreamLimits {
  readonly maxStreams?: number | undefined;
  readonly maxStreamsOfUser?: number | undefined;
  readonly pollSeconds?: number | undefined;
  /** How often a stream without events says that it is there. Some servers close a connection that is quiet for 10 seconds. */
  readonly beatMs?: number;
  /** The most bytes that wait for a slow reader. */
  readonly waitingBytes?: number;
  /** How often callers are asked for again whose credentials are not in the directory, or end by themselves. */
  readonly askAgainMs?: number;
}

interface Opening {
  readonly kernel: Kernel;
  readonly operations: ReadonlyMap<string, RegisteredOperation>;
  /** The caller as they are now; undefined when they are not known any more. */
  readonly stillIs: (actor: Actor, asked: OriginalRequest | undefined) => Promise<Actor | undefined>;
  readonly limits?: StreamLimits | undefined;
}

/** What waits for a slow reader: more than all events of a break take. */
const MOST_WAITING = 128 * 1024;
/** Running work is told of once in so many milliseconds. */
const PROGRESS_MS = 1000;
/** Callers are asked for again once in so many milliseconds, however often the directory changes. */
const CHECK_MS = 1000;
/** After so long without a look, rows of the log may have been sealed. */
const SEALED_MS = 30_000;
/** What a caller who is refused a stream waits. */
const RETRY_AFTER_S = "10";

export function createStreams({ kernel, operations, stillIs, limits = {} }: Opening): Streams {
  const { maxStreams = 500, maxStreamsOfUser = 20, pollSeconds = 2 } = limits;
  const { beatMs = 8000, askAgainMs = 30_000, waitingBytes = MOST_WAITING } = limits;
  const { store, secrets, jobs: work } = kernel;
  const listening = { kernel, operations, guards: createGuards(operations) };
  const watches = createWatches(store, pollSeconds * 1000, work.onError);
  const channels = new Map<string, Channel>();
  const ofUser = new Map<string, number>();
  let opened = 0;

  /** Takes a place for a stream of a user, and gives what frees it. */
  function admit(user: string): () => void {
    const own = ofUser.get(user) ?? 0;
    if (opened >= maxStreams || own >= maxStreamsOfUser)
      throw new DocsError("too_many_streams", { headers: { "retry-after": RETRY_AFTER_S } });
    opened++;
    ofUser.set(user, own + 1);
    return () => {
      opened--;
      const left = ofUser.get(user)! - 1;
      if (left > 0) ofUser.set(user, left);
      else ofUser.delete(user);
    };
  }

  /** What happens in one organization, for all of its streams in this process. */
  class Channel {
    readonly streams = new Set<Stream>();
    readonly #watches: ReturnType<Watches["begin"]>[];
    readonly #beat: ReturnType<typeof setInterval>;
    readonly #asking: ReturnType<typeof setInterval>;
    /** The version at which each row of progress was told last, and when. */
    readonly #told = new Map<string, { readonly version: Version; readonly at: number }>();
    /** Looks and openings take turns. */
    #turn: Promise<unknown> = Promise.resolve();
    /** The version of the directory at which callers were asked for, and when. */
    #directory = -1;
    #checkedAt = Number.NEGATIVE_INFINITY;

    constructor(
      readonly partition: string,
      public position: Position,
    ) {
      this.#watches = [
        watches.begin(partition, (view) => this.inTurn(() => this.#tell(view))),
        watches.begin(DIRECTORY, (view) => this.inTurn(() => this.#checkCallers(view.version))),
      ];
      this.#beat = setInterval(() => void this.inTurn(() => this.#alive()).catch(work.onError), beatMs);
      this.#asking = setInterval(() => void this.inTurn(() => this.#checkCallers()).catch(work.onError), askAgainMs);
    }

    inTurn<T>(run: () => Promise<T>): Promise<T> {
      const next = this.#turn.then(run);
      this.#turn = next.catch(() => {});
      return next;
    }

    leave(stream: Stream): void {
      this.streams.delete(stream);
      if (this.streams.size > 0) return;
      for (const watch of this.#watches) watch.end();
      clearInterval(this.#beat);
      clearInterval(this.#asking);
      if (channels.get(this.partition) === this) channels.delete(this.partition);
    }

    /** Tells what is new at a look. */
    async #tell(view: Reader): Promise<void> {
      const time = store.now().getTime();
      const progress = await this.#newProgress(view, time);
      if (view.version === this.position.version && progress.length === 0) {
        this.position = { version: view.version, time };
        return;
      }
      const isLong = time - this.position.time > SEALED_MS;
      const logged = isLong
        ? await loggedAfterBreak(view, this.partition, this.position, time)
        : await loggedSince(view, this.partition, this.position);
      const moment = momentOf(listening, view, this.partition);
      const position = { version: view.version, time };
      const ids = new Ids(this.partition);
      for (const stream of this.streams) {
        if (!(await moment.isMember(stream.actor))) stream.end("no-access");
        else if (logged) await stream.tell(moment, logged, progress, position, ids);
        else stream.send(await ids.of(position), { type: "reset" });
      }
      this.position = position;
    }

    /** Rows of progress that were not told. Work that runs is told of now and then; its end at once. */
    async #newProgress(view: Reader, time: number): Promise<Moved[]> {
      const rows: Moved[] = [];
      const present = new Set<string>();
      for (const { name, row, version } of await allProgress(view)) {
        present.add(name);
        const told = this.#told.get(name);
        if (version <= (told?.version ?? this.position.version)) continue;
        if (told && row.status === "running" && time - told.at < PROGRESS_MS && time >= told.at) {
          this.#watches[0]!.soon(PROGRESS_MS);
          continue;
        }
        this.#told.set(name, { version, at: time });
        rows.push({ row, version });
      }
      for (const name of this.#told.keys()) if (!present.has(name)) this.#told.delete(name);
      return rows;
    }

    /** Asks whether callers are who they were. With a version of the directory: only when it is another one. */
    async #checkCallers(version?: Version): Promise<void> {
      if (version === this.#directory) return;
      const left = this.#checkedAt + CHECK_MS - performance.now();
      if (version !== undefined && left > 0) return this.#watches[1]!.soon(left);
      this.#directory = version ?? this.#directory;
      this.#checkedAt = performance.now();
      for (const stream of this.streams) await stream.check().catch(work.onError);
    }

    /** Keeps connections open, and tells their readers how far they are. */
    async #alive(): Promise<void> {
      const line = `id: ${await sealPosition(secrets, this.partition, this.position)}\n\n`;
      for (const stream of this.streams) stream.write(line);
    }
  }

  /** The ids of the events of one look, which are the same for all streams. */
  class Ids {
    readonly #known = new Map<string, Promise<string>>();
    constructor(readonly partition: string) {}
    of(position: Position): Promise<string> {
      const name = `${position.version} ${position.time}`;
      const id = this.#known.get(name) ?? sealPosition(secrets, this.partition, position);
      this.#known.set(name, id);
      return id;
    }
  }

  /** One reader. */
  class Stream {
    readonly body: ReadableStream<Uint8Array>;
    actor: Actor;
    /** Everything up to this version was told. Before it begins, a stream is told nothing. */
    seen: Version = Number.POSITIVE_INFINITY;
    #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    readonly #free: () => void;
    readonly #over: ReturnType<typeof setTimeout> | undefined;

    constructor(
      readonly channel: Channel,
      readonly call: EventStreamRequest,
      free: () => void,
    ) {
      this.actor = call.actor;
      this.#free = free;
      this.body = new ReadableStream<Uint8Array>(
        {
          start: (controller) => {
            this.#controller = controller;
          },
          cancel: () => this.leave(),
        },
        new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes }),
      );
      channel.streams.add(this);
      if (call.durationSeconds > 0) this.#over = setTimeout(() => this.end("time"), call.durationSeconds * 1000);
    }

    /** Tells what happened, as far as the caller may see it. */
    async tell(
      moment: Moment,
      logged: readonly Logged[],
      progress: readonly Moved[],
      position: Position,
      ids: Ids,
    ): Promise<void> {
      for (const { event, version, position: at } of logged) {
        if (version !== undefined && version <= this.seen) continue;
        const told = await moment.changed(this.actor, event);
        if (told) this.send(await ids.of(at), told);
      }
      for (const { row, version } of progress) {
        if (version <= this.seen) continue;
        const told = await moment.progressed(this.actor, row);
        if (told) this.send(await ids.of(position), told);
      }
      this.seen = Math.max(this.seen, position.version);
    }

    send(id: string, event: StreamedEvent): void {
      this.write(`id: ${id}\ndata: ${JSON.stringify(event)}\n\n`);
    }

    /** A reader who does not keep up is let go. What waits is still sent, and with its ids the reader goes on later. */
    write(text: string): void {
      if (!this.#controller) return;
      if ((this.#controller.desiredSize ?? 0) <= 0) this.#close();
      else this.#controller.enqueue(utf8.encode(text));
    }

    /** Ends a stream whose caller is not known any more. */
    async check(): Promise<void> {
      const present = await stillIs(this.actor, this.call.originalRequest).catch((error) => {
        if (error instanceof DocsError) return undefined;
        throw error;
      });
      if (present) this.actor = present;
      else this.end("signed-out");
    }

    end(reason: Ended["reason"]): void {
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
      clearTimeout(this.#over);
      this.channel.leave(this);
      this.#free();
    }
  }

  /** Begins a stream: at the present, or where its reader was. */
  async function begin(stream: Stream): Promise<void> {
    const { call } = stream;
    const { partition } = stream.channel;
    const time = store.now().getTime();
    const { view } = await store.look(partition);
    const position = { version: view.version, time };
    const ids = new Ids(partition);
    const since = call.lastEventId === undefined ? position : await openPosition(secrets, partition, call.lastEventId);
    stream.seen = since?.version ?? view.version;
    stream.write(`retry: 2000\nid: ${await ids.of(since ?? position)}\n\n`);
    if (since !== position) {
      const logged = since && (await loggedAfterBreak(view, partition, since, time));
      const progress = (await allProgress(view)).filter(({ version }) => version > stream.seen);
      if (logged) await stream.tell(momentOf(listening, view, partition), logged, progress, position, ids);
      else stream.send(await ids.of(position), { type: "reset" });
    }
    stream.seen = view.version;
    if (call.durationSeconds === 0) stream.end("time");
  }

  return {
    async open(call) {
      const partition = getOrganizationPartition(call.organization);
      const time = store.now().getTime();
      const { version } = channels.get(partition)?.position ?? (await store.read(partition));
      const free = admit(call.actor.user.id);
      const channel = channels.get(partition) ?? new Channel(partition, { version, time });
      channels.set(partition, channel);
      const stream = new Stream(channel, call, free);
      await channel
        .inTurn(() => begin(stream))
        .catch((error) => {
          stream.leave();
          throw error;
        });
      return new BinaryResponse(stream.body, HEADERS);
    },
    close() {
      for (const channel of channels.values()) for (const stream of channel.streams) stream.end("closing");
    },
  };
}

const utf8 = new TextEncoder();

/** A row of progress that is new. */
interface Moved {
  readonly row: ProgressRow;
  readonly version: Version;
}

const HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  // Nothing on the way may keep it, or wait for more of it.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
};
