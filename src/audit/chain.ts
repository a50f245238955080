// The sealed part of an audit log: events in order, each with a hash over the hash before it, in segments of some hundreds.
// Only the head has a MAC. It covers the last hash, and with that every event since the start of the chain. A segment has
// a summary, so that a filter skips it without reading it.

import { encodeKey } from "../storage/key";
import type { Secrets } from "../storage/secrets";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import { sha256Hex } from "../utils/sha256";
import { eventOf } from "./event";
import { MAC_BYTES, macOf } from "./log";

/** A place in the chain: the number of the segment that begins there, of the event, and the hash before it. */
export type Point = { readonly segment: number; readonly sequence: number; readonly hash: string };

/** Where the chain begins and ends. What was forgotten is before its start. */
export type Head = { readonly start: Point; readonly end: Point; readonly mac: string };

/** Events in order. */
export type Segment = {
  /** The number of its first event. */
  readonly sequence: number;
  /** The hash before its first event. */
  readonly before: string;
  readonly lines: readonly string[];
};

/** What a segment holds. */
export type Summary = {
  readonly sequence: number;
  readonly before: string;
  readonly count: number;
  readonly from: number;
  readonly until: number;
  readonly actors: readonly string[];
  readonly actions: readonly string[];
  /** Marks of the things that events name: short digests, each after a space. */
  readonly marks: string;
};

/** The hash before the first event of a log. */
export const FIRST_HASH = "";
const start: Point = { segment: 0, sequence: 0, hash: FIRST_HASH };

export const headKey = encodeKey("audit-head");
export const segments = encodeKey("audit-segment");
const summaries = encodeKey("audit-summary");
export const segmentKey = (n: number): Key => segments + encodeKey(n);
export const summaryKey = (n: number): Key => summaries + encodeKey(n);

/** The end of the chain, and its beginning. */
export async function headOf(view: Reader): Promise<Head> {
  return ((await view.get(headKey)) as Head | undefined) ?? { start, end: start, mac: "" };
}

/** A head with its MAC. */
export function signed(secrets: Pick<Secrets, "digest">, partition: string, head: Omit<Head, "mac">): Head {
  return { start: head.start, end: head.end, mac: macOf(secrets, headText(partition, head)) };
}

/** Whether a head is as it was written, under any secret. A log without a chain has none. */
export function isSigned(secrets: Pick<Secrets, "isDigest">, partition: string, head: Head): boolean {
  if (head.mac === "") return head.end.sequence === 0;
  return secrets.isDigest("audit", headText(partition, head), head.mac, MAC_BYTES);
}

function headText(partition: string, { start, end }: Omit<Head, "mac">): string {
  const point = ({ segment, sequence, hash }: Point) => [segment, sequence, hash];
  return JSON.stringify([partition, ...point(start), ...point(end)]);
}

export async function segmentAt(view: Reader, n: number): Promise<Segment | undefined> {
  return (await view.get(segmentKey(n))) as Segment | undefined;
}

export async function summaryAt(view: Reader, n: number): Promise<Summary | undefined> {
  return (await view.get(summaryKey(n))) as Summary | undefined;
}

/** The hash of an event after another one. */
export function hashAfter(before: string, line: string): string {
  return sha256Hex(`${before}\n${line}`);
}

/** The hash after the last of some lines. */
export function hashAfterAll(before: string, lines: readonly string[]): string {
  let hash = before;
  for (const line of lines) hash = hashAfter(hash, line);
  return hash;
}

/** What stands in the summary of a segment. */
export function summaryOf({ sequence, before, lines }: Segment): Summary {
  const actors = new Set<string>();
  const actions = new Set<string>();
  const marks = new Set<string>();
  let [from, until] = [Number.POSITIVE_INFINITY, 0];
  for (const line of lines) {
    const { time, action, actor, things, made, operation } = eventOf(line);
    actors.add(actor.id ?? actor.type);
    actions.add(action);
    if (operation) actions.add(operation);
    for (const { id } of [...things, ...made]) marks.add(markOf(id));
    from = Math.min(from, time);
    until = Math.max(until, time);
  }
  const text = [...marks].map((mark) => ` ${mark}`).join("");
  return {
    sequence,
    before,
    count: lines.length,
    from,
    until,
    actors: [...actors],
    actions: [...actions],
    marks: text,
  };
}

/** A short digest of an id: five characters, so that a summary stays small. */
export function markOf(id: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).slice(-5);
}
