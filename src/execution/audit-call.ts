// Describes a call for the audit log. The description is made from what every operation declares and from the call itself, so no
// operation can add to it or leave it out. It holds ids, names of fields and enumerated values, and nothing else of a body.

import {
  type AuditCredential,
  type AuditEntry,
  type AuditedChange,
  getIdKind,
  type AuditedThing as Thing,
  toKebabCase,
} from "../audit/event";
import { ANONYMOUS } from "../operation/actor";
import { Id } from "../operation/common-schemas";
import type { Schema } from "../operation/operation";
import type { Store } from "../storage/store";
import type { Call } from "./call";

/** The parts of a call that its audit event describes. */
export type AuditedCall = Pick<Call, "operation" | "input" | "caller" | "conditions">;

/** Kinds of things that a call makes as a side effect. They are not part of its event. */
const UNRECORDED_KINDS = new Set(["job", "event", "call"]);

/** Parameters that are no ids and may be recorded, because their values are public. */
const KINDS_OF_PUBLIC_NAMES = new Map([
  ["integrationName", "integration"],
  ["specSlug", "open-api-spec"],
]);

/** The most items of a list that are recorded one by one. */
const MAX_ITEMS = 8;

/**
 * Describes a call: who made it, from where, the result, and the things that the path names. The organization is not among them,
 * because the log belongs to it. Every write pays for this, so it copies no more than it has to.
 */
export function describeCall({ operation, input, caller: { actor }, conditions }: AuditedCall, status: number) {
  // The id of a token or a session is no secret.
  const { credentials } = actor;
  let credential: AuditCredential | undefined;
  if (credentials.startsWith("[")) credential = { type: credentials.startsWith('["host"') ? "host" : "visit" };
  else if (credentials !== "") {
    const type = getIdKind(credentials);
    credential = type === undefined ? undefined : { type, id: credentials };
  }

  const things: Thing[] = [];
  for (const name of operation.definition.params) {
    const id = input.params[name];
    if (id === undefined || name === "organizationId") continue;
    const type = name.endsWith("Id")
      ? (getIdKind(id) ?? toKebabCase(name.slice(0, -2)))
      : KINDS_OF_PUBLIC_NAMES.get(name);
    if (type !== undefined) things.push({ type, id });
  }

  const { id } = actor.user;
  const kind = getIdKind(id);
  const isVisitor = actor === ANONYMOUS || actor.visit !== undefined;
  const isInstallation = kind === "installation" || kind === "integration";
  return {
    action: operation.name,
    actor: isVisitor ? { type: "visitor" } : { type: isInstallation ? "installation" : "user", id },
    credential,
    from: conditions.source,
    status,
    things,
  } satisfies AuditEntry;
}

/**
 * Describes a call that was completed, with what its body sets: the things that it names by their ids, names of members, and values
 * that are enumerated. `newIds` are the ids that the call generated.
 */
export function describeCompletedCall(call: AuditedCall, status: number, newIds: readonly string[]): AuditEntry {
  const entry = describeCall(call, status);
  const changes: AuditedChange[] = [];
  const { body: schema } = call.operation.definition.spec;
  const { body } = call.input;
  const hasMembers = schema && typeof body === "object" && body !== null;
  for (const [name, recording] of hasMembers ? getRecordings(schema) : []) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (typeof recording === "object" && Array.isArray(value)) {
      for (const itemOrId of value.slice(0, MAX_ITEMS) as readonly (string | Record<string, unknown>)[]) {
        const item: Record<string, unknown> = typeof itemOrId === "string" ? { id: itemOrId } : itemOrId;
        entry.things.push(toThing(String(item.id), name));
        for (const member of recording.valuesOfItems)
          if (item[member] !== undefined)
            changes.push({ field: `${name}.${item.id}.${member}`, value: item[member] as EnumeratedValue });
      }
      continue;
    }
    if (recording === "id" && typeof value === "string") entry.things.push(toThing(value, name));
    changes.push(recording === "value" ? { field: name, value: value as EnumeratedValue } : { field: name });
  }

  const made: Thing[] = [];
  for (const id of newIds) {
    const type = getIdKind(id);
    if (type !== undefined && !UNRECORDED_KINDS.has(type)) made.push({ type, id });
  }
  return { ...entry, made, changes };
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

/** The types of schemas whose values are enumerated. */
const ENUMERATED_TYPES = new Set<string | undefined>(["picklist", "boolean", "literal"]);

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
    else if (ENUMERATED_TYPES.has(node.type)) recordings.set(name, "value");
    else if (entries?.id && unwrapSchema(entries.id) === (Id as SchemaNode)) {
      const valuesOfItems = Object.keys(entries).filter((key) =>
        ENUMERATED_TYPES.has(unwrapSchema(entries[key]!).type),
      );
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
