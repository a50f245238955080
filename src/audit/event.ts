// What the audit log knows of something that happened, and the compact form in which it is stored and hashed. An event
// has ids, names of fields and enumerated values. It never has content or secrets.

import { sha256Hex } from "../sha256";
import { CODE_LENGTH, kinds } from "../store/ids";
import type { Json } from "../store/storage";

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
  return at < 0 ? { type: kindOf(text)!, id: text } : { type: text.slice(0, at), id: text.slice(at + 1) };
}

/** The same name without an id that is empty. */
function bare<Type extends string>({ type, id }: Named): { readonly type: Type; readonly id?: string } {
  return { type: type as Type, ...(id === "" ? {} : { id }) };
}

/** An event as it is stored, without its id and time. What is empty at its end is left out. */
export type Row = readonly Json[];

/** The compact form of what happened. */
export function rowOf(it: Happening): Row {
  const names = (some: readonly Named[] | undefined, most: number) => (some ?? []).slice(0, most).map(nameText);
  const changes = (it.changes ?? []).slice(0, MOST_CHANGES);
  const row: Json[] = [
    it.action,
    nameText(it.actor),
    it.credential ? nameText(it.credential) : "",
    it.status ?? 200,
    it.from?.address?.slice(0, LONGEST_ADDRESS) ?? "",
    it.from?.userAgent ? shortAgent(it.from.userAgent) : "",
    names(it.things, MOST_THINGS),
    names(it.made, MOST_MADE),
    changes.map(({ field, value }) => (value === undefined ? field : [field, value])),
    it.operation ?? "",
    it.isChanged ? CHANGED : "",
  ];
  while (isNothing(row.at(-1)!)) row.pop();
  return row;
}

/** The last member of a row that was found changed. */
const CHANGED = "changed";

/** The row as it goes into the chain when it was found changed: the check tells of it for good. */
export function changedRow(row: Row): Row {
  return rowOf({ ...happeningOf(row), isChanged: true });
}

/** The row that was stored, or one that says nothing where somebody has stored something else. */
export function readableRow(row: Row): Row {
  const [action, actor, credential = "", status, address = "", agent = "", ...lists] = row;
  const texts = [action, actor, credential, address, agent];
  const isNames = (it: Json | undefined) => it === undefined || (Array.isArray(it) && it.every((name) => isText(name)));
  const isReadable =
    texts.every(isText) && typeof status === "number" && isNames(lists[0]) && isNames(lists[1]) && !isText(lists[2]);
  return isReadable ? row : ["unreadable", "system:", "", 0];
}

const isText = (value: Json | undefined) => typeof value === "string";

/** What happened, from its compact form. */
export function happeningOf(row: Row): Happened {
  const [action, actor, credential, status, address, userAgent, ...more] = row as [
    ...[action: string, actor: string, credential: string, status: number, address?: string, userAgent?: string],
    ...Json[],
  ];
  const [things, made, changes, operation, changed] = more as [
    ...[things?: string[], made?: string[], changes?: Json[], operation?: string, changed?: string],
  ];
  return {
    action,
    actor: bare(namedBy(actor)),
    ...(credential ? { credential: bare(namedBy(credential)) } : {}),
    status,
    ...(address || userAgent ? { from: { ...(address ? { address } : {}), ...(userAgent ? { userAgent } : {}) } } : {}),
    things: (things ?? []).map(namedBy),
    made: (made ?? []).map(namedBy),
    changes: (changes ?? []).map((it) =>
      Array.isArray(it) ? { field: it[0] as string, value: it[1] as string | boolean | null } : { field: it as string },
    ),
    ...(operation ? { operation } : {}),
    ...(changed ? { isChanged: true } : {}),
  };
}

function isNothing(value: Json): boolean {
  return value === "" || (Array.isArray(value) && value.length === 0);
}

/** A user agent without what all browsers say, and not longer than it helps. */
function shortAgent(agent: string): string {
  return agent
    .slice(0, 400)
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/Mozilla\/5\.0 |AppleWebKit\/[\d.]+ |\(KHTML, like Gecko\) /g, "")
    .slice(0, LONGEST_AGENT)
    .trim();
}

/** What is hashed and signed of an event. The id says which log it is in. */
export function canonical(id: string, time: number, row: Row): string {
  return JSON.stringify([id, time, ...row]);
}

/** The code of the partition in whose log an event is; empty for that of the directory. */
export function codeOfEvent(id: string): string {
  return id.length > 4 + 16 ? id.slice(4, 4 + CODE_LENGTH) : "";
}
