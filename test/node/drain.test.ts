// The orderly end of a server: clients that keep their connections are under load when it is asked to stop, and none of their
// requests is lost.

import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { prepareDrain } from "octavo/node";
import { expect, test } from "vitest";
import { afterwards, dial, listen } from "./servers";

/** Longer than any of these tests: nothing here is closed because time is over. */
const FOREVER = 1_000_000;
const REQUEST = "POST /write HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody";

/** A client that sends the next request as soon as the last one is answered, on one connection. */
function keepAsking(port: number) {
  const counts = { sent: 0, answered: 0, toldToClose: 0, isReset: false };
  let received = "";
  let socket: Socket;
  const send = () => {
    counts.sent++;
    socket.write(REQUEST);
  };
  let setConnected = () => {};
  const connected = new Promise<void>((resolve) => {
    setConnected = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    socket = connect(port, "127.0.0.1", () => {
      setConnected();
      send();
    });
    socket.setEncoding("latin1").on("data", (text: string) => {
      received += text;
      if (!received.endsWith("\r\n\r\ndone")) return;
      counts.answered++;
      const isLast = /^connection: close$/im.test(received);
      received = "";
      if (isLast) counts.toldToClose++;
      else send();
    });
    socket.on("error", () => {
      counts.isReset = true;
    });
    socket.on("close", () => resolve());
    afterwards(() => socket.destroy());
  });
  return { counts, connected, ended };
}

/** A server that answers after some turns, as one that writes does. */
async function serve(): Promise<{ server: Server; port: number; drain: ReturnType<typeof prepareDrain> }> {
  const server = createServer((request, response) => {
    request.resume().on("end", async () => {
      for (let i = 0; i < 3; i++) await new Promise((done) => setImmediate(done));
      response.writeHead(200, { "content-length": "4" }).end("done");
    });
  });
  const drain = prepareDrain(server);
  return { server, port: await listen(server), drain };
}

async function underLoad(stop: (it: Awaited<ReturnType<typeof serve>>) => Promise<unknown>) {
  const it = await serve();
  const clients = Array.from({ length: 60 }, () => keepAsking(it.port));
  while (clients.some(({ counts }) => counts.answered < 5)) await new Promise((done) => setImmediate(done));
  await stop(it);
  await Promise.all(clients.map(({ ended }) => ended));
  return clients.map(({ counts }) => counts);
}

test("every request of keep-alive clients is answered, the last one with `Connection: close`", async () => {
  for (const counts of await underLoad(({ drain }) => drain({ idleMs: FOREVER, limitMs: FOREVER })))
    expect(counts).toEqual({ sent: counts.sent, answered: counts.sent, toldToClose: 1, isReset: false });
});

test("clients that were connected but not yet accepted are answered", async () => {
  const { port, drain } = await serve();
  const clients = Array.from({ length: 200 }, () => keepAsking(port));
  await Promise.all(clients.map(({ connected }) => connected));
  await drain({ idleMs: FOREVER, limitMs: FOREVER });
  await Promise.all(clients.map(({ ended }) => ended));
  for (const { counts } of clients)
    expect(counts).toEqual({ sent: counts.sent, answered: counts.sent, toldToClose: 1, isReset: false });
});

test("control: `close` and `closeIdleConnections` leave requests unanswered", async () => {
  const all = await underLoad(async ({ server }) => {
    const closed = new Promise((resolve) => server.close(resolve));
    // As long as somebody is connected, as a timer would.
    const sweep = () => {
      server.closeIdleConnections();
      if (server.listening || connections > 0) setTimeout(sweep, 0);
    };
    let connections = 1;
    void closed.then(() => {
      connections = 0;
    });
    sweep();
    await closed;
  });
  expect(all.filter(({ sent, answered }) => answered < sent).length).toBeGreaterThan(0);
});

test("a request that has begun to arrive on an idle connection is awaited", async () => {
  const { port, drain } = await serve();
  const { socket, receives, ends } = dial(port);
  socket.write(REQUEST);
  await receives("done");
  const half = dial(port);
  half.socket.write(REQUEST);
  await half.receives("done");
  const begun = REQUEST.indexOf("host");
  half.socket.write(REQUEST.slice(0, begun));
  // What has been written is here before the next answer is.
  const other = dial(port);
  other.socket.write(REQUEST);
  await other.receives("done");
  const drained = drain({ idleMs: 0, limitMs: FOREVER });
  await Promise.all([ends(), other.ends()]);
  half.socket.write(REQUEST.slice(begun));
  expect(await half.receives("connection: close")).toMatch(/done[\s\S]*connection: close/i);
  await half.ends();
  await drained;
});

test("idle connections are closed, and those that never end are closed at the time limit", async () => {
  const { port, drain } = await serve();
  const unused = dial(port);
  const stuck = dial(port);
  stuck.socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf");
  const used = dial(port);
  used.socket.write(REQUEST);
  await used.receives("done");
  await drain({ idleMs: 0, limitMs: 100 });
  await Promise.all([unused.ends(), stuck.ends(), used.ends()]);
});
