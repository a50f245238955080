// Reads an audit log in order: its chain, then the rows that are not sealed yet. A filter skips segments by their summaries.

import { decodeKey, encodeKey } from "../storage/key";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import type { VersionedCache } from "../utils/versioned-cache";
import {
  type ChainHead,
  type ChainSegment,
  chainKeys,
  computeMark,
  hashLine,
  readHead,
  readSegment,
  readSummary,
  type SegmentSummary,
} from "./chain";
import { type AuditEvent, parseAuditLine, splitAuditLine } from "./event";
import {
  type EventOrigin,
  formatAuditEventId,
  parseUnsealedRow,
  TOTAL_KEY,
  UNSEALED_PREFIX,
  type UnsealedRow,
} from "./log";

/** The events to read. A member that is undefined does not restrict them. */
export interface AuditFilter {
  /** The id of the event itself. */
  readonly id?: string | undefined;
  /** The id of the actor, or the type of one without an id. */
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** The id of a thing that the event is about, or that it made. */
  readonly thing?: string | undefined;
  /** In milliseconds, inclusive. */
  readonly from?: number | undefined;
  /** In milliseconds, exclusive. */
  readonly until?: number | undefined;
}

/** An event with its position in the log. */
export interface PositionedEvent {
  readonly event: AuditEvent;
  readonly position: Key;
}

/** The most rows that are read together. */
const MAX_BATCH_ROWS = 256;
/** The summaries that are read together. They are few at first, because most readers want the newest events. */
const MIN_BATCH_SUMMARIES = 16;
const MAX_BATCH_SUMMARIES = 256;

/** Returns true if a filter leaves out any events. */
export function hasFilter(filter: AuditFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

export async function countEvents(view: Reader): Promise<number> {
  const { start } = await readHead(view);
  return (((await view.get(TOTAL_KEY)) as number | undefined) ?? 0) - start.sequence;
}

interface ReadEventsOptions {
  /** True to read from the newest event to the oldest. */
  readonly reverse: boolean;
  /** The position to begin after. */
  readonly after?: Key | undefined;
  /** The approximate number of events that the reader wants. */
  readonly most?: number | undefined;
  /** Caches which segments have events of which actor, for a reader who wants all events of one actor. */
  readonly cache?: VersionedCache | undefined;
}

export async function* readEvents(
  view: Reader,
  partition: string,
  filter: AuditFilter,
  { reverse, after, most, cache }: ReadEventsOptions,
): AsyncGenerator<PositionedEvent> {
  // The position of a sealed event is its number. That of an unsealed one is the key of its row, which may have been sealed by the
  // time that the next page is requested.
  let afterKey: Key | undefined;
  let afterSequence: number | undefined;
  if (after !== undefined && !after.startsWith(UNSEALED_PREFIX)) afterSequence = decodeKey(after)[0] as number;
  else if (after !== undefined && (await view.get(after)) !== undefined) afterKey = after;
  else if (after !== undefined) {
    const { id, time } = parseUnsealedRow(partition, { key: after, value: "" });
    const ofItsTime = { from: time, until: time + 1 };
    for await (const { sequence, lines } of readMatchingSegments(view, await readHead(view), ofItsTime, true)) {
      const index = lines.findIndex((line) => splitAuditLine(line).id === id);
      if (index < 0) continue;
      afterSequence = sequence + index;
      break;
    }
    // The event was deleted.
    if (afterSequence === undefined) return;
  }

  const readSealed = () =>
    cache && filter.actor !== undefined && !reverse && after === undefined
      ? readSealedEventsOfActor(view, partition, { ...filter, actor: filter.actor }, cache)
      : readSealedEvents(view, filter, reverse, afterSequence);
  const rowOptions = { reverse, after: afterKey, most: hasFilter(filter) ? MAX_BATCH_ROWS : most };
  async function* readUnsealed(): AsyncGenerator<PositionedEvent> {
    const rows = readUnsealedRows(view, partition, rowOptions, (text) => mayNameActor(text, filter));
    for await (const { line, key } of rows) {
      const event = parseMatchingLine(line, filter);
      if (event) yield { event, position: key };
    }
  }

  if (reverse) {
    if (afterSequence === undefined) yield* readUnsealed();
    yield* readSealed();
  } else {
    if (afterKey === undefined) yield* readSealed();
    yield* readUnsealed();
  }
}

/** Yields the events that pass a filter from the oldest on, each with its hashes. It begins at the first segment that may pass. */
export async function* readChainedEvents(view: Reader, partition: string, filter: AuditFilter) {
  const head = await readHead(view);
  for await (const segment of readMatchingSegments(view, head, filter, false)) {
    let { before } = segment;
    for (const [i, line] of segment.lines.entries()) {
      const hash = hashLine(before, line);
      const event = parseMatchingLine(line, filter);
      if (event) yield { event, position: encodeKey(segment.sequence + i), before, hash };
      before = hash;
    }
  }

  let before = head.end.hash;
  for await (const { line, key } of readUnsealedRows(view, partition, { reverse: false })) {
    const hash = hashLine(before, line);
    const event = parseMatchingLine(line, filter);
    if (event) yield { event, position: key, before, hash };
    before = hash;
  }
}

/** Returns the sealed events from a time on, the oldest first. If there are more than `limit`, it returns the newest of them. */
export async function readRecentSealedEvents(view: Reader, from: number, limit: number): Promise<AuditEvent[]> {
  const found: AuditEvent[] = [];
  const { start, end } = await readHead(view);
  for (let number = end.segment - 1; number >= start.segment && found.length < limit; number--) {
    const summary = await readSummary(view, number);
    if (!summary || summary.until < from) break;
    const { lines = [] } = (await readSegment(view, number)) ?? {};
    found.unshift(...lines.map(parseAuditLine).filter(({ time }) => time >= from));
  }
  return found.slice(-limit);
}

/** Returns true if an event from another partition is in the chain already. It can only be in segments of its time. */
export async function isEventSealed(view: Reader, partition: string, { time, chance }: EventOrigin): Promise<boolean> {
  const id = formatAuditEventId(partition, chance);
  const { start, end } = await readHead(view);
  for (let number = end.segment - 1; number >= start.segment; number--) {
    const summary = await readSummary(view, number);
    if (!summary || summary.until < time) return false;
    const segment = summary.from <= time ? await readSegment(view, number) : undefined;
    if (segment?.lines.some((line) => splitAuditLine(line).id === id)) return true;
  }
  return false;
}

async function* readSealedEvents(
  view: Reader,
  filter: AuditFilter,
  reverse: boolean,
  afterSequence: number | undefined,
): AsyncGenerator<PositionedEvent> {
  const head = await readHead(view);
  let firstSegment: number | undefined;
  if (afterSequence !== undefined) {
    // The segment that has the event, or the nearest one
    firstSegment = head.start.segment;
    let last = Math.max(head.start.segment, head.end.segment - 1);
    while (firstSegment < last) {
      const middle = Math.ceil((firstSegment + last) / 2);
      const summary = await readSummary(view, middle);
      if (summary && summary.sequence <= afterSequence) firstSegment = middle;
      else last = middle - 1;
    }
  }
  for await (const { sequence: start, lines } of readMatchingSegments(view, head, filter, reverse, firstSegment)) {
    for (let i = 0; i < lines.length; i++) {
      const index = reverse ? lines.length - 1 - i : i;
      const sequence = start + index;
      if (afterSequence !== undefined && (reverse ? sequence >= afterSequence : sequence <= afterSequence)) continue;
      const event = parseMatchingLine(lines[index]!, filter);
      if (event) yield { event, position: encodeKey(sequence) };
    }
  }
}

/** The index of the segments before one of them. */
interface ActorIndex {
  readonly until: number;
  /** The hash of the chain there, which covers everything before. */
  readonly hash: string;
  /** The numbers of the segments that have events of an actor, by actor. */
  readonly actors: ReadonlyMap<string, readonly number[]>;
}

/** Yields all sealed events of one actor that pass a filter, from the oldest on. */
async function* readSealedEventsOfActor(
  view: Reader,
  partition: string,
  filter: AuditFilter & { readonly actor: string },
  cache: VersionedCache,
): AsyncGenerator<PositionedEvent> {
  const { start, end } = await readHead(view);
  // The last segment is still being filled.
  const last = end.segment - 1;
  if (last < start.segment) return;

  // The segments before it are full, and are indexed by actor. Only those that were added since are read.
  const name = `${partition} actors`;
  const versions = [start.segment];
  const cached = cache.get<ActorIndex>(name, versions);
  const isValid = cached && cached.until <= last && (await readSummary(view, cached.until))?.before === cached.hash;
  let segmentsByActor = isValid && cached.until === last ? cached.actors : undefined;
  if (!segmentsByActor) {
    const actors = new Map<string, number[]>();
    if (isValid) for (const [actor, numbers] of cached.actors) actors.set(actor, [...numbers]);
    for (let first = isValid ? cached.until : start.segment; first < last; first += MAX_BATCH_SUMMARIES) {
      const count = Math.min(MAX_BATCH_SUMMARIES, last - first);
      const keys = Array.from({ length: count }, (_, i) => chainKeys.summary(first + i));
      const summaries = (await view.getMany(keys)) as (SegmentSummary | undefined)[];
      for (const [i, summary] of summaries.entries())
        for (const actor of summary?.actors ?? []) {
          const numbers = actors.get(actor);
          if (numbers) numbers.push(first + i);
          else actors.set(actor, [first + i]);
        }
    }

    const { before: hash } = (await readSummary(view, last)) ?? {};
    let bytes = 0;
    for (const [actor, numbers] of actors) bytes += 100 + 2 * actor.length + 8 * numbers.length;
    if (hash !== undefined) cache.set(name, { until: last, hash, actors } satisfies ActorIndex, { versions, bytes });
    segmentsByActor = actors;
  }

  for (const number of [...(segmentsByActor.get(filter.actor) ?? []), last]) {
    const segment = await readSegment(view, number);
    for (const [i, line] of segment?.lines.entries() ?? []) {
      const event = parseMatchingLine(line, filter);
      if (event) yield { event, position: encodeKey(segment!.sequence + i) };
    }
  }
}

/** Yields the segments that may have events that pass a filter, from one of them on. */
async function* readMatchingSegments(
  view: Reader,
  { start, end }: ChainHead,
  filter: AuditFilter,
  reverse: boolean,
  from?: number,
): AsyncGenerator<ChainSegment> {
  const { id, actor, action, thing, from: earliest, until: latest } = filter;
  const low = start.segment;
  const high = end.segment;
  const first = reverse ? Math.min(from ?? high, high - 1) : Math.max(from ?? low, low);
  const total = reverse ? first - low + 1 : high - first;
  let done = 0;
  let batchSize = MIN_BATCH_SUMMARIES;
  while (done < total) {
    const offset = done;
    const numbers = Array.from({ length: Math.min(batchSize, total - offset) }, (_, i) =>
      reverse ? first - offset - i : first + offset + i,
    );
    done += numbers.length;
    batchSize = Math.min(2 * batchSize, MAX_BATCH_SUMMARIES);

    const summaries = hasFilter(filter) ? await view.getMany(numbers.map(chainKeys.summary)) : undefined;
    for (const [i, number] of numbers.entries()) {
      const summary = summaries?.[i] as SegmentSummary | undefined;
      const isNeeded =
        !summaries ||
        (summary &&
          // Summaries that were written by earlier versions do not have the ids of their events.
          (id === undefined || (summary.ids?.includes(` ${computeMark(id)}`) ?? true)) &&
          (earliest === undefined || summary.until >= earliest) &&
          (latest === undefined || summary.from < latest) &&
          (actor === undefined || summary.actors.includes(actor)) &&
          (action === undefined || summary.actions.includes(action)) &&
          (thing === undefined || summary.marks.includes(` ${computeMark(thing)}`)));
      const segment = isNeeded ? await readSegment(view, number) : undefined;
      if (segment) yield segment;
    }
  }
}

/** Yields the rows that are not sealed, in their order, if their stored text is wanted. */
export async function* readUnsealedRows(
  view: Reader,
  partition: string,
  { reverse, after: start, most = MAX_BATCH_ROWS }: ReadEventsOptions,
  isWanted: (text: unknown) => boolean = () => true,
): AsyncGenerator<UnsealedRow> {
  const limit = Math.min(MAX_BATCH_ROWS, most);
  let after = start;
  for (;;) {
    const range = reverse ? { before: after } : { after };
    const entries = await view.list({ under: UNSEALED_PREFIX, ...range, reverse, limit });
    for (const entry of entries) if (isWanted(entry.value)) yield parseUnsealedRow(partition, entry);
    if (entries.length < limit) return;
    after = entries.at(-1)!.key;
  }
}

/** Returns true if a line or a row may name the actor of the filter. An actor is written in it as it is. */
function mayNameActor(text: unknown, { actor }: AuditFilter): boolean {
  // A text that names nobody is of `unknown`, and an unreadable one of `system`.
  if (actor === undefined || actor === "unknown" || actor === "system") return true;
  return typeof text === "string" && text.includes(actor);
}

function parseMatchingLine(line: string, filter: AuditFilter): AuditEvent | undefined {
  if (!mayNameActor(line, filter)) return undefined;
  const { id, actor, action, thing, from, until } = filter;
  if (id !== undefined && !line.includes(id)) return undefined;
  const event = parseAuditLine(line);
  const isMatch =
    (id === undefined || event.id === id) &&
    (from === undefined || event.time >= from) &&
    (until === undefined || event.time < until) &&
    (actor === undefined || (event.actor.id ?? event.actor.type) === actor) &&
    (action === undefined || event.action === action) &&
    (thing === undefined || [...event.things, ...event.made].some(({ id }) => id === thing));
  return isMatch ? event : undefined;
}
