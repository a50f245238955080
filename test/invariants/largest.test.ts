// No input is too large for the server to say so: every operation is sent the largest that its shapes allow, body, query and
// path, as a whole and member by member, in characters that take the most room. It is done, and reads back as it was sent,
// or it is refused with a declared status and nothing is left of it; it is never a 500. In the suite members are sent one by
// one in the widest letters alone and to memory alone, other letters take turns, and so do the other storages, which are
// asked once for each operation; a long run sends everything to all of them.

import { readFileSync } from "node:fs";
import { memoryStorage } from "octavo/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RegisteredOperation } from "../../src/execution/kernel";
import type { Operation } from "../../src/operation/operation";
import { allOperations } from "../../src/operations";
import { web } from "../resources/content/imports-web";
import { operationAt } from "../resources/scenario";
import { type Answer, dump, open, setUp } from "../support/setting";
import type { Opened } from "../support/storages";
import { isLongRun } from "../support/test-length";
import { type Copier, copiers } from "./copies";
import { allowedPerson, type Cast, type Example, examples, mute, parrot, prepare } from "./examples";
import { type Fill, fillerOf, watch } from "./faults";
import { type Alphabet, alphabets, DEEP, largest, type Making, nothing, textOf } from "./largest";

const table = allOperations();
const openapi = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
let fill: Fill;
/** What every copy holds in the beginning. */
let untouched: Map<string, string>;
let cast: Cast;
let rows: Record<string, Example>;
let ids: Map<string, string[]>;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute, ask: parrot }));
  rows = examples(cast);
  fill = await fillerOf(base);
  untouched = settled(await dump(base));
  const { ids: people, content, team, space, innerSpace, collection, site } = cast;
  const { stranger: _, rival: __, ...members } = people;
  ids = idsIn({ members, content, team, space, innerSpace, collection, site });
});

function idsIn(value: unknown, found = new Map<string, string[]>()): Map<string, string[]> {
  if (typeof value === "string" && /^[a-z]{3}_[a-z0-9]+$/.test(value)) {
    const kind = value.slice(0, 3);
    found.set(kind, [...(found.get(kind) ?? []), value]);
  } else if (typeof value === "object" && value !== null && !("fetch" in value))
    for (const it of Object.values(value)) idsIn(it, found);
  return found;
}

/** Ids that changes of content and links of sites name. */
function namedIn({ content, space, siteSpace }: Cast): Making["named"] {
  const { page, file, reusable } = content;
  return { page, file, files: [file], reusableContent: reusable, space, siteSpace };
}

/** What was made of a shape before: operations that take the same are sent the same. */
const made = new Map<unknown, Map<string, unknown>>();

function largestOf(shape: never, send: unknown, making: Making, told: string): unknown {
  const known = made.get(shape) ?? made.set(shape, new Map()).get(shape)!;
  const key = `${told}: ${JSON.stringify(send)}`;
  if (!known.has(key)) known.set(key, largest(shape, send, making));
  return known.get(key);
}

/** A request to send, and what it is called. */
interface Sent {
  readonly told: string;
  readonly route: string;
  readonly body?: unknown;
  /** Whether it is all at its largest, and not one member. */
  readonly isWhole?: true;
}

/** Bodies of an operation: the largest as a whole, and the example with each of its members at its largest. */
function* bodies(operation: Operation, { ask: route, send }: Example, alphabet: Alphabet): Generator<Sent> {
  const shape = operation.spec.body as never;
  if (shape === undefined) return;
  for (let form = 0; form < formsIn(shape); form++) {
    for (const share of [1, 0.8, 0.4, 0.1]) {
      const told = `${alphabet}, form ${form}, share ${share}`;
      const whole = largestOf(shape, send, { alphabet, form, share, ids, named: namedIn(cast) }, told);
      // Lists that are full each on its own may be too much together.
      if (whole === nothing || (whole === send && share > 0.1)) continue;
      yield { told: `whole: ${told}`, route, body: whole, isWhole: true };
      const members = memberNames(whole);
      if (members.length > 1)
        for (const name of members) {
          const body = { ...(send as object), [name]: (whole as Record<string, unknown>)[name] };
          yield { told: `${name}: ${told}`, route, body };
        }
      break;
    }
  }
}

/** The example with each of its members nested without end, whatever it should be. */
function* deepBodies(operation: Operation, { ask: route, send }: Example): Generator<Sent> {
  const { entries = {} } = (operation.spec.body ?? {}) as { entries?: object };
  for (const name of Object.keys(entries))
    yield { told: `${name}: deep`, route, body: { ...(send as object), [name]: DEEP } };
}

/** Queries of an operation: all members at their largest, each of them alone, and a cursor that is none. */
function* queries(operation: Operation, { ask, send: body }: Example, alphabet: Alphabet): Generator<Sent> {
  const [path, given = ""] = ask.split("?") as [string, string?];
  const example = Object.fromEntries(new URLSearchParams(given));
  const making: Making = { alphabet, form: 0, share: 1, ids, named: {} };
  const longest = Object.entries(operation.spec.query ?? {}).flatMap(([name, shape]) => {
    const value = largest(shape as never, example[name], making);
    return value === nothing ? [] : [[name, String(value)] as const];
  });
  const paged = operation.spec.list ? [["limit", "1000"] as const] : [];
  const routeOf = (members: readonly (readonly [string, string])[]) =>
    `${path}?${new URLSearchParams({ ...example, ...Object.fromEntries(members) })}`;
  const all = [...longest, ...paged];
  if (all.length > 0) yield { told: `query: ${alphabet}`, route: routeOf(all), body, isWhole: true };
  if (longest.length > 1)
    for (const member of longest) yield { told: `query.${member[0]}: ${alphabet}`, route: routeOf([member]), body };
  if (operation.spec.list) yield { told: "query.page", route: routeOf([["page", "a".repeat(8000)]]), body };
}

/** Paths of an operation whose end is free. */
function* paths(operation: Operation, { ask, send: body }: Example, alphabet: Alphabet): Generator<Sent> {
  const free = operation.path.match(/^(.*)\/:\w+\+$/)?.[1]?.split("/").length;
  if (free === undefined) return;
  const before = ask.split("/").slice(0, free + 1);
  const segment = encodeURIComponent(alphabets[alphabet].repeat(20));
  const tail = Array.from({ length: 40 }, () => segment);
  yield { told: `path: ${alphabet}`, route: [...before, ...tail].join("/"), body, isWhole: true };
}

const memberNames = (body: unknown) => (typeof body === "object" && body !== null ? Object.keys(body) : []);

/** All that a shape is made of. */
function partsOf(shape: unknown, seen = new Set<unknown>()): { type?: string; options?: unknown[] }[] {
  if (typeof shape !== "object" || shape === null || seen.has(shape)) return [];
  seen.add(shape);
  return [shape, ...Object.values(shape).flatMap((it) => partsOf(it, seen))];
}

const formsOf = new Map<unknown, number>();

/** The most forms that anything in a shape has. */
function formsIn(shape: unknown): number {
  const known = formsOf.get(shape);
  if (known !== undefined) return known;
  const forms = partsOf(shape).filter(({ type }) => type === "union" || type === "variant");
  const most = Math.max(1, ...forms.map(({ options }) => options!.length));
  formsOf.set(shape, most);
  return most;
}

/** What is longer takes long: once, in the widest letters, is enough. */
const LONG = 500_000;

/** All that an operation is sent. */
function* requests(named: RegisteredOperation): Generator<Sent> {
  const { name, definition: operation } = named;
  const example = rows[name]!;
  // How deep a body may be is looked at before its members are.
  const deep = [...deepBodies(operation, example)];
  yield* isLongRun ? deep : deep.slice(0, 1);
  const others: Alphabet[] = isLongRun ? ["astral", "escaped"] : table.indexOf(named) % 2 ? ["astral"] : ["escaped"];
  let isLong = false;
  for (const sent of bodies(operation, example, "wide")) {
    isLong ||= textOfBody(sent.body)!.length > LONG;
    yield sent;
  }
  for (const of of [queries, paths]) yield* of(operation, example, "wide");
  for (const alphabet of others)
    for (const of of isLong && !isLongRun ? [queries, paths] : [bodies, queries, paths])
      for (const sent of of(operation, example, alphabet)) if (isLongRun || sent.isWhole) yield sent;
  if (operation.spec.body === undefined) yield { told: "the example", route: example.ask };
}

/** The largest of them: the one that other storages are asked. */
function largestRequest({ name, definition: operation }: RegisteredOperation): Sent {
  const example = rows[name]!;
  const [body] = bodies(operation, example, "wide");
  const [query] = body ? [] : queries(operation, example, "wide");
  return body ?? query ?? { told: "the example", route: example.ask, body: example.send };
}

function stage({ storage: inner }: Opened) {
  const storage = watch(inner);
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const { clock, askWith } = open(storage, { fetch: web, translator: mute, ask: parrot, onError });
  clock.now = cast.clock.now;
  clock.forward(1000);
  return { askWith, errors, storage };
}

/** What was sent and what is read, where they have members in common. */
function common(sent: unknown, read: unknown, at = ""): [at: string, sent: unknown, read: unknown][] {
  if (typeof sent !== "object" || sent === null || typeof read !== "object" || read === null)
    return read === undefined || typeof read === "object" ? [] : [[at, sent, read]];
  return Object.entries(sent).flatMap(([name, value]) =>
    name in read ? common(value, (read as Record<string, unknown>)[name], `${at}.${name}`) : [],
  );
}

/** Leaves out what a refused request may leave to be swept: bytes that nothing names, and names that nobody came to hold; and
 * that an integration was asked. */
function settled(entries: Map<string, string>): Map<string, string> {
  const swept = /\\u0003(?:upload|object|use|claim|claimed)\\u0000|integration-event/;
  return new Map([...entries].filter(([key]) => !swept.test(key)));
}

/** Sends a request; what is wrong with what comes of it. */
async function wrongs(
  { name, definition: operation }: RegisteredOperation,
  { route, body, told }: Sent,
  text: string | undefined,
  on: Opened,
) {
  const { askWith, errors, storage } = stage(on);
  const token = cast.tokens[allowedPerson(rows[name]!)];
  const answer = await askWith(token, route, text);
  const { status } = answer;
  const declared = openapi.paths[`${operation.path.replace(/:(\w+)\+?/g, "{$1}")}`];
  const { responses } = declared[operation.method.toLowerCase()];
  const isWrite = operation.method !== "GET" && !operation.spec.isReadOnly;
  const found = [
    ...errors.map((error) => `${error}`),
    ...(status === 500 || !(status in responses || "default" in responses) ? ["it is no answer"] : []),
    // What a shape allows has room, or is refused with the name of the member that has none.
    ...(answer.body?.error?.reason === "too_much_at_once" ? ["its shape allows more than there is room for"] : []),
    ...(status < 300 && isWrite && body !== undefined
      ? await readBack(answer, route, body, (at) => askWith(token, at))
      : []),
    ...(status >= 400 && isWrite && storage.isTouched ? await leftBehind(storage) : []),
  ];
  const said = JSON.stringify(answer.body)?.slice(0, 400);
  return found.map((it) => `${told}: ${text?.length ?? 0} characters, ${status} ${said}: ${it}`);
}

async function leftBehind(storage: Opened["storage"]): Promise<string[]> {
  const after = settled(await dump(storage));
  const isSame = after.size === untouched.size && [...after].every(([key, value]) => untouched.get(key) === value);
  return isSame ? [] : ["something is left of it"];
}

/** Where what is read differs from what was sent. */
async function readBack(
  answer: Answer,
  route: string,
  body: unknown,
  ask: (route: string) => Promise<Answer>,
): Promise<string[]> {
  const location = answer.headers.get("location");
  const path = location ? new URL(location).pathname : route.split(" ")[1]!.split("?")[0]!;
  const reading = operationAt(`GET ${path}`)?.definition.path;
  // Without a location, what is read stands at the same path, and not at one whose last part is taken for an id.
  if (!reading || (!location && reading !== operationAt(route)?.definition.path)) return [];
  const read = await ask(`GET ${path}`);
  if (read.status !== 200) return [`GET ${path} is ${read.status}`];
  return common(body, read.body)
    .filter(([, sent, found]) => typeof sent === typeof found && sent !== found)
    .map(
      ([at, sent, found]) => `${at} reads ${String(found).slice(0, 50)} where ${String(sent).slice(0, 50)} was sent`,
    );
}

/** A body as it is sent; written once, though it is asked for more than once. */
function textOfBody(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return body === undefined ? undefined : textOf(body);
  if (lastText?.body !== body) lastText = { body, text: textOf(body) };
  return lastText.text;
}
let lastText: { readonly body: object; readonly text: string } | undefined;

describe.each(copiers)("on %s", (kind, create) => {
  let copier: Copier;
  /** What no request of a GET changes. */
  let shared: Opened;

  beforeAll(async () => {
    copier = await create(fill);
    shared = await copier.copy();
  });
  afterAll(async () => {
    await shared.cleanUp();
    await copier.cleanUp();
  });

  async function send(named: RegisteredOperation, request: Sent, text: string | undefined): Promise<string[]> {
    if (named.definition.method === "GET") return wrongs(named, request, text, shared);
    const own = await copier.copy();
    try {
      return await wrongs(named, request, text, own);
    } finally {
      await own.cleanUp();
    }
  }

  const isFirst = kind === "memory";
  const others = copiers.filter(([name]) => name !== "memory").map(([name]) => name);
  const asked = isFirst || isLongRun ? table : table.filter((_, i) => others[i % others.length] === kind);

  test.each(asked.map((named) => [named.name, named] as const))(
    "the largest resource that the schemas allow works: %s",
    async (_, named) => {
      const wrong: string[] = [];
      const seen = new Set<string>();
      for (const request of isFirst || isLongRun ? requests(named) : [largestRequest(named)]) {
        const text = textOfBody(request.body);
        const key = `${request.route} ${text}`;
        if (seen.has(key)) continue;
        seen.add(key);
        wrong.push(...(await send(named, request, text)));
      }
      expect(wrong).toEqual([]);
      expect(seen.size, "nothing was sent").toBeGreaterThan(0);
    },
  );
});
