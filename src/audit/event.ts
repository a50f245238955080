// What the audit log knows of something that happened, and the compact form in which it is stored and hashed. An event
// has ids, names of fields and enumerated values. It never has content or secrets.

import { kinds } from "../storage/ids";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";

/** Something with an id, such as a space: its kind in words, and its id. */
export interface Named {
  readonly type: string;
  readonly id: string;
}

/** Who did it. A visitor, the host and the system have no id. */
export interface AuditActor {
  readonly type: "user" | "installation" | "visitor" | "host" | "system";
  readonly id?: string | undefined;
}

/** What the actor was recognized by: `token`, `session`, `installation`, `visit`, `host`, or a way to sign in. */
export interface AuditCredential {
  readonly type: string;
  readonly id?: string | undefined;
}

/** Where a request came from, as the server knows it. */
export interface From {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** A field that was set. Only an enumerated value is recorded, never a text. */
export interface Change {
  readonly field: string;
  readonly value?: string | boolean | null;
}

/** Something that happened, for the log. */
export interface Happening {
  /** The name of an operation, or one of `otherActions`. */
  readonly action: Action;
  readonly actor: AuditActor;
  readonly credential?: AuditCredential | undefined;
  readonly from?: From | undefined;
  /** Default: 200. */
  readonly status?: number | undefined;
  /** What it was done to, from the outside to the inside. The organization is not among them. */
  readonly things?: readonly Named[] | undefined;
  /** What it made. */
  readonly made?: readonly Named[] | undefined;
  readonly changes?: readonly Change[] | undefined;
  /** The operation that was refused. */
  readonly operation?: string | undefined;
  /** Whether its row was found changed when it was sealed. */
  readonly isChanged?: boolean | undefined;
}

/** What is an event beside the operations that write. */
export const otherActions = [
  "signIn",
  "signInFailed",
  "signOut",
  "refused",
  "tokenUsedFromNewPlace",
  "userDisabled",
  "userEnabled",
  "userErased",
  "memberProvisioned",
  "memberDeprovisioned",
  "teamProvisioned",
  "teamDeprovisioned",
  "toolAllowed",
  "toolStopped",
] as const;

/** One of `otherActions`, or the name of an operation. */
export type Action = (typeof otherActions)[number] | (string & {});

/** What happened, as it is read: the lists are there, and no member is undefined. */
export interface Happened extends Happening {
  readonly status: number;
  readonly things: Named[];
  readonly made: Named[];
  readonly changes: Change[];
}

/** An event as it was stored. */
export interface AuditEvent extends Happened {
  readonly id: string;
  /** In milliseconds. */
  readonly time: number;
}

const MOST_THINGS = 12;
const MOST_MADE = 4;
const MOST_CHANGES = 24;
const LONGEST_ID = 80;
const LONGEST_AGENT = 80;
const LONGEST_ADDRESS = 45;

const byPrefix = new Map<string, string>(Object.entries(kinds).map(([kind, prefix]) => [prefix, inWords(kind)]));

/** The kind of an id of ours, in words: `change-request`; undefined for every other text. */
export function kindOf(id: string): string | undefined {
  const at = id.indexOf("_");
  return at === 3 ? byPrefix.get(id.slice(0, at)) : undefined;
}

/** `changeRequest` as `change-request`. */
export function inWords(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The id of an invite lets people in, so the log has a digest of it. */
function safeId(id: string): string {
  return id.startsWith(`${kinds.invite}_`) ? sha256Hex(id).slice(0, 16) : id.slice(0, LONGEST_ID);
}

/** A name as one text: the id alone, where it tells its kind. */
function nameText({ type, id }: { readonly type: string; readonly id?: string | undefined }): string {
  const safe = safeId(id ?? "");
  return kindOf(safe) === type ? safe : `${type}:${safe}`;
}

function namedBy(text: string): Named {
  const at = text.indexOf(":");
  return at < 0 ? { type: kindOf(text) ?? "unknown", id: text } : { type: text.slice(0, at), id: text.slice(at + 1) };
}

/** The same name without an id that is empty. */
function bare<Type extends string>({ type, id }: Named): { readonly type: Type; readonly id?: string } {
  return { type: type as Type, ...omitUndefined({ id: id === "" ? undefined : id }) };
}

/**
 * An event as it is stored, without its id and time: one line, because a text is cheaper to store and to hash than a list.
 * Its members stand between bars; lists in it have spaces. What is empty at its end is left out.
 */
export type Row = string;

/** The compact form of what happened. */
export function rowOf(it: Happening): Row {
  const { from, changes } = it;
  const members = [
    it.action,
    nameText(it.actor),
    it.credential ? nameText(it.credential) : "",
    it.status ?? 200,
    from?.address ? plain(from.address.slice(0, LONGEST_ADDRESS)) : "",
    from?.userAgent ? shortAgent(from.userAgent) : "",
    it.things?.length ? it.things.slice(0, MOST_THINGS).map(nameText).join(" ") : "",
    it.made?.length ? it.made.slice(0, MOST_MADE).map(nameText).join(" ") : "",
    changes?.length ? changes.slice(0, MOST_CHANGES).map(changeText).join(" ") : "",
    it.operation ?? "",
    it.isChanged ? CHANGED : "",
  ];
  while (members.at(-1) === "") members.pop();
  return members.join("|");
}

/** A text without what would end a member of a row. */
function plain(text: string): string {
  return text.replace(/[^\x20-\x7b\x7d\x7e]/g, "");
}

/** `title`, `role=edit`, `sso:true`. */
function changeText({ field, value }: Change): string {
  if (value === undefined) return field;
  return typeof value === "string" ? `${field}=${plain(value).replaceAll(" ", "")}` : `${field}:${value}`;
}

function changeOf(text: string): Change {
  const [, field, sign, value] = text.match(/^([^=:]*)(?:([=:])(.*))?$/) ?? [];
  if (sign === undefined) return { field: field ?? "" };
  if (sign === "=") return { field: field!, value: value! };
  return { field: field!, value: value === "null" ? null : value === "true" };
}

/** The last member of a row that was found changed. */
const CHANGED = "changed";

/** The row as it goes into the chain when it was found changed: the check tells of it for good. */
export function changedRow(row: Row): Row {
  return rowOf({ ...happeningOf(row), isChanged: true });
}

/** The row that was stored, or one that says nothing where somebody has stored something else. */
export function readableRow(row: unknown): Row {
  const isReadable = typeof row === "string" && /^[^|]+\|[^|]+\|[^|]*\|\d+(?:\|[^|]*){0,7}$/.test(row);
  return isReadable ? row : "unreadable|system:||0";
}

/** What happened, from its compact form. */
export function happeningOf(row: Row): Happened {
  const [action, actor, credential, status, address, userAgent, things, made, changes, operation, changed] =
    row.split("|");
  return {
    action: action!,
    actor: bare(namedBy(actor!)),
    ...omitUndefined({ credential: credential ? bare(namedBy(credential)) : undefined }),
    status: Number(status),
    ...omitUndefined({
      from: address || userAgent ? { ...(address ? { address } : {}), ...(userAgent ? { userAgent } : {}) } : undefined,
    }),
    things: listOf(things).map(namedBy),
    made: listOf(made).map(namedBy),
    changes: listOf(changes).map(changeOf),
    ...omitUndefined({ operation: operation ? operation : undefined, isChanged: changed ? true : undefined }),
  };
}

function listOf(text: string | undefined): string[] {
  return text ? text.split(" ") : [];
}

const shortened = new Map<string, string>();
const MOST_SHORTENED = 100;

/** A user agent without what all browsers say, and not longer than it helps. Few are used at a time, so they are kept. */
function shortAgent(agent: string): string {
  const known = shortened.get(agent);
  if (known !== undefined) return known;
  const short = shorten(agent);
  if (shortened.size >= MOST_SHORTENED) shortened.clear();
  shortened.set(agent, short);
  return short;
}

function shorten(agent: string): string {
  return plain(agent.slice(0, 400))
    .replace(/Mozilla\/5\.0 |AppleWebKit\/[\d.]+ |\(KHTML, like Gecko\) /g, "")
    .slice(0, LONGEST_AGENT)
    .trim();
}

/** A whole event as one line, which is hashed and signed. The id says which log it is in. */
export function lineOf(id: string, time: number, row: Row): string {
  return `${id}|${time}|${row}`;
}

/** The parts of a line. */
export function partsOf(line: string): { readonly id: string; readonly time: number; readonly row: Row } {
  const first = line.indexOf("|");
  const second = line.indexOf("|", first + 1);
  return { id: line.slice(0, first), time: Number(line.slice(first + 1, second)), row: line.slice(second + 1) };
}

/** The event of a line. */
export function eventOf(line: string): AuditEvent {
  const { id, time, row } = partsOf(line);
  return { id, time, ...happeningOf(row) };
}
