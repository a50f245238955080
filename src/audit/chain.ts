// The sealed part of an audit log: events in order, each with a hash that covers the hash before it, in segments of some hundreds.
// Only the head has a MAC. It covers the last hash, and so every event since the start of the chain. Each segment has a summary, so
// that a filter skips it without reading it.

import { encodeKey } from "../storage/key";
import type { Secrets } from "../storage/secrets";
import type { Key } from "../storage/storage";
import type { Reader } from "../storage/transaction";
import { sha256Hex } from "../utils/sha256";
import { parseAuditLine } from "./event";
import { computeMac } from "./log";

/** A position in the chain: the number of the segment that begins there, that of the event, and the hash before it. */
export type ChainPosition = { readonly segment: number; readonly sequence: number; readonly hash: string };

/** The start and the end of the chain. Events that were deleted are before its start. */
export type ChainHead = { readonly start: ChainPosition; readonly end: ChainPosition; readonly mac: string };

/** Events in order. */
export type ChainSegment = {
  /** The number of its first event. */
  readonly sequence: number;
  /** The hash before its first event. */
  readonly before: string;
  readonly lines: readonly string[];
};

/** The facts about the events of a segment that filters compare. */
export type SegmentSummary = {
  readonly sequence: number;
  readonly before: string;
  readonly count: number;
  readonly from: number;
  readonly until: number;
  readonly actors: readonly string[];
  readonly actions: readonly string[];
  /** Marks of the things that events name: short digests, each after a space. */
  readonly marks: string;
  /** Marks of the ids of its events. */
  readonly ids?: string;
};

/** The hash before the first event of a log. */
export const INITIAL_HASH = "";
const CHAIN_START: ChainPosition = { segment: 0, sequence: 0, hash: INITIAL_HASH };

export const HEAD_KEY = encodeKey("audit-head");
export const SEGMENT_PREFIX = encodeKey("audit-segment");
const SUMMARY_PREFIX = encodeKey("audit-summary");

/** The keys of a segment and of its summary, by the number of the segment. */
export const chainKeys = {
  segment: (number: number): Key => SEGMENT_PREFIX + encodeKey(number),
  summary: (number: number): Key => SUMMARY_PREFIX + encodeKey(number),
};

/** Returns the head of the chain. A log without a chain has an empty one. */
export async function readHead(view: Reader): Promise<ChainHead> {
  return ((await view.get(HEAD_KEY)) as ChainHead | undefined) ?? { start: CHAIN_START, end: CHAIN_START, mac: "" };
}

export function signHead(
  secrets: Pick<Secrets, "digest">,
  partition: string,
  { start, end }: Omit<ChainHead, "mac">,
): ChainHead {
  return { start, end, mac: computeMac(secrets, serializeHead(partition, { start, end })) };
}

export function serializeHead(partition: string, { start, end }: Omit<ChainHead, "mac">): string {
  const toList = ({ segment, sequence, hash }: ChainPosition) => [segment, sequence, hash];
  return JSON.stringify([partition, ...toList(start), ...toList(end)]);
}

export async function readSegment(view: Reader, number: number): Promise<ChainSegment | undefined> {
  return (await view.get(chainKeys.segment(number))) as ChainSegment | undefined;
}

export async function readSummary(view: Reader, number: number): Promise<SegmentSummary | undefined> {
  return (await view.get(chainKeys.summary(number))) as SegmentSummary | undefined;
}

/** Returns the hash of an event that follows another one. */
export function hashLine(before: string, line: string): string {
  return sha256Hex(`${before}\n${line}`);
}

export function summarizeSegment({ sequence, before, lines }: ChainSegment): SegmentSummary {
  const actors = new Set<string>();
  const actions = new Set<string>();
  const marks = new Set<string>();
  const ids = new Set<string>();
  let from = Number.POSITIVE_INFINITY;
  let until = 0;
  for (const line of lines) {
    const { id, time, action, actor, things, made, operation } = parseAuditLine(line);
    ids.add(computeMark(id));
    actors.add(actor.id ?? actor.type);
    actions.add(action);
    if (operation) actions.add(operation);
    for (const { id } of [...things, ...made]) marks.add(computeMark(id));
    from = Math.min(from, time);
    until = Math.max(until, time);
  }
  return {
    sequence,
    before,
    count: lines.length,
    from,
    until,
    actors: [...actors],
    actions: [...actions],
    marks: [...marks].map((mark) => ` ${mark}`).join(""),
    ids: [...ids].map((mark) => ` ${mark}`).join(""),
  };
}

/** Returns the mark of an id: a digest of five characters, so that a summary stays small. */
export function computeMark(id: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(36).slice(-5);
}
