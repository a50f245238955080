// The entries of an audit log, and the compact form in which they are stored and hashed. An entry has ids, names of fields and
// enumerated values. It never has content or secrets.

import { idPrefixes } from "../storage/ids";
import { omitUndefined } from "../utils/objects";
import { sha256Hex } from "../utils/sha256";

/** A thing with an id, such as a space. Its type is the kind of the id in kebab case. */
export interface AuditedThing {
  readonly type: string;
  readonly id: string;
}

/** The actor of an event. A visitor, the host and the system have no id. */
export interface AuditActor {
  readonly type: "user" | "installation" | "visitor" | "host" | "system";
  readonly id?: string | undefined;
}

/** The credential that identified the actor: `token`, `session`, `installation`, `visit`, `host`, or a way to sign in. */
export interface AuditCredential {
  readonly type: string;
  readonly id?: string | undefined;
}

/** The source of a request, as the server knows it. */
export interface RequestSource {
  readonly address?: string | undefined;
  readonly userAgent?: string | undefined;
}

/** A field that was set. Only an enumerated value is recorded, never a text. */
export interface AuditedChange {
  readonly field: string;
  readonly value?: string | boolean | null;
}

/** An entry for the log, before it is stored. */
export interface AuditEntry {
  /** The name of an operation, or one of `actionsWithoutOperation`. */
  readonly action: (typeof actionsWithoutOperation)[number] | (string & {});
  readonly actor: AuditActor;
  readonly credential?: AuditCredential | undefined;
  readonly from?: RequestSource | undefined;
  /** Default: 200. */
  readonly status?: number | undefined;
  /** The things that the action was done to, from the outside to the inside. The organization is not among them. */
  readonly things?: readonly AuditedThing[] | undefined;
  /** The things that the action made. */
  readonly made?: readonly AuditedThing[] | undefined;
  readonly changes?: readonly AuditedChange[] | undefined;
  /** The operation that was refused. */
  readonly operation?: string | undefined;
  /** True if its row turned out to be changed when it was sealed. */
  readonly isChanged?: boolean | undefined;
}

/** The actions that are recorded in addition to the operations that write. */
export const actionsWithoutOperation = [
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

/** An entry as it is read: the lists are present, and no member is undefined. */
export interface ParsedAuditEntry extends AuditEntry {
  readonly status: number;
  readonly things: AuditedThing[];
  readonly made: AuditedThing[];
  readonly changes: AuditedChange[];
}

export interface AuditEvent extends ParsedAuditEntry {
  readonly id: string;
  /** In milliseconds. */
  readonly time: number;
}

const MAX_THINGS = 12;
const MAX_MADE_THINGS = 4;
const MAX_CHANGES = 24;
const MAX_ID_LENGTH = 80;
const MAX_USER_AGENT_LENGTH = 80;
const MAX_ADDRESS_LENGTH = 45;

const kindsByPrefix = new Map<string, string>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, toKebabCase(kind)]),
);

/** Returns the kind of an id of this API in kebab case, such as `change-request`; undefined for every other text. */
export function getIdKind(id: string): string | undefined {
  const separator = id.indexOf("_");
  return separator === 3 ? kindsByPrefix.get(id.slice(0, separator)) : undefined;
}

/** Returns `changeRequest` as `change-request`. */
export function toKebabCase(kind: string): string {
  return kind.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/**
 * The stored form of an entry, without its id and time. It is one line, because a text is cheaper to store and to hash than a list. Its
 * members are separated by bars; the items of lists in it by spaces. Empty members at its end are left out.
 */
export type AuditRow = string;

/** The last member of a row that turned out to be changed. */
const CHANGED = "changed";

/** The characters that would end a member of a row. */
const RESERVED_CHARACTERS = /[^\x20-\x7b\x7d\x7e]/g;

/** User agents without the parts that all browsers have. Few are in use at a time, so the results are cached. */
const shortUserAgents = new Map<string, string>();
const MAX_SHORT_USER_AGENTS = 100;

export function formatAuditRow(entry: AuditEntry): AuditRow {
  const { action, actor, credential, status, from, things, made, changes, operation, isChanged } = entry;
  const userAgent = from?.userAgent ?? "";
  let shortUserAgent = userAgent === "" ? "" : shortUserAgents.get(userAgent);
  if (shortUserAgent === undefined) {
    shortUserAgent = userAgent
      .slice(0, 400)
      .replace(RESERVED_CHARACTERS, "")
      .replace(/Mozilla\/5\.0 |AppleWebKit\/[\d.]+ |\(KHTML, like Gecko\) /g, "")
      .slice(0, MAX_USER_AGENT_LENGTH)
      .trim();
    if (shortUserAgents.size >= MAX_SHORT_USER_AGENTS) shortUserAgents.clear();
    shortUserAgents.set(userAgent, shortUserAgent);
  }

  // A change as one text: `title`, `role=edit`, `sso:true`.
  const changeTexts = changes?.slice(0, MAX_CHANGES).map(({ field, value }) => {
    if (value === undefined) return field;
    if (typeof value !== "string") return `${field}:${value}`;
    return `${field}=${value.replace(RESERVED_CHARACTERS, "").replaceAll(" ", "")}`;
  });
  const members = [
    action,
    formatThing(actor),
    credential ? formatThing(credential) : "",
    status ?? 200,
    from?.address ? from.address.slice(0, MAX_ADDRESS_LENGTH).replace(RESERVED_CHARACTERS, "") : "",
    shortUserAgent,
    things?.length ? things.slice(0, MAX_THINGS).map(formatThing).join(" ") : "",
    made?.length ? made.slice(0, MAX_MADE_THINGS).map(formatThing).join(" ") : "",
    changeTexts?.join(" ") ?? "",
    operation ?? "",
    isChanged ? CHANGED : "",
  ];
  while (members.at(-1) === "") members.pop();
  return members.join("|");
}

export function parseAuditRow(row: AuditRow): ParsedAuditEntry {
  const [action, actor, credential, status, address, userAgent, things, made, changes, operation, changed] =
    row.split("|");
  const from = omitUndefined({ address: address || undefined, userAgent: userAgent || undefined });
  const [thingTexts, madeTexts, changeTexts] = [things, made, changes].map((list) => (list ? list.split(" ") : []));
  return {
    action: action!,
    actor: parseActor(actor!),
    ...omitUndefined({ credential: credential ? parseActor(credential) : undefined }),
    status: Number(status),
    ...omitUndefined({ from: address || userAgent ? from : undefined }),
    things: thingTexts!.map(parseThing),
    made: madeTexts!.map(parseThing),
    changes: changeTexts!.map((text) => {
      const [, field, separator, value] = text.match(/^([^=:]*)(?:([=:])(.*))?$/) ?? [];
      if (separator === undefined) return { field: field ?? "" };
      if (separator === "=") return { field: field!, value: value! };
      return { field: field!, value: value === "null" ? null : value === "true" };
    }),
    ...omitUndefined({ operation: operation || undefined, isChanged: changed ? true : undefined }),
  };
}

/** Returns a thing as one text: the id alone, if its kind is the type. */
function formatThing({ type, id = "" }: { readonly type: string; readonly id?: string | undefined }): string {
  // The id of an invite lets people in, so the log has a digest of it.
  const isSecret = id.startsWith(`${idPrefixes.invite}_`);
  const safeId = isSecret ? sha256Hex(id).slice(0, 16) : id.slice(0, MAX_ID_LENGTH);
  return getIdKind(safeId) === type ? safeId : `${type}:${safeId}`;
}

function parseThing(text: string): AuditedThing {
  const colon = text.indexOf(":");
  if (colon < 0) return { type: getIdKind(text) ?? "unknown", id: text };
  return { type: text.slice(0, colon), id: text.slice(colon + 1) };
}

function parseActor<Type extends string>(text: string): { readonly type: Type; readonly id?: string } {
  const { type, id } = parseThing(text);
  return { type: type as Type, ...omitUndefined({ id: id || undefined }) };
}

/** Returns a complete event as one line, which is hashed and signed. The id says which log it is in. */
export function formatAuditLine(id: string, time: number, row: AuditRow): string {
  return `${id}|${time}|${row}`;
}

export function splitAuditLine(line: string): { readonly id: string; readonly time: number; readonly row: AuditRow } {
  const first = line.indexOf("|");
  const second = line.indexOf("|", first + 1);
  return { id: line.slice(0, first), time: Number(line.slice(first + 1, second)), row: line.slice(second + 1) };
}

export function parseAuditLine(line: string): AuditEvent {
  const { id, time, row } = splitAuditLine(line);
  return { id, time, ...parseAuditRow(row) };
}
