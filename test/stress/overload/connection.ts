// One connection of a client that knows as much of HTTP as the load needs, so that five thousand of them leave the processor
// to the server: answers with their length, read at once or slowly.

import { connect, type Socket } from "node:net";

export interface Answer {
  readonly status: number;
  readonly hasRetryAfter: boolean;
}

/** The connection ended before the answer did. */
export class Cut extends Error {}

export class Connection {
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
