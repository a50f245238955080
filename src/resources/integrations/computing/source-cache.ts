// Answers of content sources, kept in memory by everything that they were asked with. Concurrent equal questions share
// one call. A failure is remembered for a while, so that not every reader calls a broken source. Waiting is bounded.

import type { ObjectCache } from "../../../storage/objects";
import { invokeIntegration } from "../calls/ask";
import { getResponseHeader, type IntegrationResponse, type InvocationContext } from "../calls/invocation";
import type { InstallationRecord, IntegrationRecord } from "../records";
import { InvalidReplyError } from "./refused";

/** How long a failure is remembered. */
const FAILED_MS = 30_000;
/** The shortest time that an answer is kept, whatever its headers say. */
const LEAST_MS = 5_000;
/**
 * The most running calls of one installation, and the most waiting ones. Questions beyond that are asked by later
 * readers.
 */
const MAX_UNDER_WAY = 6;
const MAX_WAITING = 200;
/** Parsed values take about this many times the memory of their text. */
const ROOM_FOR_VALUES = 8;

/** A question to a content source. */
export interface SourceQuery {
  /** A digest of everything that the answer may depend on. */
  readonly name: string;
  readonly integration: IntegrationRecord;
  readonly installation: InstallationRecord;
  readonly spaceId: string;
  /** Whether the answer comes from a tunnel, where it may change without a new version. */
  readonly isDeveloped: boolean;
  readonly type: "content_compute_revision" | "content_compute_document";
  readonly about: { readonly sourceId: string; readonly props: object; readonly dependencies: object };
}

/** The result of a question: a value or none, how long it is kept, and its approximate memory. */
interface Came<Value> {
  readonly value?: Value;
  readonly milliseconds: number;
  readonly bytes: number;
}
type Kept<Value> = Came<Value> & { readonly until: number };

const FAILED: Came<never> = { milliseconds: FAILED_MS, bytes: 500 };

/** The running calls of one installation by question, and the number of waiting questions. */
interface Calls {
  readonly underWay: Map<string, Promise<Came<unknown>>>;
  waiting: number;
}

/** The same for all installations, for each API of the process. */
const callsIn = new WeakMap<ObjectCache, Map<string, Calls>>();

/** The answer of a source, parsed by `read`; undefined when it failed or did not come in time. */
export async function querySource<Value>(
  work: InvocationContext,
  question: SourceQuery,
  read: (reply: string) => Value,
): Promise<Value | undefined> {
  const name = `${question.type} ${question.name}`;
  const kept = () => {
    const known = work.objects.get(name)?.value as Kept<Value> | undefined;
    return known && work.store.now().getTime() < known.until ? known : undefined;
  };
  const known = kept();
  if (known) return known.value;
  const calls = callsOf(work.objects, question.installation.id);
  const { underWay } = calls;
  const patience = patienceFor(work.ports.integrations.maxCallMs);
  try {
    for (;;) {
      const call =
        underWay.get(name) ?? (underWay.size < MAX_UNDER_WAY ? begin(work, question, calls, name, read) : undefined);
      if (call) return (await patience.wait(call))?.value as Value | undefined;
      if (calls.waiting >= MAX_WAITING) return undefined;
      calls.waiting++;
      await patience.wait(Promise.race(underWay.values())).finally(() => calls.waiting--);
      const came = kept();
      if (came || patience.isOver()) return came?.value;
    }
  } finally {
    patience.end();
  }
}

function callsOf(cache: ObjectCache, installation: string): Calls {
  const all = callsIn.get(cache) ?? new Map<string, Calls>();
  callsIn.set(cache, all);
  const calls = all.get(installation) ?? { underWay: new Map(), waiting: 0 };
  all.set(installation, calls);
  return calls;
}

function begin<Value>(
  work: InvocationContext,
  question: SourceQuery,
  { underWay }: Calls,
  name: string,
  read: (reply: string) => Value,
): Promise<Came<unknown>> {
  const call = ask(work, question, read)
    .then((came) => {
      const until = work.store.now().getTime() + came.milliseconds;
      work.objects.set(name, { value: { ...came, until }, bytes: came.bytes });
      return came;
    })
    .finally(() => underWay.delete(name));
  underWay.set(name, call);
  return call;
}

/** Calls a source. Errors of the source or its answer are shown to those who run it, and do not affect readers. */
async function ask<Value>(
  work: InvocationContext,
  question: SourceQuery,
  read: (reply: string) => Value,
): Promise<Came<Value>> {
  const { integration, installation, spaceId, type, about } = question;
  const event = { type, spaceId, ...about };
  let came: Came<Value> = FAILED;
  const wrong = (answer: IntegrationResponse) => {
    const { status, body } = answer;
    if (status !== 200) return `It answered with ${status}.`;
    try {
      const reply = new TextDecoder().decode(body);
      const milliseconds = question.isDeveloped ? LEAST_MS : servesFor(answer);
      came = { value: read(reply), milliseconds, bytes: 200 + reply.length * ROOM_FOR_VALUES };
      return undefined;
    } catch (error) {
      return error instanceof InvalidReplyError ? error.message : "Its answer could not be read.";
    }
  };
  await invokeIntegration(work, { integration, event, origin: { installation, spaceId }, findFault: wrong }).catch(
    work.onError,
  );
  return came;
}

/** How long an answer is kept: as long as it is asked in the same way, unless `Cache-Control` says less. */
function servesFor(answer: IntegrationResponse): number {
  const caching = getResponseHeader(answer, "cache-control") ?? "";
  if (/\bno-(?:store|cache)\b/i.test(caching)) return LEAST_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(caching)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST_MS, Number(seconds) * 1000);
}

/** Waits for calls up to a total time. The calls continue for later readers. */
function patienceFor(milliseconds: number) {
  let isOver = false;
  let stop = () => {};
  const over = new Promise<undefined>((end) => {
    const timer = setTimeout(() => {
      isOver = true;
      end(undefined);
    }, milliseconds);
    stop = () => clearTimeout(timer);
  });
  return {
    wait: <Value>(call: Promise<Value>): Promise<Value | undefined> => Promise.race([call, over]),
    isOver: () => isOver,
    end: stop,
  };
}
