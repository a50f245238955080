// The load: so many connections that ask, think and ask again until the time is over. A few of them read slowly, send slowly,
// or send bodies that are too large. It tells what they were answered.

import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Load, Loaded } from "./overload";
import { prose, WORDS, type Written, word } from "./world";

// One connection of a client that knows as much of HTTP as the load needs, so that five thousand of them leave the processor
// to the server: answers with their length, read at once or slowly.

interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

/** The connection ended before the answer did. */
class Cut extends Error {}

class Connection {
  #socket: Socket | undefined;
  #head: Buffer | undefined;
  #answer: (Answer & { readonly isLast: boolean }) | undefined;
  /** Bytes of the answer that have not come yet. */
  #left = 0;
  #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = [];

  /** `pace` says for how many milliseconds nothing is read after each piece. */
  constructor(
    private readonly port: number,
    private readonly pace: () => number = () => 0,
  ) {}

  /** Gives when the connection is there, or cannot be. Who asks before that waits for it. */
  open(): Promise<void> {
    this.close();
    const socket = connect({ port: this.port, host: "127.0.0.1", noDelay: true });
    socket.on("data", (bytes) => {
      if (socket === this.#socket) this.#take(bytes);
      const pause = this.#waiting.length === 0 ? 0 : this.pace();
      if (pause === 0) return;
      socket.pause();
      setTimeout(() => socket.resume(), pause);
    });
    socket.on("error", (error) => this.#cut(socket, error.message));
    socket.on("close", () => this.#cut(socket, "closed"));
    this.#socket = socket;
    return new Promise((resolve) => void socket.once("connect", resolve).once("close", () => resolve()));
  }

  close(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  /** Closes the connection. Who still waits is cut off. */
  giveUp(why: string): void {
    this.close();
    this.#head = undefined;
    this.#answer = undefined;
    for (const { reject } of this.#waiting.splice(0)) reject(new Cut(why));
  }

  /** Lets a request be sent, and gives its answer once all of it has come. */
  ask(send: (socket: Socket) => void): Promise<Answer> {
    if (this.#socket === undefined) void this.open();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      send(this.#socket!);
    });
  }

  #take(given: Buffer): void {
    for (let bytes = given; bytes.length > 0; ) {
      if (this.#answer === undefined) {
        if (this.#head) bytes = Buffer.concat([this.#head, bytes]);
        const end = bytes.indexOf("\r\n\r\n");
        this.#head = end < 0 ? bytes : undefined;
        if (end < 0) return;
        this.#begin(bytes.toString("latin1", 0, end + 2).toLowerCase());
        bytes = bytes.subarray(end + 4);
      }
      const ours = Math.min(bytes.length, this.#left);
      this.#left -= ours;
      bytes = bytes.subarray(ours);
      if (this.#left === 0) this.#end();
    }
  }

  #begin(head: string): void {
    this.#answer = {
      status: Number(head.slice(9, 12)),
      hasRetryAfter: head.includes("\r\nretry-after: "),
      isLast: head.includes("\r\nconnection: close\r\n"),
    };
    this.#left = Number(/\r\ncontent-length: (\d+)\r\n/.exec(head)?.[1] ?? 0);
  }

  #end(): void {
    const answer = this.#answer!;
    this.#answer = undefined;
    this.#waiting.shift()?.resolve(answer);
    if (!answer.isLast) return;
    this.giveUp("closed after an answer");
  }

  #cut(socket: Socket, why: string): void {
    if (socket !== this.#socket) return;
    this.giveUp(why);
  }
}

const [load] = (await once(process, "message")) as [Load];
const { world, port } = load;
/** What has not come so long after the end never comes. */
const PATIENCE_MS = 3 * 60_000;
/** When the load is over; it begins once all are connected. */
let end = Number.POSITIVE_INFINITY;
const isOver = () => performance.now() >= end;

let state = load.seed >>> 0;
function random(): number {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}
const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

const counts: Record<string, number> = {};
const wrong: Record<string, number> = {};
const took: number[] = [];
const written: Written[] = [];
const add = (to: Record<string, number>, name: string) => {
  to[name] = (to[name] ?? 0) + 1;
};

/** A request as it is sent, and what is written if it is taken. */
interface Request {
  readonly name: string;
  readonly head: string;
  readonly body?: string;
  readonly written?: Written;
}

function get(name: string, path: string): Request {
  return { name, head: `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.token}\r\n` };
}

function post(name: string, path: string, send: unknown, written: Written): Request {
  const head = `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.token}\r\ncontent-type: application/json\r\n`;
  return { name, head, body: JSON.stringify(send), written };
}

function comment(): Request {
  const [{ id: space }, text] = [one(world.spaces), randomUUID()];
  return post(
    "comment",
    `/v1/spaces/${space}/comments`,
    { body: { markdown: text } },
    { space, kind: "comment", text },
  );
}

function page(markdown: string): Request {
  const [{ id: space }, text] = [one(world.spaces), randomUUID()];
  const changes = [{ operation: "insert_page", title: text, document: { markdown } }];
  return post("page", `/v1/spaces/${space}/content`, { changes }, { space, kind: "page", text });
}

/** What somebody asks for next. */
function next(): Request {
  const { id, pages } = one(world.spaces);
  const kind = random();
  if (kind < 0.7) return get("read", `/v1/spaces/${id}/content/page/${one(pages)}`);
  if (kind < 0.78) return get("list", `/v1/spaces/${id}/content/pages`);
  if (kind < 0.84) return get("search", `/v1/spaces/${id}/search?query=${word(Math.floor(random() * WORDS))}`);
  if (kind < 0.85)
    return get("search all", `/v1/orgs/${world.organization}/search?query=${word(Math.floor(random() * WORDS))}`);
  if (kind < 0.87) return get("large page", world.large);
  return kind < 0.97 ? comment() : page(prose(1000, Math.floor(random() * 1e6)));
}

/** Asks, and counts what comes of it. A refusal must say when to come back. */
async function ask(connection: Connection, request: Request, send: (socket: Socket) => void, isTimed: boolean) {
  const begun = performance.now();
  let answer: Answer;
  try {
    answer = await connection.ask(send);
  } catch (error) {
    add(wrong, `${request.name}: ${error instanceof Cut ? "cut, " : ""}${(error as Error).message}`);
    return;
  }
  const { status, hasRetryAfter } = answer;
  const isRefused = status === 503 || status === 429;
  if (isRefused && !hasRetryAfter) add(wrong, `${request.name}: ${status} without Retry-After`);
  else if (isRefused) add(counts, String(status));
  else if (request.name === "too large" ? status !== 413 : status >= 300) add(wrong, `${request.name}: ${status}`);
  else {
    add(counts, "served");
    add(counts, `served: ${request.name}`);
    if (isTimed) took.push(performance.now() - begun);
    if (request.written) written.push(request.written);
  }
}

const whole = ({ head, body }: Request) =>
  body === undefined ? `${head}\r\n` : `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const think = () => wait(Math.max(0, Math.min(random() * 2 * load.thinkMs, end - performance.now())));

/** Asks for everything, with pauses. */
async function person(connection: Connection): Promise<void> {
  for (await think(); !isOver(); await think()) {
    const request = next();
    await ask(connection, request, (socket) => void socket.write(whole(request)), true);
  }
  connection.close();
}

/** How many large answers a slow reader asks for in one go: more than the system takes for it, which is 4 MB on Linux. */
const AT_ONCE = 8;

/** Takes a piece of its answers a second, and the rest of them when the time is over. */
async function slowReader(connection: Connection): Promise<void> {
  for (await think(); !isOver(); await think()) {
    const request = get("slow reader", world.large);
    const send = (socket: Socket) => void socket.write(whole(request));
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(connection, request, send, false)));
  }
  connection.close();
}

/** Sends a page byte by byte at first, and the rest of it when the time is over. */
async function slowSender(connection: Connection): Promise<void> {
  await think();
  for (; !isOver(); await think()) {
    const request = { ...page(prose(100_000, 1)), name: "slow sender" };
    const text = whole(request);
    let isAnswered = false;
    const send = async (socket: Socket) => {
      let at = request.head.length + 40;
      socket.write(text.slice(0, at));
      for (; !isOver() && !isAnswered; at += 10) {
        socket.write(text.slice(at, at + 10));
        await wait(500);
      }
      if (!isAnswered) socket.write(text.slice(at));
    };
    await ask(connection, request, (socket) => void send(socket), false);
    isAnswered = true;
    // What was not sent cannot be sent any more.
    connection.close();
  }
}

/** Sends bodies that are far too large, in turns with one that says its length and one that does not. */
async function largeSender(connection: Connection): Promise<void> {
  const piece = "x".repeat(64 * 1024);
  for (await think(); !isOver(); await think()) {
    const isChunked = random() < 0.5;
    const request = { ...page(""), name: "too large" };
    const lengthIs = isChunked ? "transfer-encoding: chunked" : `content-length: ${50 * 1024 * 1024}`;
    const send = async (socket: Socket) => {
      socket.write(`${request.head}${lengthIs}\r\n\r\n`);
      // It does not look at the answer while it sends.
      for (let at = 0; at < 200 && socket.writable; at++)
        if (!socket.write(isChunked ? `10000\r\n${piece}\r\n` : piece)) await once(socket, "drain").catch(() => {});
    };
    await ask(connection, { name: request.name, head: "" }, (socket) => void send(socket), false);
    connection.close();
  }
}

const few = Math.floor(load.connections * load.troublesome);
const clients = Array.from({ length: load.connections }, (_, at) => {
  if (at < few) return { act: slowReader, connection: new Connection(port, () => (isOver() ? 0 : 1000)) };
  return { act: at < 2 * few ? slowSender : at < 3 * few ? largeSender : person, connection: new Connection(port) };
});
// Not all in the same moment: how many wait until a server accepts them is limited by the system.
for (let at = 0; at < clients.length; at += 100)
  await Promise.all(clients.slice(at, at + 100).map(({ connection }) => connection.open()));
end = performance.now() + load.seconds * 1000;
const limit = setTimeout(
  () => {
    for (const { connection } of clients) connection.giveUp("no answer");
  },
  load.seconds * 1000 + PATIENCE_MS,
);
await Promise.all(clients.map(({ act, connection }) => act(connection)));
clearTimeout(limit);
took.sort((a, b) => a - b);
const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
const loaded: Loaded = { counts, wrong, written, p50: at(0.5), p99: at(0.99) };
process.send!(loaded, () => process.disconnect());
