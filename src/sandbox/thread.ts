// What runs in a thread: scripts, each in an instance of its own, as many at once as it is given. It reaches nothing but the
// thread that started it, which makes the requests of the scripts and ends this one if it does not come to an end.
// `npm run sandbox` makes a text of it.

import type { FromThread, ToThread } from "./messages";
import { Requests, type Settled } from "./outbound-requests";
import { carryOut } from "./run-task";
import { workerThreads } from "./worker-threads";

const port = workerThreads()!.parentPort!;
const underWay = new Map<number, FarRequests>();
let opened: { readonly engine: WebAssembly.Module; readonly world: string };

function tell(message: FromThread, bytes?: Uint8Array): void {
  const isWhole = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  port.postMessage(message, isWhole && bytes.length > 0 ? [bytes.buffer as ArrayBuffer] : []);
}

/** The requests of a script, made over there. */
class FarRequests extends Requests {
  private readonly waiting = new Set<unknown>();

  constructor(private readonly id: number) {
    super();
  }

  protected get underWay(): number {
    return this.waiting.size;
  }

  begin(value: unknown, bytes: Uint8Array | undefined): void {
    this.waiting.add(Number((value as { id?: unknown } | null)?.id));
    tell({ type: "fetch", id: this.id, value, bytes }, bytes);
  }

  abort(value: unknown): void {
    this.waiting.delete(value);
    tell({ type: "abort", id: this.id, value });
  }

  settle(settled: Settled): void {
    this.waiting.delete((JSON.parse(settled.json) as { id: unknown }).id);
    this.add(settled);
  }

  end(): void {}
}

async function run({ id, task, now }: ToThread & { type: "run" }): Promise<void> {
  tell({ type: "begun", id });
  const began = performance.now();
  const requests = new FarRequests(id);
  underWay.set(id, requests);
  const host = {
    now: () => new Date(now + (performance.now() - began)),
    random: (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes)),
  };
  const ended = await carryOut(task, { ...opened, host, requests });
  underWay.delete(id);
  tell({ type: "ended", id, ended }, ended.response?.body);
}

async function hear(message: ToThread): Promise<void> {
  if (message.type === "open") {
    opened = { engine: await WebAssembly.compile(message.engine), world: message.world };
    tell({ type: "ready" });
  } else if (message.type === "run") await run(message);
  else underWay.get(message.id)?.settle(message.settled);
}

/** What is thrown here ends the thread, and whoever started it hears of that. */
function fall(error: unknown): void {
  setTimeout(() => {
    throw error;
  });
}

port.on("message", (message: ToThread) => void hear(message).catch(fall));
