// Scripts called in a sandbox whose time, randomness and network the test decides.

import { createSandbox, type SandboxHost, type SandboxLimits, type SandboxResult } from "octavo/sandbox";

/** What a test says of an event; all has a default. */
export interface Event {
  readonly body?: string | Uint8Array | null;
  readonly type?: string;
  readonly env?: unknown;
  readonly fetch?: typeof fetch;
  /** Whether time passes by itself, for those who speak with others. */
  readonly isReal?: boolean;
  readonly limits?: Partial<SandboxLimits>;
  /** Default: 0, none. */
  readonly threads?: number;
}

export const BEGIN = Date.UTC(2030, 0, 2, 3, 4, 5);

/** A host whose time moves only when somebody waits. */
export function virtualHost(fetch?: typeof globalThis.fetch): SandboxHost & { readonly elapsed: () => number } {
  let time = BEGIN;
  let byte = 0;
  return {
    fetch,
    now: () => new Date(time),
    random: (bytes) => {
      const some = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at++) some[at] = byte = (byte * 5 + 17) % 256;
      return some;
    },
    wait: async (milliseconds, signal) => {
      // What is ready comes first, however long the wait.
      await new Promise((done) => setImmediate(done));
      if (!signal.aborted) time += milliseconds;
    },
    elapsed: () => time - BEGIN,
  };
}

/** Calls a module with one event. */
export function call(script: string, event: Event = {}): Promise<SandboxResult> {
  const bytes = typeof event.body === "string" ? new TextEncoder().encode(event.body) : (event.body ?? null);
  const headers = event.type === undefined ? [] : [["content-type", event.type] as const];
  const request = { method: "POST", url: "https://script.example/v1?a=1", headers, body: bytes };
  const sandbox = createSandbox({ limits: event.limits ?? {}, threads: event.threads ?? 0 });
  const { wait, ...host } = virtualHost(event.fetch);
  return sandbox.run(
    script,
    { request, env: event.env ?? {} },
    event.isReal || event.threads || !wait ? host : { ...host, wait },
  );
}

/** A module whose `fetch` has this body. */
export const script = (body: string) => `export default { async fetch(request, env, context) { ${body} } }`;

/** What a body of `fetch` returns, through JSON. */
export async function value(body: string, event: Event = {}): Promise<unknown> {
  const made = `const value = await (async () => { ${body} })(); return Response.json({ value })`;
  const result = await call(script(made), event);
  if (!result.response) throw new Error(`${result.failure.kind}: ${result.failure.message}`);
  return JSON.parse(new TextDecoder().decode(result.response.body)).value;
}

/** How a body of `fetch` fails. */
export async function failure(body: string, event: Event = {}): Promise<string> {
  const result = await call(script(body), event);
  return result.response ? `answered ${result.response.status}` : result.failure.kind;
}
