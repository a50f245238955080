// The process that makes the load. It writes prepared bytes to sockets and reads only as much of an answer as it must,
// because a client like node:http would be the bottleneck.

import { connect, type Socket } from "node:net";
import type { Load } from "./load";

process.on("message", (load: Load) => {
  run(load).then(
    (done) => process.send?.({ done }),
    (error) => process.send?.({ error: String(error) }),
  );
});
process.on("disconnect", () => process.exit());

async function run({ port, path, headers, connections, ms }: Load): Promise<number> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${lines.join("")}\r\n`);
  const start = performance.now();
  const counts = Array.from({ length: connections }, () => drive(connect(port, "127.0.0.1"), request, start + ms));
  const done = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  return (done * 1000) / (performance.now() - start);
}

/** Asks again whenever an answer is whole, until the time is over; gives the number of answers. */
function drive(socket: Socket, request: Buffer, end: number): Promise<number> {
  socket.setNoDelay(true);
  return new Promise((resolve, reject) => {
    let answers = 0;
    let received = 0;
    let expected = 0;
    socket.on("data", (chunk) => {
      // A head comes in one piece.
      if (received === 0) expected = lengthOf(chunk);
      if (expected === 0) socket.destroy(new Error(`Not a success: ${chunk.toString()}`));
      received += chunk.length;
      if (received < expected) return;
      answers++;
      received = 0;
      if (performance.now() < end) socket.write(request);
      else socket.destroy();
    });
    socket.on("close", () => resolve(answers));
    socket.on("error", reject);
    socket.on("connect", () => socket.write(request));
  });
}

/** The bytes of an answer with its head; 0 when it is no success. */
function lengthOf(chunk: Buffer): number {
  const head = chunk.toString("latin1", 0, chunk.indexOf("\r\n\r\n") + 4);
  const length = /^HTTP\/1.1 200 .*\r\ncontent-length: (\d+)\r\n/is.exec(head);
  return length ? head.length + Number(length[1]) : 0;
}
