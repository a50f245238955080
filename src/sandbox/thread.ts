// The program of a thread that runs scripts, each in an instance of its own, and several at the same time. It reaches
// nothing but the thread that started it, which sends the requests of the scripts, and ends this thread if it hangs.
// `npm run generate:sandbox` bundles it.

import type { ThreadInput, ThreadOutput } from "./messages";
import { OutboundRequests, type SettledRequest } from "./outbound-requests";
import { runTask } from "./run-task";
import { getWorkerThreads } from "./worker-threads";

const port = getWorkerThreads()!.parentPort!;
const activeRequests = new Map<number, ForwardedRequests>();
let environment: { readonly engine: WebAssembly.Module; readonly world: string };

function post(message: ThreadOutput, bytes?: Uint8Array): void {
  const canTransfer = bytes !== undefined && bytes.length > 0 && bytes.byteLength === bytes.buffer.byteLength;
  port.postMessage(message, canTransfer ? [bytes.buffer as ArrayBuffer] : []);
}

/** The requests of a script, sent by the other thread. */
class ForwardedRequests extends OutboundRequests {
  private readonly pendingIds = new Set<unknown>();

  constructor(private readonly taskId: number) {
    super();
  }

  protected get pendingCount(): number {
    return this.pendingIds.size;
  }

  begin(value: unknown, bytes: Uint8Array | undefined): void {
    this.pendingIds.add(Number((value as { id?: unknown } | null)?.id));
    post({ type: "fetch", id: this.taskId, value, bytes }, bytes);
  }

  abort(value: unknown): void {
    this.pendingIds.delete(value);
    post({ type: "abort", id: this.taskId, value });
  }

  settle(request: SettledRequest): void {
    this.pendingIds.delete((JSON.parse(request.json) as { id: unknown }).id);
    this.addSettled(request);
  }

  end(): void {}
}

port.on("message", async (message: ThreadInput) => {
  try {
    if (message.type === "settled") activeRequests.get(message.id)?.settle(message.settled);
    else if (message.type === "open") {
      environment = { engine: await WebAssembly.compile(message.engine), world: message.world };
      post({ type: "ready" });
    } else {
      const { id, task, now } = message;
      post({ type: "begun", id });
      const startedAt = performance.now();
      const requests = new ForwardedRequests(id);
      activeRequests.set(id, requests);
      const host = {
        now: () => new Date(now + (performance.now() - startedAt)),
        random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
      };
      const result = await runTask(task, { ...environment, host, requests });
      activeRequests.delete(id);
      post({ type: "ended", id, ended: result }, result.response?.body);
    }
  } catch (error) {
    // An error that is thrown outside of a promise ends the thread, and is reported to the other one.
    setTimeout(() => {
      throw error;
    });
  }
});
