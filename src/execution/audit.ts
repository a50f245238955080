// The audit event of a call. It is made from what every operation declares and from the call itself, so no operation
// can add to it or leave it out. It has ids, names of fields and enumerated values, and nothing else of a body.

import {
  type AuditActor,
  type AuditCredential,
  type Change,
  type From,
  type Happening,
  inWords,
  kindOf,
  type Named as Thing,
} from "../audit/event";
import type { DocsError } from "../errors";
import { type Actor, ANONYMOUS } from "../operation/actor";
import { Id } from "../operation/common-schemas";
import type { Schema } from "../operation/operation";
import type { Store } from "../storage/store";
import type { RawInput, RegisteredOperation } from "./kernel";

/** A call, as far as its event tells of it. */
export interface Told {
  readonly named: RegisteredOperation;
  readonly raw: RawInput;
  readonly actor: Actor;
  readonly from: From | undefined;
}

/** The event of a call that was carried out. `made` are the ids that it made. Every write pays for this, so it copies
 * nothing that it need not. */
export function carriedOut(call: Told, status: number, made: readonly string[]): Happening {
  const { named, actor, from } = call;
  const things = thingsIn(call);
  const changes: Change[] = [];
  tellBody(call, changes, things);
  return {
    action: named.name,
    actor: auditActor(actor),
    credential: auditCredential(actor),
    from,
    status,
    things,
    made: thingsMade(made),
    changes,
  };
}

function thingsMade(ids: readonly string[]): Thing[] {
  const made: Thing[] = [];
  for (const id of ids) {
    const type = kindOf(id);
    if (type !== undefined && !UNTOLD.has(type)) made.push({ type, id });
  }
  return made;
}

/** What is made beside what was asked for. */
const UNTOLD = new Set(["job", "event", "call"]);

/** The event of a call that was refused for a right. */
export function refused(call: Told, { status }: DocsError): Happening {
  const { named, actor, from } = call;
  const [who, credential] = [auditActor(actor), auditCredential(actor)];
  return { action: "refused", operation: named.name, actor: who, credential, from, status, things: thingsIn(call) };
}

export function auditActor(actor: Actor): AuditActor {
  if (actor === ANONYMOUS || actor.visit) return { type: "visitor" };
  const { id } = actor.user;
  const kind = kindOf(id);
  return { type: kind === "installation" || kind === "integration" ? "installation" : "user", id };
}

/** What the caller was recognized by. The id of a token or a session is no secret. */
export function auditCredential({ credentials }: Actor): AuditCredential | undefined {
  if (credentials === "") return undefined;
  if (credentials.startsWith("[")) return { type: credentials.startsWith('["host"') ? "host" : "visit" };
  const type = kindOf(credentials);
  return type === undefined ? undefined : { type, id: credentials };
}

/** What the path names. The organization is the one whose log it is. A name that is no id is told where it is public. */
function thingsIn({ named, raw }: Told): Thing[] {
  const things: Thing[] = [];
  for (const name of named.operation.params) {
    const id = raw.params[name];
    if (id === undefined || name === "organizationId") continue;
    const type = name.endsWith("Id") ? (kindOf(id) ?? inWords(name.slice(0, -2))) : PUBLIC_NAMES.get(name);
    if (type !== undefined) things.push({ type, id });
  }
  return things;
}

const PUBLIC_NAMES = new Map([
  ["integrationName", "integration"],
  ["specSlug", "open-api-spec"],
]);

/** How a member of a body is told of. */
type Telling =
  | "name"
  | "value"
  | "id"
  /** A list of things by their ids, with the members whose values are enumerated. */
  | { readonly each: readonly string[] };

interface Shape {
  readonly type?: string;
  readonly wrapped?: Shape;
  readonly item?: Shape;
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly options?: readonly Shape[];
}

const tellings = new WeakMap<Schema, ReadonlyMap<string, Telling>>();

/** How the members of a body are told of, worked out once. */
function tellingsOf(schema: Schema): ReadonlyMap<string, Telling> {
  const known = tellings.get(schema);
  if (known) return known;
  const { entries = {} } = schema as Shape;
  const made = new Map(Object.entries(entries).map(([name, member]) => [name, tellingOf(member)]));
  tellings.set(schema, made);
  return made;
}

function tellingOf(member: Shape): Telling {
  const shape = inner(member);
  if (shape === (Id as Shape)) return "id";
  if (isEnumerated(shape)) return "value";
  const entries = shape.item && entriesOfItem(inner(shape.item));
  if (!entries?.id || inner(entries.id) !== (Id as Shape)) return "name";
  return { each: Object.keys(entries).filter((name) => isEnumerated(inner(entries[name]!))) };
}

/** The members of an item of a list. An item may be an id in place of an object with that id. */
function entriesOfItem({ type, entries, options = [] }: Shape): Shape["entries"] {
  return type === "union" && options.includes(Id as Shape) ? options.find((it) => it.entries)?.entries : entries;
}

function inner(shape: Shape): Shape {
  return shape.wrapped ? inner(shape.wrapped) : shape;
}

function isEnumerated({ type }: Shape): boolean {
  return type === "picklist" || type === "boolean" || type === "literal";
}

/** Tells what a body sets: names of members, values where they are enumerated, and things by their ids. */
function tellBody({ named, raw: { body } }: Told, changes: Change[], things: Thing[]): void {
  const { body: schema } = named.operation.spec;
  if (!schema || typeof body !== "object" || body === null) return;
  for (const [name, telling] of tellingsOf(schema)) {
    const value = (body as Record<string, unknown>)[name];
    if (value === undefined) continue;
    if (typeof telling === "object" && Array.isArray(value)) {
      for (const given of value.slice(0, MOST_ITEMS) as readonly (string | Record<string, unknown>)[]) {
        const item: Record<string, unknown> = typeof given === "string" ? { id: given } : given;
        things.push(thingWith(String(item.id), name));
        for (const member of telling.each)
          if (item[member] !== undefined) changes.push(change(`${name}.${item.id}.${member}`, item[member]));
      }
      continue;
    }
    if (telling === "id" && typeof value === "string") things.push(thingWith(value, name));
    changes.push(telling === "value" ? change(name, value) : { field: name });
  }
}

/** Items of a list that are told of one by one. */
const MOST_ITEMS = 8;

function thingWith(id: string, name: string): Thing {
  return { type: kindOf(id) ?? inWords(name.replace(/Id$|s$/, "")), id };
}

function change(field: string, value: unknown): Change {
  return { field, value: value as string | boolean | null };
}

/** How long a refusal is not told again. */
const WINDOW_MS = 60_000;
/** The most refusals of one caller, and of all callers, that this process tells of in that time. */
const MOST_OF_ONE = 20;
const MOST_OF_ALL = 1000;

/**
 * Whether a refusal is to be written down. A refusal has no commit but its own, so the same one is told once a minute, and
 * nobody can fill a log with them.
 */
export function createRefusalLimit({ now }: Pick<Store, "now">): (happening: Happening) => boolean {
  let since = Number.NEGATIVE_INFINITY;
  const told = new Set<string>();
  const byActor = new Map<string, number>();
  return ({ actor, operation, things }) => {
    const time = now().getTime();
    if (time - since >= WINDOW_MS) {
      told.clear();
      byActor.clear();
      since = time;
    }
    const who = actor.id ?? actor.type;
    const it = JSON.stringify([who, operation, things]);
    const count = byActor.get(who) ?? 0;
    if (told.has(it) || told.size >= MOST_OF_ALL || count >= MOST_OF_ONE) return false;
    told.add(it);
    byActor.set(who, count + 1);
    return true;
  };
}
