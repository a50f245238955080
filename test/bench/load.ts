// Load over HTTP from another process, so that the server has a core to itself.

import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Connections that are kept alive, each with one request on its way. */
  readonly connections: number;
  readonly ms: number;
}

/** Starts the process. */
export function startLoad() {
  const child = fork(fileURLToPath(new URL("./load-process.ts", import.meta.url)));
  return {
    requestsPerSecond(load: Load) {
      return new Promise<number>((resolve, reject) => {
        child.once("message", (answer: { done: number } | { error: string }) =>
          "done" in answer ? resolve(answer.done) : reject(new Error(answer.error)),
        );
        child.send(load);
      });
    },
    stop: () => child.disconnect(),
  };
}
