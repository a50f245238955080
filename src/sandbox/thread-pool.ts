// The threads that scripts run in, so that a computing script does not block the server. All sandboxes of a process
// share them. They start when they are first needed, stay for later events, and do not keep the process alive. The
// requests of scripts are sent from here. A thread that hangs is ended; events that it has not begun go to another one.

import { unpackEngine } from "./engine";
import { createFailure } from "./failure";
import { FetchRequests } from "./fetch-requests";
import type { Task, TaskResult, ThreadInput, ThreadOutput } from "./messages";
import type { SandboxHost } from "./port";
import { getWorkerThreads, type ThreadHandle } from "./worker-threads";

/**
 * A run checks its own time, and may be delayed for as long again by another run in its thread. If a run takes longer than
 * both plus this time, its thread hangs and is ended.
 */
const GRACE_MS = 5000;
/** The heap of a thread, without the memory of its scripts. */
const MAX_HEAP_MIB = 256;

interface ActiveTask {
  readonly task: Task;
  readonly host: SandboxHost;
  readonly requests: FetchRequests;
  readonly resolve: (result: TaskResult | Promise<TaskResult>) => void;
  isBegun: boolean;
  timer?: ReturnType<typeof setTimeout>;
}

/** The code of a thread, and the content of its first message. */
export interface ThreadProgram {
  readonly code: string;
  readonly engine: Uint8Array<ArrayBuffer>;
  readonly world: string;
}

/** A limited number of threads that run the same program. */
export class ThreadPool {
  private readonly threads = new Set<Thread>();

  constructor(
    private readonly loadProgram: () => Promise<ThreadProgram>,
    public maxThreads: number,
    private readonly graceMs = GRACE_MS,
  ) {}

  get size(): number {
    return this.threads.size;
  }

  /** Runs a task in the thread with the least load. Starts another thread if all are busy. Rejects if none can start. */
  async run(task: Task, host: SandboxHost): Promise<TaskResult> {
    let [thread] = [...this.threads].sort((a, b) => a.load - b.load);
    if (!thread || (thread.load > 0 && this.threads.size < this.maxThreads)) {
      const newThread: Thread = new Thread(this.loadProgram(), {
        onEnd: () => this.threads.delete(newThread),
        runElsewhere: (task, host) => this.run(task, host),
        graceMs: this.graceMs,
      });
      this.threads.add(newThread);
      thread = newThread;
    }

    thread.load++;
    try {
      await thread.whenReady;
      return await thread.run(task, host);
    } finally {
      thread.load--;
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.threads].map((thread) => thread.close({ isPoolClosing: true })));
  }
}

interface ThreadOptions {
  readonly onEnd: () => void;
  /** Runs a task that this thread can no longer begin. */
  readonly runElsewhere: ThreadPool["run"];
  readonly graceMs: number;
}

class Thread {
  /** Rejects if the thread cannot start. */
  readonly whenReady: Promise<void>;
  /** The number of tasks that are not done. */
  load = 0;
  private readonly activeTasks = new Map<number, ActiveTask>();
  private handle: ThreadHandle | undefined;
  private lastId = 0;
  private hasEnded = false;
  private resolveReady = () => {};
  private rejectReady: (error: unknown) => void = () => {};

  constructor(
    program: Promise<ThreadProgram>,
    private readonly options: ThreadOptions,
  ) {
    this.whenReady = new Promise((resolve, reject) => {
      this.resolveReady = resolve;
      this.rejectReady = reject;
    });
    // Tasks receive the error through their own promises. Without any task, it is ignored.
    this.whenReady.catch(() => {});
    program.then((program) => this.start(program)).catch((error) => this.handleEnd(error));
  }

  async run(task: Task, host: SandboxHost): Promise<TaskResult> {
    // The thread may have ended since it was chosen.
    if (this.hasEnded) return this.options.runElsewhere(task, host);
    return new Promise((resolve) => {
      const id = ++this.lastId;
      const requests = new FetchRequests(host.fetch, task.limits);
      this.activeTasks.set(id, { task, host, requests, resolve, isBegun: false });
      this.updateRef();
      this.post({ type: "run", id, task, now: host.now().getTime() });
      void this.forwardSettled(id, requests);
    });
  }

  /** Ends the thread. Tasks that it has begun fail; others go to other threads, unless the pool is closing. */
  async close({ isPoolClosing = false } = {}): Promise<void> {
    this.handleEnd(new Error("The thread was ended."), { isPoolClosing });
    await this.handle?.terminate();
  }

  private start({ code, engine, world }: ThreadProgram): void {
    if (this.hasEnded) return;
    const { Worker } = getWorkerThreads()!;
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
    // A thread gets nothing of the process: no environment, and none of the process's own modules.
    const handle = new Worker(code, { eval: true, env: {}, execArgv: [], resourceLimits });
    this.handle = handle;
    handle.on("message", (message: ThreadOutput) => this.handleMessage(message));
    handle.on("error", (error: unknown) => this.handleEnd(error));
    handle.on("exit", () => this.handleEnd(new Error("The thread has ended.")));
    this.post({ type: "open", engine, world });
  }

  private post(message: ThreadInput): void {
    this.handle?.postMessage(message);
  }

  private handleMessage(message: ThreadOutput): void {
    if (message.type === "ready") {
      this.resolveReady();
      this.updateRef();
      return;
    }
    const active = this.activeTasks.get(message.id);
    if (!active) return;
    if (message.type === "fetch") active.requests.begin(message.value, message.bytes);
    else if (message.type === "abort") active.requests.abort(message.value);
    else if (message.type === "ended") this.finishTask(message.id, active, message.ended);
    else {
      active.isBegun = true;
      active.timer = setTimeout(
        () => {
          active.resolve({ failure: createFailure("timeout"), logs: [] });
          void this.close();
        },
        2 * active.task.limits.milliseconds + this.options.graceMs,
      );
    }
  }

  private finishTask(
    id: number,
    { timer, requests, resolve }: ActiveTask,
    result: TaskResult | Promise<TaskResult>,
  ): void {
    this.activeTasks.delete(id);
    clearTimeout(timer);
    requests.end();
    resolve(result);
    this.updateRef();
  }

  /** Sends the results of a run's requests to the thread, as long as the run continues. */
  private async forwardSettled(id: number, requests: FetchRequests): Promise<void> {
    while (this.activeTasks.has(id)) {
      await requests.waitForSettled();
      for (const settled of requests.takeSettled())
        if (this.activeTasks.has(id)) this.post({ type: "settled", id, settled });
    }
  }

  /** Keeps the process alive only for a thread that has tasks. */
  private updateRef(): void {
    if (this.activeTasks.size > 0) this.handle?.ref();
    else this.handle?.unref();
  }

  /** Passes on or fails the tasks of a thread that has ended for any reason. */
  private handleEnd(error: unknown, { isPoolClosing = false } = {}): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.options.onEnd();
    this.rejectReady(error);
    for (const [id, active] of this.activeTasks) {
      const failure = createFailure("crashed", "The thread that the script ran in has ended.");
      const result =
        active.isBegun || isPoolClosing ? { failure, logs: [] } : this.options.runElsewhere(active.task, active.host);
      this.finishTask(id, active, result);
    }
  }
}

const sharedPool = new ThreadPool(async () => {
  const [{ packedEngine }, { world }, { thread }] = await Promise.all([
    import("./built/engine"),
    import("./built/world"),
    import("./built/thread"),
  ]);
  return { code: thread, engine: unpackEngine(packedEngine), world };
}, 0);

/** The sandboxes that use the shared threads and have not been closed. */
const poolUsers = new Set<object>();

/** Returns the threads of the process for one of its users, or undefined where there are none. */
export function acquireThreadPool(user: object, maxThreads: number): ThreadPool | undefined {
  if (maxThreads < 1 || !getWorkerThreads()) return undefined;
  poolUsers.add(user);
  sharedPool.maxThreads = Math.max(sharedPool.maxThreads, maxThreads);
  return sharedPool;
}

/** Ends the threads when their last user has released them. */
export async function releaseThreadPool(user: object): Promise<void> {
  if (poolUsers.delete(user) && poolUsers.size === 0) await sharedPool.close();
}
