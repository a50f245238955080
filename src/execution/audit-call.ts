// Describes a call for the audit log. The description is made from what every operation declares and from the call itself, so no
// operation can add to it or leave it out. It holds ids, names of fields and enumerated values, and nothing else of a body.

import {
  type AuditActor,
  type AuditCredential,
  type AuditEntry,
  type AuditedChange,
  getIdKind,
  type AuditedThing as Thing,
  toKebabCase,
} from "../audit/event";
import type { DocsError } from "../errors";
import { type Actor, ANONYMOUS } from "../operation/actor";
import { Id } from "../operation/common-schemas";
import type { Schema } from "../operation/operation";
import type { Store } from "../storage/store";
import type { Call } from "./call";

/** The parts of a call that its audit event describes. */
export type AuditedCall = Pick<Call, "operation" | "input" | "caller" | "conditions">;

/** Kinds of things that a call makes as a side effect. They are not part of its event. */
const UNRECORDED_KINDS = new Set(["job", "event", "call"]);

/**
 * Describes a call that was completed. `newIds` are the ids that it generated. Every write pays for this, so it copies no more than
 * it has to.
 */
export function describeCompletedCall(call: AuditedCall, status: number, newIds: readonly string[]): AuditEntry {
  const { operation, caller, conditions } = call;
  const things = listThingsInPath(call);
  const changes: AuditedChange[] = [];
  describeBody(call, things, changes);

  const made: Thing[] = [];
  for (const id of newIds) {
    const type = getIdKind(id);
    if (type !== undefined && !UNRECORDED_KINDS.has(type)) made.push({ type, id });
  }
  return {
    action: operation.name,
    actor: toAuditActor(caller.actor),
    credential: toAuditCredential(caller.actor),
    from: conditions.source,
    status,
    things,
    made,
    changes,
  };
}

/** Describes a call that was refused because the caller lacks a right. */
export function describeRefusedCall(call: AuditedCall, { status }: DocsError): AuditEntry {
  const { operation, caller, conditions } = call;
  return {
    action: "refused",
    operation: operation.name,
    actor: toAuditActor(caller.actor),
    credential: toAuditCredential(caller.actor),
    from: conditions.source,
    status,
    things: listThingsInPath(call),
  };
}

function toAuditActor(actor: Actor): AuditActor {
  if (actor === ANONYMOUS || actor.visit) return { type: "visitor" };
  const { id } = actor.user;
  const kind = getIdKind(id);
  return { type: kind === "installation" || kind === "integration" ? "installation" : "user", id };
}

/** Returns the token, session or other credential that identified the caller. The id of a token or a session is no secret. */
function toAuditCredential({ credentials }: Actor): AuditCredential | undefined {
  if (credentials === "") return undefined;
  if (credentials.startsWith("[")) return { type: credentials.startsWith('["host"') ? "host" : "visit" };
  const type = getIdKind(credentials);
  return type === undefined ? undefined : { type, id: credentials };
}

/** Parameters that are no ids and may be recorded, because their values are public. */
const KINDS_OF_PUBLIC_NAMES = new Map([
  ["integrationName", "integration"],
  ["specSlug", "open-api-spec"],
]);

/** Returns the things that the path names, except the organization, which is the one that the log belongs to. */
function listThingsInPath({ operation, input }: AuditedCall): Thing[] {
  const things: Thing[] = [];
  for (const name of operation.definition.params) {
    const id = input.params[name];
    if (id === undefined || name === "organizationId") continue;
    const type = name.endsWith("Id")
      ? (getIdKind(id) ?? toKebabCase(name.slice(0, -2)))
      : KINDS_OF_PUBLIC_NAMES.get(name);
    if (type !== undefined) things.push({ type, id });
  }
  return things;
}

/** The most items of a list that are recorded one by one. */
const MAX_ITEMS = 8;

/** Adds what a body sets: the things that it names by their ids, names of members, and values that are enumerated. */
function describeBody({ operation, input }: AuditedCall, things: Thing[], changes: AuditedChange[]): void {
  const { body: schema } = operation.definition.spec;
  const { body } = input;
  if (!schema || typeof body !== "object" || body === null) return;

  for (const [name, recording] of getRecordings(schema)) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (typeof recording === "object" && Array.isArray(value)) {
      for (const itemOrId of value.slice(0, MAX_ITEMS) as readonly (string | Record<string, unknown>)[]) {
        const item: Record<string, unknown> = typeof itemOrId === "string" ? { id: itemOrId } : itemOrId;
        things.push(toThing(String(item.id), name));
        for (const member of recording.valuesOfItems)
          if (item[member] !== undefined)
            changes.push({ field: `${name}.${item.id}.${member}`, value: item[member] as EnumeratedValue });
      }
      continue;
    }
    if (recording === "id" && typeof value === "string") things.push(toThing(value, name));
    changes.push(recording === "value" ? { field: name, value: value as EnumeratedValue } : { field: name });
  }
}

type EnumeratedValue = string | boolean | null;

/** Returns a thing by its id. Its kind follows from the id, or else from the name of the member that holds it. */
function toThing(id: string, name: string): Thing {
  return { type: getIdKind(id) ?? toKebabCase(name.replace(/Id$|s$/, "")), id };
}

/** The part of a member of a body that is recorded. */
type Recording =
  | "name"
  | "value"
  | "id"
  /** The ids of a list's items, and the members of the items whose values are enumerated. */
  | { readonly valuesOfItems: readonly string[] };

/** The members of a valibot schema that decide what is recorded. */
interface SchemaNode {
  readonly type?: string;
  readonly wrapped?: SchemaNode;
  readonly item?: SchemaNode;
  readonly entries?: Readonly<Record<string, SchemaNode>>;
  readonly options?: readonly SchemaNode[];
}

const recordingsBySchema = new WeakMap<Schema, ReadonlyMap<string, Recording>>();

/** Returns what is recorded of each member of a body. It is worked out once for each schema. */
function getRecordings(schema: Schema): ReadonlyMap<string, Recording> {
  const known = recordingsBySchema.get(schema);
  if (known) return known;

  const recordings = new Map<string, Recording>();
  for (const [name, member] of Object.entries((schema as SchemaNode).entries ?? {})) {
    const node = unwrapSchema(member);
    const item = node.item && unwrapSchema(node.item);
    // An item of a list may be an id in place of an object with that id.
    const isIdOrObject = item?.type === "union" && item.options?.includes(Id as SchemaNode);
    const entries = isIdOrObject ? item.options?.find((option) => option.entries)?.entries : item?.entries;

    if (node === (Id as SchemaNode)) recordings.set(name, "id");
    else if (isEnumerated(node)) recordings.set(name, "value");
    else if (entries?.id && unwrapSchema(entries.id) === (Id as SchemaNode)) {
      const valuesOfItems = Object.keys(entries).filter((key) => isEnumerated(unwrapSchema(entries[key]!)));
      recordings.set(name, { valuesOfItems });
    } else recordings.set(name, "name");
  }
  recordingsBySchema.set(schema, recordings);
  return recordings;
}

/** Returns the schema inside of `optional`, `nullable` and the like. */
function unwrapSchema(node: SchemaNode): SchemaNode {
  return node.wrapped ? unwrapSchema(node.wrapped) : node;
}

function isEnumerated({ type }: SchemaNode): boolean {
  return type === "picklist" || type === "boolean" || type === "literal";
}

/** The same refusal is recorded once in this time. */
const REFUSAL_WINDOW_MS = 60_000;
/** The most refusals of one caller, and of all callers, that this process records in that time. */
const MAX_REFUSALS_OF_CALLER = 20;
const MAX_REFUSALS = 1000;

/**
 * Returns a function that decides if a refusal is recorded. A refusal needs a commit of its own, so the same one is recorded once a
 * minute, and nobody can flood a log with them.
 */
export function createRefusalLimiter({ now }: Pick<Store, "now">): (happening: AuditEntry) => boolean {
  let windowStart = Number.NEGATIVE_INFINITY;
  const recorded = new Set<string>();
  const countsByCaller = new Map<string, number>();

  return ({ actor, operation, things }) => {
    const time = now().getTime();
    if (time - windowStart >= REFUSAL_WINDOW_MS) {
      recorded.clear();
      countsByCaller.clear();
      windowStart = time;
    }

    const caller = actor.id ?? actor.type;
    const refusal = JSON.stringify([caller, operation, things]);
    const count = countsByCaller.get(caller) ?? 0;
    if (recorded.has(refusal) || recorded.size >= MAX_REFUSALS || count >= MAX_REFUSALS_OF_CALLER) return false;
    recorded.add(refusal);
    countsByCaller.set(caller, count + 1);
    return true;
  };
}
