// A client between the adapter and PostgreSQL that counts statements and does to them what a test wants.

import type { QueryClient } from "octavo/postgres";

type Answer = Awaited<ReturnType<QueryClient["query"]>>;

/** What is done instead of sending a statement; `send` sends it. */
export type Fault = (send: () => Promise<Answer>, text: string) => Promise<Answer>;

export class FaultyClient implements QueryClient {
  readonly #client: QueryClient;
  readonly #faults: { readonly of: RegExp; readonly fault: Fault }[] = [];
  /** The statements that were sent. */
  sent: string[] = [];

  constructor(client: QueryClient) {
    this.#client = client;
  }

  /** Does this to the next statement that has such a text. */
  next(of: RegExp, fault: Fault): void {
    this.#faults.push({ of, fault });
  }

  async query(text: string, values?: string[]): Promise<Answer> {
    this.sent.push(text);
    const send = () => this.#client.query(text, values);
    const at = this.#faults.findIndex(({ of }) => of.test(text));
    if (at < 0) return send();
    return this.#faults.splice(at, 1)[0]!.fault(send, text);
  }
}

/** The error of a server or a socket with a code. */
export function coded(code: string, message = `the error ${code}`): Error {
  return Object.assign(new Error(message), { code });
}

/** The connection ends after the statement was committed. */
export const answerLost: Fault = async (send) => {
  await send();
  throw coded("ECONNRESET", "read ECONNRESET");
};

/** The connection ends before the statement arrives. */
export const neverArrived: Fault = async () => {
  throw coded("ECONNRESET", "read ECONNRESET");
};

export const failing =
  (code: string): Fault =>
  async () => {
    throw coded(code);
  };
