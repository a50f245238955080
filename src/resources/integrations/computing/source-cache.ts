// Caches the responses of content sources in memory, by everything that they were requested with. Concurrent equal queries share
// one call. A failure is remembered for a while, so that not every reader calls a broken source. Waiting is bounded.

import type { ObjectCache } from "../../../storage/objects";
import { getResponseHeader, type IntegrationResponse, type InvocationContext } from "../calls/invocation";
import { invokeIntegration } from "../calls/invoke";
import type { InstallationRecord, IntegrationRecord } from "../records";
import { InvalidReplyError } from "./reply";

/** The time for which a failure is remembered. */
const FAILURE_MS = 30_000;
/** The shortest time for which a response is cached, whatever its headers say. */
const MIN_CACHE_MS = 5_000;
/** The most running calls of one installation, and the most queries that wait for one. Later readers repeat queries beyond that. */
const MAX_RUNNING = 6;
const MAX_WAITING = 200;
/** Parsed values take about this many times the memory of their text. */
const MEMORY_FACTOR = 8;

export interface SourceQuery {
  /** A digest of everything that the response may depend on. */
  readonly name: string;
  readonly integration: IntegrationRecord;
  readonly installation: InstallationRecord;
  readonly spaceId: string;
  /** True if the response comes from a tunnel, where it may change without a new version. */
  readonly isDeveloped: boolean;
  readonly type: "content_compute_revision" | "content_compute_document";
  readonly about: { readonly sourceId: string; readonly props: object; readonly dependencies: object };
}

/** The result of a query: a value or none, the time for which it is cached, and its approximate memory. */
interface SourceResult<Value> {
  readonly value?: Value;
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The running calls of one installation by query, and the number of waiting queries. */
interface InstallationCalls {
  readonly running: Map<string, Promise<SourceResult<unknown>>>;
  waiting: number;
}

/** The calls of all installations, for each API of the process. */
const callsByCache = new WeakMap<ObjectCache, Map<string, InstallationCalls>>();

/** Returns the reply of a source, parsed by `parse`; undefined if it failed or did not come in time. */
export async function querySource<Value>(
  context: InvocationContext,
  query: SourceQuery,
  parse: (reply: string) => Value,
): Promise<Value | undefined> {
  const { objects, store, ports } = context;
  const name = `${query.type} ${query.name}`;
  const getCached = () => objects.get<SourceResult<Value>>(name, [], store.now().getTime());
  const cached = getCached();
  if (cached) return cached.value;

  const callsByInstallation = callsByCache.get(objects) ?? new Map<string, InstallationCalls>();
  callsByCache.set(objects, callsByInstallation);
  const installationId = query.installation.id;
  const calls = callsByInstallation.get(installationId) ?? { running: new Map(), waiting: 0 };
  callsByInstallation.set(installationId, calls);
  const { running } = calls;
  const deadline = createDeadline(ports.integrations.maxCallMs);
  try {
    for (;;) {
      let call: Promise<SourceResult<unknown>> | undefined = running.get(name);
      if (!call && running.size < MAX_RUNNING) {
        call = callSource(context, query, parse)
          .then((result) => {
            const expiresAt = store.now().getTime() + result.milliseconds;
            objects.set(name, result, { expiresAt, bytes: result.bytes });
            return result;
          })
          .finally(() => running.delete(name));
        running.set(name, call);
      }
      if (call !== undefined) return (await deadline.wait(call))?.value as Value | undefined;
      if (calls.waiting >= MAX_WAITING) return undefined;
      calls.waiting++;
      await deadline.wait(Promise.race(running.values())).finally(() => calls.waiting--);
      const result = getCached();
      if (result || deadline.hasPassed()) return result?.value;
    }
  } finally {
    deadline.clear();
  }
}

/** Calls a source. Errors of the source or its reply are shown to those who run it, and do not affect readers. */
async function callSource<Value>(
  context: InvocationContext,
  { integration, installation, spaceId, isDeveloped, type, about }: SourceQuery,
  parse: (reply: string) => Value,
): Promise<SourceResult<Value>> {
  const event = { type, spaceId, ...about };
  let result: SourceResult<Value> = { milliseconds: FAILURE_MS, bytes: 500 };
  const findFault = (response: IntegrationResponse) => {
    const { status, body } = response;
    if (status !== 200) return `It returned the status ${status}.`;
    try {
      const reply = new TextDecoder().decode(body);
      // A reply is cached as long as its inputs are the same, unless `Cache-Control` says less.
      const cacheControl = getResponseHeader(response, "cache-control") ?? "";
      const maxAge = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl)?.[1];
      let milliseconds = maxAge === undefined ? Number.POSITIVE_INFINITY : Number(maxAge) * 1000;
      if (isDeveloped || /\bno-(?:store|cache)\b/i.test(cacheControl)) milliseconds = MIN_CACHE_MS;
      milliseconds = Math.max(MIN_CACHE_MS, milliseconds);
      result = { value: parse(reply), milliseconds, bytes: 200 + reply.length * MEMORY_FACTOR };
      return undefined;
    } catch (error) {
      return error instanceof InvalidReplyError ? error.message : "Its response couldn't be read.";
    }
  };
  const origin = { installation, spaceId };
  await invokeIntegration(context, { integration, event, origin, findFault }).catch(context.onError);
  return result;
}

/** Waits for calls up to a total time. The calls continue for later readers. */
function createDeadline(milliseconds: number) {
  let hasPassed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      hasPassed = true;
      resolve(undefined);
    }, milliseconds);
  });
  return {
    wait: <Value>(call: Promise<Value>): Promise<Value | undefined> => Promise.race([call, timeout]),
    hasPassed: () => hasPassed,
    clear: () => clearTimeout(timer),
  };
}
