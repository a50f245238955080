// The connection that a command works on: a server over HTTP, or a storage directly. Both offer the same operations by the same
// names.

import type { DocsApi, Envelope, OperationInput, OperationName, OperationOutput } from "octavo";
import { omitUndefined } from "../../src/utils/objects";
import { CommandError, STATUS } from "../framework/command";

/** The reason why a call failed. */
export interface CallFailure {
  readonly reason: string;
  readonly message: string;
  /** The HTTP status, or undefined if there was no response. */
  readonly status: number | undefined;
}

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value; readonly status: number }
  | { readonly ok: false; readonly error: CallFailure };

/** The operations that return a list page by page. */
type ListName = {
  [Name in OperationName]: OperationOutput<Name> extends Envelope<unknown> ? Name : never;
}[OperationName];

type ListedItem<Name extends ListName> = OperationOutput<Name> extends Envelope<infer Item> ? Item : never;

/** The part of a connection that differs between a server and a storage. */
export interface Transport {
  /** Calls an operation. Never rejects. */
  readonly call: <Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
  ) => Promise<CallResult<OperationOutput<Name>>>;
  /** Downloads the bytes behind a URL that a response contains, such as that of a file. */
  readonly download: (url: string) => Promise<Uint8Array>;
  /** The functions for the owner of the storage; undefined over HTTP. */
  readonly host: Pick<DocsApi, "provision" | "users" | "maintain"> | undefined;
  readonly close: () => Promise<void>;
}

export interface ApiConnection extends Transport {
  /** Calls an operation. A failure ends the command with its message. */
  readonly ask: <Name extends OperationName>(name: Name, input: OperationInput<Name>) => Promise<OperationOutput<Name>>;
  /** Yields all items of a list, page by page. A failure ends the command. */
  readonly each: <Name extends ListName>(
    name: Name,
    input: OperationInput<Name>,
  ) => AsyncGenerator<ListedItem<Name>, void, undefined>;
}

const PAGE_SIZE = 100;

export function createConnection(line: Transport, signal: AbortSignal): ApiConnection {
  const ask: ApiConnection["ask"] = async (name, input) => {
    signal.throwIfAborted();
    const result = await line.call(name, input);
    if (!result.ok) throw createCommandError(result.error);
    return result.value;
  };
  return {
    ...line,
    ask,
    async *each(name, input) {
      const { query = {} } = input as { query?: object };
      for (let page: string | undefined; ; ) {
        const pageInput = { ...input, query: { limit: PAGE_SIZE, ...query, ...omitUndefined({ page }) } };
        const { items, next } = (await ask(name, pageInput as never)) as Envelope<ListedItem<typeof name>>;
        yield* items;
        page = next?.page;
        if (page === undefined) return;
      }
    },
  };
}

/** The statuses after which the same call may succeed later. */
const TRANSIENT_STATUSES = [429, 502, 503, 504];

/** Converts a failed call into the error that ends the command. */
export function createCommandError({ reason, message, status }: CallFailure): CommandError {
  const isTransient = status === undefined || TRANSIENT_STATUSES.includes(status);
  return new CommandError(message, isTransient ? STATUS.unreachable : STATUS.failed, reason);
}

/** Formats a refusal as one sentence, with the first fields that are wrong. */
export function formatRefusal(message: string, issues: readonly { path: string; message: string }[] = []): string {
  if (issues.length === 0) return message;
  const fields = issues.slice(0, 3).map(({ path, message: issue }) => `${path}: ${issue.replace(/\.$/, "")}`);
  return `Invalid request: ${fields.join("; ")}.`;
}
