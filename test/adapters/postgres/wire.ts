// The wire between the client library and a PostgreSQL in this process: a stream instead of a socket, which knows where a
// message of the protocol begins and ends, lets each travel in virtual time, and loses the connection where it is told to.

import { Duplex } from "node:stream";
import type { PGlite } from "@electric-sql/pglite";
import type { VirtualTime } from "../../stress/simulate/virtual-time";

/** Where a message goes. */
export type Direction = "server" | "client";

/** How a connection is lost at a message. */
export interface Loss {
  /** Whether the message still arrives. */
  readonly when: "before" | "after";
  /** Whether the client is told, or waits for an answer that never comes. */
  readonly isSilent: boolean;
  /** So many ms later than usual what is on its way arrives, when its sender has long been told of the loss. */
  readonly lateMs?: number;
}

/** What lies between a process and the server. */
export interface Wires {
  readonly time: VirtualTime;
  readonly server: ProtocolServer;
  /** How long a message travels now, in ms. */
  latency(): number;
  /** Whether a new connection is made, refused, or never answered. */
  connects(): "made" | "refused" | "never";
  /** Asked for each message. */
  meets(direction: Direction, message: Buffer): Loss | undefined;
}

/** A server in this process. Each statement is run when all of it has arrived (Sync or Query): what a connection has sent
 * before it was lost is run entirely or not at all, as by a server that rolls back. */
export class ProtocolServer {
  readonly #pglite: PGlite;

  constructor(pglite: PGlite) {
    this.#pglite = pglite;
  }

  /** Takes the messages of one connection, and gives the answers. */
  session(): (message: Buffer) => Buffer[] {
    let begun: Buffer[] = [];
    let isStarted = false;
    return (message) => {
      const type = isStarted ? String.fromCharCode(message[0]!) : "startup";
      isStarted = true;
      begun.push(message);
      if (type === "X") begun = [];
      if (type !== "startup" && type !== "S" && type !== "Q") return [];
      const whole = Buffer.concat(begun);
      begun = [];
      return messagesIn(Buffer.from(this.#pglite.execProtocolRawSync(whole)), false).messages;
    };
  }

  /** Runs statements of the test's own. */
  run(statements: string): void {
    const text = Buffer.from(`${statements}\0`);
    const head = Buffer.from("Q\0\0\0\0");
    head.writeInt32BE(text.length + 4, 1);
    for (const message of messagesIn(Buffer.from(this.#pglite.execProtocolRawSync(Buffer.concat([head, text]))), false)
      .messages)
      if (message[0] === "E".charCodeAt(0)) throw new Error(message.toString("latin1").replaceAll("\0", " "));
  }
}

/** The whole messages at the beginning of some bytes, and what is left. The first of a connection has no type. */
function messagesIn(bytes: Buffer, isStartup: boolean): { messages: Buffer[]; left: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  for (let untyped = isStartup; ; untyped = false) {
    const head = untyped ? 0 : 1;
    if (at + head + 4 > bytes.length) break;
    const end = at + head + bytes.readInt32BE(at + head);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(at, end));
    at = end;
  }
  return { messages, left: bytes.subarray(at) };
}

/** What an ended server says. */
const SHUTDOWN = (() => {
  const fields = Buffer.from("SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0");
  const head = Buffer.from("E\0\0\0\0");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
})();

/** One connection, as the client library has it. */
export class Wire extends Duplex {
  readonly #wires: Wires;
  readonly #take: (message: Buffer) => Buffer[];
  #unsent = Buffer.alloc(0);
  #isStartup = true;
  /** Nothing more sets out. */
  #isLost = false;
  /** Its process has ended: nothing arrives there, and nothing is told. */
  #isDead = false;
  /** What its process had sent when it ended is lost, too. */
  #isDropped = false;
  readonly #last: Record<Direction, number> = { server: 0, client: 0 };

  constructor(wires: Wires) {
    super({ autoDestroy: true });
    this.#wires = wires;
    this.#take = wires.server.session();
  }

  connect(): this {
    const outcome = this.#wires.connects();
    if (outcome === "never") return this;
    this.#later("client", () => {
      if (outcome === "made") this.emit("connect");
      else this.destroy(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    });
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _: string, done: () => void): void {
    this._writev([{ chunk }], done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    const bytes = Buffer.concat([this.#unsent, ...chunks.map(({ chunk }) => chunk)]);
    const { messages, left } = messagesIn(bytes, this.#isStartup);
    if (messages.length > 0) this.#isStartup = false;
    this.#unsent = Buffer.from(left);
    this.#send("server", messages);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#isLost = true;
    done(error);
  }

  /** The process of this end is gone. What it has sent still arrives, or does not. */
  die(isDropped: boolean): void {
    this.#isDead = true;
    this.#isLost = true;
    this.#isDropped = isDropped;
  }

  /** The server ends the connection with a word, as it does when it is restarted. */
  shutDown(): void {
    if (this.#isLost || this.destroyed) return;
    this.#isDropped = true;
    this.#pass("client", [SHUTDOWN], 0);
    this.#lose({ when: "after", isSilent: false });
  }

  #send(direction: Direction, messages: readonly Buffer[]): void {
    if (this.#isLost) return;
    const passing: Buffer[] = [];
    for (const message of messages) {
      const loss = this.#wires.meets(direction, message);
      if (!loss || loss.when === "after") passing.push(message);
      if (!loss) continue;
      this.#pass(direction, passing, loss.lateMs ?? 0);
      this.#lose(loss);
      return;
    }
    this.#pass(direction, passing, 0);
  }

  #pass(direction: Direction, messages: readonly Buffer[], lateMs: number): void {
    if (messages.length > 0) this.#later(direction, () => this.#arrive(direction, messages), lateMs);
  }

  #arrive(direction: Direction, messages: readonly Buffer[]): void {
    if (direction === "client") this.push(Buffer.concat(messages));
    else if (!this.#isDropped) for (const message of messages) this.#send("client", this.#take(message));
  }

  #lose({ isSilent }: Loss): void {
    this.#isLost = true;
    if (!isSilent)
      this.#later("client", () => this.destroy(Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" })));
  }

  /** Does something at one end after what came before it, if there still is somebody. */
  #later(direction: Direction, work: () => void, lateMs = 0): void {
    const { time } = this.#wires;
    const at = Math.max(this.#last[direction], time.now() + this.#wires.latency() + lateMs);
    this.#last[direction] = at;
    time.alarm(at - time.now(), () => {
      if (direction === "server" || !(this.#isDead || this.destroyed)) work();
    });
  }
}
