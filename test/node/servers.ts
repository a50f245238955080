// Real servers and raw sockets for the tests of the Node door; everything that was opened is closed after each test.

import { createServer, type RequestListener } from "node:http";
import { connect, type Server } from "node:net";
import { createDocsApi, type DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { onTestFinished } from "vitest";
import { listenOn } from "../support/listening";

/** Runs when the test is over, also when it fails; what came last goes first. A hook of this module would be one of the file that
 * imported it first, and the files of a worker share their modules. */
export function afterwards(cleanup: () => unknown): void {
  onTestFinished(async () => {
    await cleanup();
  });
}

/** Makes a server listen on a free port of this machine; gives its port. */
export async function listen(server: Server): Promise<number> {
  const { port, close } = await listenOn(server);
  afterwards(close);
  return port;
}

/** An HTTP server around a handler; gives its origin. */
export async function serve(handler: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(handler))}`;
}

/** An API on an empty storage, with an organization, and the header that its admin sends. */
export async function docs(options: DocsApiOptions = {}) {
  const api = createDocsApi(memoryStorage(), options);
  const { organization, token } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.org" },
    organization: { title: "Engines" },
    token: { label: "test" },
  });
  return { api, organization: organization!, authorization: `Bearer ${token}` };
}

/** A connection on which a test writes what it likes. */
export function dial(port: number) {
  const socket = connect(port, "127.0.0.1");
  afterwards(() => socket.destroy());
  let received = "";
  let isOver = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const check of [...waiting]) check();
  };
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    wake();
  });
  // A reset is an end too: what had been received until then is what the test looks at.
  socket.on("error", () => {});
  socket.on("close", () => {
    isOver = true;
    wake();
  });
  const until = (holds: () => boolean, what: string) =>
    new Promise<string>((resolve, reject) => {
      const check = () => {
        if (!holds() && !isOver) return;
        waiting.delete(check);
        if (holds()) resolve(received);
        else reject(new Error(`The connection ended before ${what}; received: ${JSON.stringify(received)}`));
      };
      waiting.add(check);
      check();
    });
  return {
    socket,
    /** Writes lines of a request head, with the empty line behind. */
    head: (...lines: string[]) => socket.write(`${lines.join("\r\n")}\r\n\r\n`),
    /** Everything received, once it holds this text. */
    receives: (text: string) => until(() => received.includes(text), JSON.stringify(text)),
    /** Everything received, once the other end has closed. */
    ends: () => until(() => isOver, "its end"),
  };
}

/** The port of an origin. */
export function portOf(origin: string): number {
  return Number(new URL(origin).port);
}
