// Checks an audit log, or an export of one. It finds a line that was changed, removed, inserted or moved. Most processes never check
// one, so this is loaded when it is first needed.

import type { Secrets } from "../storage/secrets";
import type { Reader } from "../storage/transaction";
import { tryParseJson } from "../utils/json";
import { chainKeys, hashLine, INITIAL_HASH, readHead, readSegment, SEGMENT_PREFIX, serializeHead } from "./chain";
import { type AuditEntry, formatAuditLine, formatAuditRow, parseAuditLine } from "./event";
import { MAC_BYTES, TOTAL_KEY } from "./log";
import { readUnsealedRows } from "./read";

/** The result of checking an audit log. */
export interface AuditCheck {
  /** The number of events that were checked. */
  readonly events: number;
  /** The hash of the last event of the chain. Keep it elsewhere: a later log must still have it. */
  readonly hash: string;
  /** The problems that were found, a sentence each, at most the first hundred. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 100;

/** Checks the log of a partition. `knownHash` is a hash of an earlier check, which the chain must still have. */
export async function verifyAuditLog(
  view: Reader,
  partition: string,
  secrets: Secrets,
  knownHash?: string,
): Promise<AuditCheck> {
  const problems: string[] = [];
  const head = await readHead(view);
  const { start, end } = head;
  // The head of a log without a chain has no MAC.
  const isHeadSigned =
    head.mac === ""
      ? end.sequence === 0
      : secrets.isDigest("audit", serializeHead(partition, head), head.mac, MAC_BYTES);
  if (!isHeadSigned) problems.push("The end of the chain was changed.");

  // The chain
  let { sequence, hash } = start;
  let isKnown = knownHash === undefined || knownHash === hash;
  for (let number = start.segment; number < end.segment; number++) {
    const segment = await readSegment(view, number);
    if (!segment) {
      problems.push(`Events from number ${sequence} on are missing.`);
      const next = await readSegment(view, number + 1);
      ({ sequence, hash } = next ? { sequence: next.sequence, hash: next.before } : end);
      continue;
    }
    if (segment.before !== hash || segment.sequence !== sequence)
      problems.push(`The chain is broken before the event number ${segment.sequence}.`);
    hash = segment.before;
    for (const line of segment.lines) {
      const { id, isChanged } = parseAuditLine(line);
      if (isChanged) problems.push(`The event ${id} was changed before it was sealed.`);
      hash = hashLine(hash, line);
      if (hash === knownHash) isKnown = true;
    }
    sequence = segment.sequence + segment.lines.length;
  }
  if (hash !== end.hash || sequence !== end.sequence)
    problems.push(`The chain does not end as it should: an event before number ${end.sequence} was changed.`);
  const [beyond] = await view.list({ under: SEGMENT_PREFIX, after: chainKeys.segment(end.segment - 1), limit: 1 });
  if (beyond) problems.push("There are events behind the end of the chain.");
  if (!isKnown) problems.push("The chain does not have the hash of the earlier check.");

  // The rows that are not sealed yet
  let unsealed = 0;
  for await (const row of readUnsealedRows(view, partition, { reverse: false })) {
    unsealed++;
    if (!secrets.isDigest("audit", row.line, row.mac, MAC_BYTES))
      problems.push(`The event ${row.id} was changed, or put in.`);
  }
  const total = ((await view.get(TOTAL_KEY)) as number | undefined) ?? 0;
  const missing = total - end.sequence - unsealed;
  if (missing > 0) problems.push(`${missing} of the newest events are missing.`);
  if (missing < 0) problems.push(`There are ${-missing} events more than were written.`);

  const events = end.sequence - start.sequence + unsealed;
  return { events, hash: end.hash, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** A line of an export: an event with its time as a text, and hashes. */
interface ExportedEvent extends AuditEntry {
  readonly id: string;
  readonly createdAt: string;
  readonly previousHash: string;
  readonly hash: string;
}

/**
 * Checks the lines of an export without filters, by their hashes alone. A file that was cut off at its end can only be recognized by a
 * hash that was kept, or by the log: `knownHash` must be the hash of one of its lines.
 */
export async function verifyAuditExport(
  lines: AsyncIterable<string> | Iterable<string>,
  knownHash?: string,
): Promise<AuditCheck> {
  const problems: string[] = [];
  let before: string | undefined;
  let events = 0;
  let isKnown = knownHash === undefined || knownHash === INITIAL_HASH;
  for await (const text of lines) {
    if (text.trim() === "") continue;
    events++;
    const event = tryParseJson(text) as ExportedEvent | undefined;
    if (typeof event?.hash !== "string" || typeof event.previousHash !== "string") {
      problems.push(`Line ${events} is not an event.`);
      continue;
    }
    if (before !== undefined && event.previousHash !== before)
      problems.push(`Line ${events} does not follow the one before it: a line is missing, was put in or was moved.`);
    const line = formatAuditLine(event.id, Date.parse(event.createdAt), formatAuditRow(event));
    if (hashLine(event.previousHash, line) !== event.hash) problems.push(`Line ${events} was changed.`);
    before = event.hash;
    if (before === knownHash) isKnown = true;
  }
  if (!isKnown) problems.push("No line has the hash of the earlier check.");
  return { events, hash: before ?? INITIAL_HASH, problems: problems.slice(0, MAX_PROBLEMS) };
}
