// Reads an audit log in order: its chain, then the rows that are not sealed yet. A filter skips segments by their
// summaries.

import { decodeKey, encodeKey } from "../storage/key";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import {
  type Head,
  hashAfter,
  headOf,
  markOf,
  type Segment,
  type Summary,
  segmentAt,
  summaryAt,
  summaryKey,
} from "./chain";
import { type AuditEvent, eventOf, partsOf } from "./event";
import { eventId, type Origin, total, type Waiting, waiting, waitingOf } from "./log";

/** Which events are wanted; what is undefined does not matter. */
export interface Filter {
  /** The id of the actor, or the type of one without an id. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The id of something that the event is about, or made. */
  readonly thing?: string | undefined;
  /** In milliseconds, from and including. */
  readonly from?: number | undefined;
  /** In milliseconds, not including. */
  readonly until?: number | undefined;
}

/** An event in its place. The hash of one that is not sealed is that of the place it would have now. */
export interface Placed {
  readonly event: AuditEvent;
  readonly position: Key;
}

export interface Chained extends Placed {
  readonly before: string;
  readonly hash: string;
}

/** Rows that are read together, and summaries: few at first, because most readers want the newest events. */
const CHUNK = 256;
const FIRST_SUMMARIES = 16;
const MOST_SUMMARIES = 256;

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** How many events a log has now. */
export async function countOf(view: Reader): Promise<number> {
  const { start } = await headOf(view);
  return (((await view.get(total)) as number | undefined) ?? 0) - start.sequence;
}

/** How events are read: from the newest to the oldest or the other way, and behind a position. */
interface Way {
  readonly reverse: boolean;
  readonly after?: Key | undefined;
  /** About how many are wanted. */
  readonly most?: number | undefined;
  /** Remembers which segments have events of whom, for a reader who wants all events of one actor. */
  readonly memory?: Memory | undefined;
}

/** A memory of values, each with a stamp: a text that changes whenever the value might. */
interface Memory {
  get<Value extends object>(name: string, stamp: string): Value | undefined;
  set(name: string, stamp: string, value: object, bytes: number): void;
}

/** The events that pass a filter. */
export async function* events(
  view: Reader,
  partition: string,
  filter: Filter,
  { reverse, after, most, memory }: Way,
): AsyncGenerator<Placed> {
  const from = after === undefined ? undefined : await placeOfKey(view, partition, after);
  if (from === "gone") return;
  const sealed = () =>
    memory && filter.actor !== undefined && !reverse && after === undefined
      ? ofActor(view, partition, { ...filter, actor: filter.actor }, memory)
      : ofChain(view, filter, reverse, from === undefined || "key" in from ? undefined : from.sequence);
  const rest = {
    reverse,
    after: from && "key" in from ? from.key : undefined,
    most: isFiltered(filter) ? CHUNK : most,
  };
  const loose = () => ofRows(view, partition, filter, rest);
  const isLoose = from !== undefined && "key" in from;
  const isSealed = from !== undefined && !isLoose;
  if (reverse) {
    if (!isSealed) yield* loose();
    yield* sealed();
  } else {
    if (!isLoose) yield* sealed();
    yield* loose();
  }
}

/** All events from the oldest on, each with its hash: those that pass a filter, beginning where it may begin to pass. */
export async function* chained(view: Reader, partition: string, filter: Filter): AsyncGenerator<Chained> {
  const head = await headOf(view);
  for await (const segment of wantedSegments(view, head, filter, false)) yield* chainedLines(segment, filter);
  let before = head.end.hash;
  for await (const row of waitingRows(view, partition, { reverse: false })) {
    const hash = hashAfter(before, row.line);
    const event = passing(row.line, filter);
    if (event) yield { event, position: loosePosition(row), before, hash };
    before = hash;
  }
}

function* chainedLines({ before: start, lines, sequence }: Segment, filter: Filter): Generator<Chained> {
  let before = start;
  for (const [i, line] of lines.entries()) {
    const hash = hashAfter(before, line);
    const event = passing(line, filter);
    if (event) yield { event, position: sealedPosition(sequence + i), before, hash };
    before = hash;
  }
}

/** The sealed events from a time on, the oldest first; the newest of them, where there are more than `most`. */
export async function sealedSince(view: Reader, from: number, most: number): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  const { start, end } = await headOf(view);
  for (let n = end.segment - 1; n >= start.segment && found.length < most; n--) {
    const summary = await summaryAt(view, n);
    if (!summary || summary.until < from) break;
    const events = ((await segmentAt(view, n))?.lines ?? []).map(eventOf).filter(({ time }) => time >= from);
    found.unshift(...events);
  }
  return found.slice(-most);
}

/** Whether an event that came from elsewhere is in the chain already. It can only be in segments of its time. */
export async function isSealed(view: Reader, partition: string, { time, chance }: Origin): Promise<boolean> {
  const id = eventId(partition, chance);
  const { start, end } = await headOf(view);
  for (let n = end.segment - 1; n >= start.segment; n--) {
    const summary = await summaryAt(view, n);
    if (!summary || summary.until < time) return false;
    const segment = summary.from <= time ? await segmentAt(view, n) : undefined;
    if (segment?.lines.some((line) => partsOf(line).id === id)) return true;
  }
  return false;
}

async function* ofChain(view: Reader, filter: Filter, reverse: boolean, after: number | undefined) {
  const head = await headOf(view);
  const at = after === undefined ? undefined : await segmentOf(view, head, after);
  for await (const { sequence: first, lines } of wantedSegments(view, head, filter, reverse, at)) {
    for (let i = 0; i < lines.length; i++) {
      const nth = reverse ? lines.length - 1 - i : i;
      const sequence = first + nth;
      if (after !== undefined && (reverse ? sequence >= after : sequence <= after)) continue;
      const event = passing(lines[nth]!, filter);
      if (event) yield { event, position: sealedPosition(sequence) };
    }
  }
}

/** All sealed events of one actor that pass, from the oldest on. */
async function* ofActor(
  view: Reader,
  partition: string,
  filter: Filter & { readonly actor: string },
  memory: Memory,
): AsyncGenerator<Placed> {
  const { start, end } = await headOf(view);
  // The last segment is still filled up.
  const last = end.segment - 1;
  if (last < start.segment) return;
  const known = await actorsUntil(view, partition, start.segment, last, memory);
  for (const n of [...(known.get(filter.actor) ?? []), last]) {
    const segment = await segmentAt(view, n);
    for (const [i, line] of segment?.lines.entries() ?? []) {
      const event = passing(line, filter);
      if (event) yield { event, position: sealedPosition(segment!.sequence + i) };
    }
  }
}

/** Who has events in which segments, by actor. */
type Actors = ReadonlyMap<string, readonly number[]>;

/** The actors of the segments before one of them. */
interface KnownActors {
  readonly until: number;
  /** The hash of the chain there: it stands for everything before. */
  readonly hash: string;
  readonly actors: Actors;
}

/** The actors of the segments from `start` to before `until`, which are full. Only those are read that came since the last time. */
async function actorsUntil(
  view: Reader,
  partition: string,
  start: number,
  until: number,
  memory: Memory,
): Promise<Actors> {
  const [name, stamp] = [`${partition} actors`, String(start)];
  const found = memory.get<KnownActors>(name, stamp);
  const isValid = found && found.until <= until && (await summaryAt(view, found.until))?.before === found.hash;
  if (isValid && found.until === until) return found.actors;
  const actors = new Map([...(isValid ? found.actors : [])].map(([actor, numbers]) => [actor, [...numbers]]));
  for (let from = isValid ? found.until : start; from < until; from += MOST_SUMMARIES) {
    const some = Array.from({ length: Math.min(MOST_SUMMARIES, until - from) }, (_, i) => from + i);
    for (const [i, summary] of ((await view.getMany(some.map(summaryKey))) as (Summary | undefined)[]).entries())
      for (const actor of summary?.actors ?? []) {
        const numbers = actors.get(actor);
        if (numbers) numbers.push(from + i);
        else actors.set(actor, [from + i]);
      }
  }
  const { before: hash } = (await summaryAt(view, until)) ?? {};
  let bytes = 0;
  for (const [actor, numbers] of actors) bytes += 100 + 2 * actor.length + 8 * numbers.length;
  if (hash !== undefined) memory.set(name, stamp, { until, hash, actors } satisfies KnownActors, bytes);
  return actors;
}

/** The segments that may have events that pass, from one of them on. */
async function* wantedSegments(
  view: Reader,
  { start, end }: Head,
  filter: Filter,
  reverse: boolean,
  from?: number,
): AsyncGenerator<Segment> {
  const [low, high] = [start.segment, end.segment];
  const first = reverse ? Math.min(from ?? high, high - 1) : Math.max(from ?? low, low);
  const left = reverse ? first - low + 1 : high - first;
  let [done, most] = [0, FIRST_SUMMARIES];
  while (done < left) {
    const some = Array.from({ length: Math.min(most, left - done) }, (_, i) =>
      reverse ? first - done - i : first + done + i,
    );
    done += some.length;
    most = Math.min(2 * most, MOST_SUMMARIES);
    const summaries = isFiltered(filter) ? await view.getMany(some.map(summaryKey)) : undefined;
    for (const [i, n] of some.entries()) {
      const summary = summaries?.[i] as Summary | undefined;
      const segment = !summaries || (summary && mayPass(summary, filter)) ? await segmentAt(view, n) : undefined;
      if (segment) yield segment;
    }
  }
}

async function* ofRows(view: Reader, partition: string, filter: Filter, way: Way): AsyncGenerator<Placed> {
  for await (const row of waitingRows(view, partition, way, (text) => mayName(text, filter))) {
    const event = passing(row.line, filter);
    if (event) yield { event, position: loosePosition(row) };
  }
}

/** The rows that are not sealed, in their order: those whose stored text is wanted. */
export async function* waitingRows(
  view: Reader,
  partition: string,
  { reverse, after: start, most = CHUNK }: Way,
  isWanted: (text: unknown) => boolean = () => true,
): AsyncGenerator<Waiting> {
  const limit = Math.min(CHUNK, most);
  let after = start;
  for (;;) {
    const range = reverse ? { before: after } : { after };
    const rows = await view.list({ under: waiting, ...range, reverse, limit });
    for (const entry of rows) if (isWanted(entry.value)) yield waitingOf(partition, entry);
    if (rows.length < limit) return;
    after = rows.at(-1)!.key;
  }
}

// Positions in a list: a sealed event has its number; one that waits has its time and id, and may be sealed by the time
// that the next page is asked for.

function sealedPosition(sequence: number): Key {
  return encodeKey(sequence);
}

function loosePosition({ key: at }: Waiting): Key {
  return at;
}

type PlaceInLog = { readonly sequence: number } | { readonly key: Key };

/** Where a position is now; `gone`: it was forgotten. */
async function placeOfKey(view: Reader, partition: string, position: Key): Promise<PlaceInLog | "gone"> {
  if (!position.startsWith(waiting)) return { sequence: decodeKey(position)[0] as number };
  if ((await view.get(position)) !== undefined) return { key: position };
  const { id, time } = waitingOf(partition, { key: position, value: "" });
  const then = { from: time, until: time + 1 };
  for await (const { sequence, lines } of wantedSegments(view, await headOf(view), then, true)) {
    const nth = lines.findIndex((line) => partsOf(line).id === id);
    if (nth >= 0) return { sequence: sequence + nth };
  }
  return "gone";
}

/** The segment that has the event with a number, or the nearest one. */
async function segmentOf(view: Reader, { start, end }: Head, sequence: number): Promise<number> {
  let [low, high] = [start.segment, Math.max(start.segment, end.segment - 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const summary = await summaryAt(view, middle);
    if (summary && summary.sequence <= sequence) low = middle;
    else high = middle - 1;
  }
  return low;
}

function mayPass(summary: Summary, { actor, action, thing, from, until }: Filter): boolean {
  return (
    (from === undefined || summary.until >= from) &&
    (until === undefined || summary.from < until) &&
    (actor === undefined || summary.actors.includes(actor)) &&
    (action === undefined || summary.actions.includes(action)) &&
    (thing === undefined || summary.marks.includes(` ${markOf(thing)}`))
  );
}

/** Whether the actor that is wanted may be named in a line, or a row: one stands in it as it is. */
function mayName(text: unknown, { actor }: Filter): boolean {
  // What names nobody is of `unknown`, and what cannot be read of `system`.
  if (actor === undefined || actor === "unknown" || actor === "system") return true;
  return typeof text === "string" && text.includes(actor);
}

/** The event of a line, if it passes. */
function passing(line: string, filter: Filter): AuditEvent | undefined {
  if (!mayName(line, filter)) return undefined;
  const event = eventOf(line);
  return passes(event, filter) ? event : undefined;
}

function passes(event: AuditEvent, { actor, action, thing, from, until }: Filter): boolean {
  return (
    (from === undefined || event.time >= from) &&
    (until === undefined || event.time < until) &&
    (actor === undefined || (event.actor.id ?? event.actor.type) === actor) &&
    (action === undefined || event.action === action) &&
    (thing === undefined || [...event.things, ...event.made].some(({ id }) => id === thing))
  );
}
