// What content sources answer, kept in memory under everything that it was asked with. Many who ask at once are one call; a
// failure is remembered for a while, so that a broken source is not called by every reader; and nobody waits for ever.

import { codeOf, newId } from "../../store/ids";
import type { ObjectCache } from "../../store/objects";
import { callIntegration, type Outcome } from "./calling";
import { ReplyRefused } from "./compute-reply";
import type { Calling } from "./environment";
import type { EventPayload, InstallationRecord, IntegrationRecord } from "./records";

/** How long a failure is remembered. */
const FAILED_MS = 30_000;
/** The shortest time that an answer serves, whatever it says of itself. */
const LEAST_MS = 5_000;
/** The most calls of one installation that are under way: what is beyond is asked for by those who read later. */
const MAX_UNDER_WAY = 16;
/** Values take this many times the room of their text. */
const ROOM_FOR_VALUES = 8;

/** What is asked of a content source, and where. */
export interface Question {
  /** Everything that the answer may depend on. */
  readonly name: string;
  readonly integration: IntegrationRecord;
  readonly installation: InstallationRecord;
  readonly spaceId: string;
  /** Whether the answer comes out of a tunnel, where it may change without a new version. */
  readonly isDeveloped: boolean;
  readonly type: "content_compute_revision" | "content_compute_document";
  readonly about: { readonly sourceId: string; readonly props: object; readonly dependencies: object };
}

/** What came of a question: a value, or why there is none; for how long it serves, and about how much room it takes. */
type Came<Value> = { readonly milliseconds: number; readonly bytes: number } & (
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: string }
);
type Kept<Value> = Came<Value> & { readonly until: number };

/** Those that are under way, by the installation and by the question. */
const underWay = new WeakMap<ObjectCache, Map<string, Map<string, Promise<Came<unknown>>>>>();

/** What a source answers, as `read` finds it there; undefined when it failed, or is not there in time. */
export async function answerTo<Value>(
  work: Calling,
  question: Question,
  read: (reply: string) => Value,
): Promise<Value | undefined> {
  const name = `${question.type} ${question.name}`;
  const kept = work.objects.get(name)?.value as Kept<Value> | undefined;
  if (kept && work.store.now().getTime() < kept.until) return kept.value;
  const calls = callsOf(work.objects, question.installation.id);
  const call = calls.get(name) ?? (calls.size < MAX_UNDER_WAY ? begin(work, question, name, calls, read) : undefined);
  const came = call && (await inTime(call, work.parts.integrations.milliseconds));
  return came?.value as Value | undefined;
}

function callsOf(cache: ObjectCache, installation: string): Map<string, Promise<Came<unknown>>> {
  const all = underWay.get(cache) ?? new Map<string, Map<string, Promise<Came<unknown>>>>();
  underWay.set(cache, all);
  const calls = all.get(installation) ?? new Map<string, Promise<Came<unknown>>>();
  all.set(installation, calls);
  return calls;
}

function begin<Value>(
  work: Calling,
  question: Question,
  name: string,
  calls: Map<string, Promise<Came<unknown>>>,
  read: (reply: string) => Value,
): Promise<Came<unknown>> {
  const call = ask(work, question, read)
    .then((came) => {
      const until = work.store.now().getTime() + came.milliseconds;
      work.objects.set(name, { value: { ...came, until }, bytes: came.bytes });
      return came;
    })
    .finally(() => calls.delete(name));
  calls.set(name, call);
  return call;
}

/** Asks a source. Whatever is wrong with it, or with its answer, is `error` here, and harms nobody who reads. */
async function ask<Value>(work: Calling, question: Question, read: (reply: string) => Value): Promise<Came<Value>> {
  const { integration, installation, spaceId, type, about } = question;
  const event = {
    eventId: newId("event", codeOf("organization", installation.organization)!, work.store.random),
    type,
    installationId: installation.id,
    spaceId,
    ...about,
  } as unknown as EventPayload;
  try {
    return cameOf(await callIntegration(work, integration, event, { installation, spaceId }), question, read);
  } catch {
    return failed("It could not be called.");
  }
}

function cameOf<Value>(outcome: Outcome, { isDeveloped }: Question, read: (reply: string) => Value): Came<Value> {
  const { answer } = outcome;
  if (!answer) return failed(outcome.error);
  if (answer.status !== 200) return failed(`It answered with ${answer.status}.`);
  try {
    const reply = new TextDecoder().decode(answer.body);
    const milliseconds = isDeveloped ? LEAST_MS : servesFor(answer.headers);
    return { value: read(reply), milliseconds, bytes: 200 + reply.length * ROOM_FOR_VALUES };
  } catch (error) {
    return failed(error instanceof ReplyRefused ? error.message : "Its answer could not be read.");
  }
}

function failed(error: string): Came<never> {
  return { error, milliseconds: FAILED_MS, bytes: 500 };
}

/** How long an answer serves: for as long as it is asked for in the same way, unless `Cache-Control` says less. */
function servesFor(headers: readonly (readonly [name: string, value: string])[]): number {
  const caching = headers.find(([name]) => name.toLowerCase() === "cache-control")?.[1] ?? "";
  if (/\bno-(?:store|cache)\b/i.test(caching)) return LEAST_MS;
  const seconds = /\bmax-age=(\d{1,9})\b/i.exec(caching)?.[1];
  return seconds === undefined ? Number.POSITIVE_INFINITY : Math.max(LEAST_MS, Number(seconds) * 1000);
}

/** Waits for a call, but no longer than this; the call goes on, for those who read later. */
async function inTime<Value>(call: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<undefined>((end) => {
    timer = setTimeout(() => end(undefined), milliseconds);
  });
  try {
    return await Promise.race([call, over]);
  } finally {
    clearTimeout(timer);
  }
}
