// A server over HTTP, with a token.

import { createClient } from "octavo/client";
import { CommandFailed } from "../framework/errors";
import { type Line, type Result, sentenceOf } from "./connection";

export interface Server {
  /** Where the API is, with or without `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

export function httpLine({ url, token, signal }: Server): Line {
  // An import from an address may take minutes.
  const client = createClient({ url, token, timeout: 15 * 60_000 });
  return {
    async call(name, input) {
      const result = (await client.call(name, input as never, { signal } as never)) as Awaited<
        ReturnType<typeof client.call>
      >;
      signal.throwIfAborted();
      if (result.ok) return { ok: true, status: result.status, value: result.value } as Result<never>;
      const { reason, message, status, issues } = result.error;
      const isAway = reason === "network" || reason === "timeout";
      const said = isAway
        ? `The server at ${url} cannot be reached: ${causeOf(result.error)}`
        : sentenceOf(message, issues);
      return { ok: false, error: { reason, status, message: said } };
    },
    async download(address) {
      // The address begins with the public origin of the server, which need not be the one that is used here.
      const { pathname } = new URL(address);
      const download = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
      const result = await client.call("downloadFile", { params: { download } }, { signal });
      signal.throwIfAborted();
      if (!result.ok) throw new CommandFailed(`A file could not be downloaded: ${result.error.message}`);
      return new Uint8Array(await result.value.arrayBuffer());
    },
    host: undefined,
    close: async () => {},
  };
}

/** What the system says of a connection that failed. */
function causeOf({ message, cause }: Error): string {
  const inner = (cause as Error | undefined)?.cause ?? cause;
  return inner instanceof Error ? `${inner.message}.` : message;
}
