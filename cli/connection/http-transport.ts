// Connects to a server over HTTP, with a token.

import { createClient } from "octavo/client";
import { CommandError } from "../framework/command";
import { type CallResult, formatRefusal, type Transport } from "./connection";

interface HttpTransportOptions {
  /** The URL of the API, with or without `/v1`. */
  readonly url: string;
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

export function createHttpTransport({ url, token, signal }: HttpTransportOptions): Transport {
  // Importing a website may take minutes.
  const client = createClient({ url, token, timeout: 15 * 60_000 });
  return {
    async call(name, input) {
      const result = (await client.call(name, input as never, { signal } as never)) as Awaited<
        ReturnType<typeof client.call>
      >;
      signal.throwIfAborted();
      if (result.ok) return { ok: true, status: result.status, value: result.value } as CallResult<never>;
      const { reason, message, status, issues } = result.error;
      if (reason !== "network" && reason !== "timeout")
        return { ok: false, error: { reason, status, message: formatRefusal(message, issues) } };
      // The innermost error has the message of the system, such as "connect ECONNREFUSED".
      const { cause } = result.error;
      const inner = (cause as Error | undefined)?.cause ?? cause;
      const explanation = inner instanceof Error ? `${inner.message}.` : message;
      const unreachable = `The server at ${url} is unreachable: ${explanation}`;
      return { ok: false, error: { reason, status, message: unreachable } };
    },
    async download(fileUrl) {
      // The URL begins with the public origin of the server, which need not be the one that is used here.
      const { pathname } = new URL(fileUrl);
      const download = decodeURIComponent(pathname.slice(pathname.lastIndexOf("/") + 1));
      const result = await client.call("downloadFile", { params: { download } }, { signal });
      signal.throwIfAborted();
      if (!result.ok) throw new CommandError(`Cannot download a file: ${result.error.message}`);
      return new Uint8Array(await result.value.arrayBuffer());
    },
    host: undefined,
    close: async () => {},
  };
}
