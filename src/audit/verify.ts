// Checks an audit log, or an export of one. It finds a line that was changed, taken out, put in or moved. Most processes
// never check one, so this is loaded when it is first needed.

import type { Secrets } from "../storage/secrets";
import type { Reader } from "../storage/transaction";
import { FIRST_HASH, hashAfter, headOf, isSigned, segmentAt, segmentKey, segments } from "./chain";
import { eventOf, type Happening, lineOf, rowOf } from "./event";
import { total } from "./log";
import { waitingRows } from "./read";
import { isGenuine } from "./seal";

/** What a check of an audit log found. */
export interface AuditCheck {
  /** The events that were looked at. */
  readonly events: number;
  /** The hash of the last event of the chain. Keep it elsewhere: a later log must still have it. */
  readonly hash: string;
  /** What is wrong, a sentence each, the first hundred; empty: nothing is. */
  readonly problems: readonly string[];
}

const MOST_PROBLEMS = 100;

/** Checks the log of a partition. `known` is a hash of an earlier check: the chain must still have it. */
export async function verifyLog(
  view: Reader,
  partition: string,
  secrets: Secrets,
  known?: string,
): Promise<AuditCheck> {
  const problems: string[] = [];
  const head = await headOf(view);
  const { start, end } = head;
  if (!isSigned(secrets, partition, head)) problems.push("The end of the chain was changed.");
  let { sequence, hash } = start;
  let isKnown = known === undefined || known === hash;
  for (let n = start.segment; n < end.segment; n++) {
    const segment = await segmentAt(view, n);
    if (!segment) {
      problems.push(`Events from number ${sequence} on are missing.`);
      ({ sequence, hash } = (await segmentAt(view, n + 1).then((it) => it && { ...it, hash: it.before })) ?? end);
      continue;
    }
    if (segment.before !== hash || segment.sequence !== sequence)
      problems.push(`The chain is broken before the event number ${segment.sequence}.`);
    hash = segment.before;
    for (const line of segment.lines) {
      const { id, isChanged } = eventOf(line);
      if (isChanged) problems.push(`The event ${id} was changed before it was sealed.`);
      hash = hashAfter(hash, line);
      if (hash === known) isKnown = true;
    }
    sequence = segment.sequence + segment.lines.length;
  }
  if (hash !== end.hash || sequence !== end.sequence)
    problems.push(`The chain does not end as it should: an event before number ${end.sequence} was changed.`);
  const [beyond] = await view.list({ under: segments, after: segmentKey(end.segment - 1), limit: 1 });
  if (beyond) problems.push("There are events behind the end of the chain.");
  if (!isKnown) problems.push("The chain does not have the hash of the earlier check.");
  let loose = 0;
  for await (const row of waitingRows(view, partition, { reverse: false })) {
    loose++;
    if (!isGenuine(secrets, row)) problems.push(`The event ${row.id} was changed, or put in.`);
  }
  const counted = ((await view.get(total)) as number | undefined) ?? 0;
  const missing = counted - end.sequence - loose;
  if (missing > 0) problems.push(`${missing} of the newest events are missing.`);
  if (missing < 0) problems.push(`There are ${-missing} events more than were written.`);
  const events = end.sequence - start.sequence + loose;
  return { events, hash: end.hash, problems: problems.slice(0, MOST_PROBLEMS) };
}

/** A line of an export: an event with its time as a text, and hashes. */
interface Line extends Happening {
  readonly id: string;
  readonly createdAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

/**
 * Checks the lines of an export without filters, by their hashes alone. That the file was not cut off at its end shows
 * only against a hash that was kept, or against the log: `known` must be the hash of one of its lines.
 */
export async function verifyLines(
  lines: AsyncIterable<string> | Iterable<string>,
  known?: string,
): Promise<AuditCheck> {
  const problems: string[] = [];
  let before: string | undefined;
  let events = 0;
  let isKnown = known === undefined || known === FIRST_HASH;
  for await (const text of lines) {
    if (text.trim() === "") continue;
    events++;
    const line = parsed(text);
    if (!line) {
      problems.push(`Line ${events} is not an event.`);
      continue;
    }
    if (before !== undefined && line.previousHash !== before)
      problems.push(`Line ${events} does not follow the one before it: a line is missing, was put in or was moved.`);
    const event = lineOf(line.id, Date.parse(line.createdAt), rowOf(line));
    if (hashAfter(line.previousHash, event) !== line.hash) problems.push(`Line ${events} was changed.`);
    before = line.hash;
    if (before === known) isKnown = true;
  }
  if (!isKnown) problems.push("No line has the hash of the earlier check.");
  return { events, hash: before ?? FIRST_HASH, problems: problems.slice(0, MOST_PROBLEMS) };
}

function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return typeof line.hash === "string" && typeof line.previousHash === "string" ? line : undefined;
  } catch {
    return undefined;
  }
}
