// What a command works on: a server over HTTP, or a storage directly. Both answer the same operations, by the same names.

import type { DocsApi, Envelope, OperationInput, OperationName, OperationOutput } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import { CommandFailed, STATUS } from "../framework/errors";

/** Why a call failed. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
  /** The status of HTTP; undefined when no answer came. */
  readonly status: number | undefined;
}

export type Result<Value> =
  | { readonly ok: true; readonly value: Value; readonly status: number }
  | { readonly ok: false; readonly error: Refusal };

/** Operations that answer with pages of a list. */
export type ListName = {
  [Name in OperationName]: OperationOutput<Name> extends Envelope<unknown> ? Name : never;
}[OperationName];

export type ItemOf<Name extends ListName> = OperationOutput<Name> extends Envelope<infer Item> ? Item : never;

/** What differs between a server and a storage. */
export interface Line {
  /** Calls an operation. Never rejects. */
  readonly call: <Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ) => Promise<Result<OperationOutput<Name>>>;
  /** The bytes behind a URL of an answer, such as a file's. */
  readonly download: (url: string) => Promise<Uint8Array>;
  /** What only somebody who holds the storage may do; undefined over HTTP. */
  readonly host: Pick<DocsApi, "provision" | "users" | "maintain"> | undefined;
  readonly close: () => Promise<void>;
}

export interface Connection extends Line {
  /** Calls an operation; a refusal ends the command with its sentence. */
  readonly ask: <Name extends OperationName>(name: Name, input: OperationInput<Name>) => Promise<OperationOutput<Name>>;
  /** Everything in a list, page by page; a refusal ends the command. */
  readonly each: <Name extends ListName>(
    name: Name,
    input: OperationInput<Name>,
  ) => AsyncGenerator<ItemOf<Name>, void, undefined>;
}

const PAGE = 100;

export function connectionOn(line: Line, signal: AbortSignal): Connection {
  const ask: Connection["ask"] = async (name, input) => {
    signal.throwIfAborted();
    const result = await line.call(name, input);
    if (!result.ok) throw failed(result.error);
    return result.value;
  };
  return {
    ...line,
    ask,
    async *each(name, input) {
      const { query = {} } = input as { query?: object };
      for (let page: string | undefined; ; ) {
        const asked = { ...input, query: { limit: PAGE, ...query, ...omitUndefined({ page }) } };
        const { items, next } = (await ask(name, asked as never)) as Envelope<ItemOf<typeof name>>;
        yield* items;
        page = next?.page;
        if (page === undefined) return;
      }
    },
  };
}

/** Answers after which the same call may succeed. */
const PASSING = [429, 502, 503, 504];

/** The failure of a command whose call was refused. */
export function failed({ reason, message, status }: Refusal): CommandFailed {
  const isPassing = status === undefined || PASSING.includes(status);
  return new CommandFailed(message, isPassing ? STATUS.unreachable : STATUS.failed, reason);
}

/** A refusal in one sentence, with the first fields that are wrong. */
export function sentenceOf(message: string, issues: readonly { path: string; message: string }[] = []): string {
  if (issues.length === 0) return message;
  const shown = issues.slice(0, 3).map(({ path, message: why }) => `${path}: ${why.replace(/\.$/, "")}`);
  return `The request was refused: ${shown.join("; ")}.`;
}
