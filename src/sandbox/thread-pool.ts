// The threads that scripts run in, so that a computing script does not block the server. All sandboxes of a process
// share them. They start when they are first needed, are kept for the next event, and do not keep the process alive.
// Requests of scripts are made here. A thread that does not come to an end is ended; events that it has not begun go to
// another thread.

import { unpackEngine } from "./engine";
import { failureOf } from "./failure";
import { Outbound } from "./fetch-requests";
import type { Ended, FromThread, Task, ToThread } from "./messages";
import type { SandboxFailure, SandboxHost } from "./port";
import { type ThreadHandle, workerThreads } from "./worker-threads";

/** A run checks its own time, and may be delayed for as long again by another run in its thread. A run that takes
 * longer than both plus this time never ends, so its thread is ended. */
const GRACE_MS = 5000;
/** The heap of a thread, without the memory of its scripts. */
const HEAP_MIB = 256;

/** A task that was given to a thread. */
interface Given {
  readonly task: Task;
  readonly host: SandboxHost;
  readonly requests: Outbound;
  readonly end: (ended: Ended | Promise<Ended>) => void;
  isBegun: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** The first message to a thread. */
export interface ThreadText {
  readonly code: string;
  readonly engine: Uint8Array<ArrayBuffer>;
  readonly world: string;
}

/** A limited number of threads, started from a text. */
export class Threads {
  private readonly all = new Set<Thread>();

  constructor(
    private readonly text: () => Promise<ThreadText>,
    public most: number,
    private readonly graceMs = GRACE_MS,
  ) {}

  /** Runs a task in a thread; rejects when none can be started. */
  async run(task: Task, host: SandboxHost): Promise<Ended> {
    const thread = this.free();
    thread.load++;
    try {
      await thread.isReady;
      return await thread.run(task, host);
    } finally {
      thread.load--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.all].map((thread) => thread.close("nobody")));
  }

  /** How many there are. */
  get size(): number {
    return this.all.size;
  }

  /** The thread with the least to do; a new one while all are busy and there may be more. */
  private free(): Thread {
    const [first] = [...this.all].sort((a, b) => a.load - b.load);
    if (first && (first.load === 0 || this.all.size >= this.most)) return first;
    const thread: Thread = new Thread(
      this.text(),
      () => this.all.delete(thread),
      (task, host) => this.run(task, host),
      this.graceMs,
    );
    this.all.add(thread);
    return thread;
  }
}

class Thread {
  /** Rejects when the thread cannot start. */
  readonly isReady: Promise<void>;
  /** How many tasks it has that are not done. */
  load = 0;
  private readonly given = new Map<number, Given>();
  private handle: ThreadHandle | undefined;
  private lastId = 0;
  private isOver = false;
  private ready = () => {};
  private refuse: (error: unknown) => void = () => {};

  constructor(
    text: Promise<ThreadText>,
    private readonly gone: () => void,
    /** Takes over tasks that this thread can no longer begin. */
    private readonly elsewhere: Threads["run"],
    private readonly graceMs: number,
  ) {
    this.isReady = new Promise((resolve, reject) => {
      this.ready = resolve;
      this.refuse = reject;
    });
    // Waiting tasks hear of the error through their own promises. Without any, it is ignored.
    this.isReady.catch(() => {});
    text.then((it) => this.start(it)).catch((error) => this.over(error));
  }

  async run(task: Task, host: SandboxHost): Promise<Ended> {
    // The thread may have ended since it was chosen.
    if (this.isOver) return this.elsewhere(task, host);
    return new Promise((end) => {
      const id = ++this.lastId;
      const requests = new Outbound(host.fetch, task.limits);
      this.given.set(id, { task, host, requests, end, isBegun: false });
      this.hold();
      this.tell({ type: "run", id, task, now: host.now().getTime() });
      void this.passOn(id, requests);
    });
  }

  /** Ends the thread. Tasks that it has begun fail; the others go to other threads, unless everything is closed. */
  async close(next: "others" | "nobody"): Promise<void> {
    this.over(new Error("The thread was ended."), next);
    await this.handle?.terminate();
  }

  private start({ code, engine, world }: ThreadText): void {
    if (this.isOver) return;
    const { Worker } = workerThreads()!;
    const resourceLimits = { maxOldGenerationSizeMb: HEAP_MIB };
    // A thread gets nothing of the process: no environment, and none of the process's own modules.
    const handle = new Worker(code, { eval: true, env: {}, execArgv: [], resourceLimits });
    this.handle = handle;
    handle.on("message", (message: FromThread) => this.hear(message));
    handle.on("error", (error: unknown) => this.over(error));
    handle.on("exit", () => this.over(new Error("The thread has ended.")));
    this.tell({ type: "open", engine, world });
  }

  private tell(message: ToThread): void {
    this.handle?.postMessage(message);
  }

  private hear(message: FromThread): void {
    if (message.type === "ready") {
      this.ready();
      this.hold();
      return;
    }
    const given = this.given.get(message.id);
    if (!given) return;
    if (message.type === "fetch") given.requests.begin(message.value, message.bytes);
    else if (message.type === "abort") given.requests.abort(message.value);
    else if (message.type === "begun") this.begin(given);
    else this.conclude(message.id, given, message.ended);
  }

  private begin(given: Given): void {
    given.isBegun = true;
    const patience = 2 * given.task.limits.milliseconds + this.graceMs;
    given.timer = setTimeout(() => {
      given.end({ failure: failureOf("timeout"), logs: [] });
      void this.close("others");
    }, patience);
  }

  private conclude(id: number, { timer, requests, end }: Given, ended: Ended | Promise<Ended>): void {
    this.given.delete(id);
    clearTimeout(timer);
    requests.end();
    end(ended);
    this.hold();
  }

  /** Passes on the results of a run's requests, while it goes on. */
  private async passOn(id: number, requests: Outbound): Promise<void> {
    while (this.given.has(id)) {
      await requests.ended();
      for (const settled of requests.take()) if (this.given.has(id)) this.tell({ type: "settled", id, settled });
    }
  }

  /** A process does not stay for threads that have nothing to do. */
  private hold(): void {
    if (this.given.size > 0) this.handle?.ref();
    else this.handle?.unref();
  }

  /** The thread has ended, for whatever reason. */
  private over(error: unknown, next: "others" | "nobody" = "others"): void {
    if (this.isOver) return;
    this.isOver = true;
    this.gone();
    this.refuse(error);
    for (const [id, given] of this.given) {
      const isLost = given.isBegun || next === "nobody";
      const ended = isLost ? { failure: died(), logs: [] } : this.elsewhere(given.task, given.host);
      this.conclude(id, given, ended);
    }
  }
}

function died(): SandboxFailure {
  return failureOf("crashed", "The thread that the script ran in has ended.");
}

const shared = new Threads(async () => {
  const [{ packedEngine }, { world }, { thread }] = await Promise.all([
    import("./built/engine"),
    import("./built/world"),
    import("./built/thread"),
  ]);
  return { code: thread, engine: unpackEngine(packedEngine), world };
}, 0);

/** The users of the threads of the process that have not closed them. */
const users = new Set<object>();

/** The threads of the process, for one of its users; undefined where there are none. */
export function threadsFor(user: object, most: number): Threads | undefined {
  if (most < 1 || !workerThreads()) return undefined;
  users.add(user);
  shared.most = Math.max(shared.most, most);
  return shared;
}

/** Ends the threads when their last user is done with them. */
export async function letGoOfThreads(user: object): Promise<void> {
  if (users.delete(user) && users.size === 0) await shared.close();
}
