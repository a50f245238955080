// No input is too large for the server to say so: every operation is sent the largest that its shape allows, as a whole and
// member by member, in characters that take the most room. It is done, and reads back as it was sent, or it is refused with
// a declared status; it is never a 500.

import { readFileSync } from "node:fs";
import type { Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import type { Operation } from "../../src/operation";
import { allOperations } from "../../src/operations";
import { web } from "../resources/imports-web";
import { operationAt } from "../resources/scenario";
import { type Answer, open, setUp } from "../setting";
import { allowedPerson, type Cast, type Example, examples, mute, prepare } from "./examples";
import { copierOf } from "./faults";
import { type Alphabet, alphabets, DEEP, largest, type Making, nothing, textOf } from "./largest";

const taking = allOperations().filter(({ operation }) => operation.spec.body !== undefined);
const openapi = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
let copy: () => Promise<Storage>;
let cast: Cast;
let rows: Record<string, Example>;
let ids: Map<string, string[]>;

beforeAll(async () => {
  const base = memoryStorage();
  cast = await prepare(await setUp(base, { fetch: web, translator: mute }));
  rows = examples(cast);
  copy = await copierOf(base);
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

/** Bodies of an operation: the largest as a whole, and the example with each of its members at its largest. */
function* bodies(
  operation: Operation,
  send: unknown,
  alphabet: Alphabet,
): Generator<readonly [told: string, body: unknown]> {
  const shape = operation.spec.body as never;
  for (let form = 0; form < formsIn(shape); form++) {
    for (const share of [1, 0.8, 0.4, 0.1]) {
      const making: Making = { alphabet, form, share, ids, named: namedIn(cast) };
      const told = `${alphabet}, form ${form}, share ${share}`;
      const whole = largestOf(shape, send, making, told);
      // Lists that are full each on its own may be too much together.
      if (whole === nothing || (whole === send && share > 0.1)) continue;
      yield [`whole: ${told}`, whole];
      const members = memberNames(whole);
      if (members.length > 1)
        for (const name of members) {
          const body = { ...(send as object), [name]: (whole as Record<string, unknown>)[name] };
          yield [`${name}: ${told}`, body];
        }
      break;
    }
  }
}

/** The example with each of its members nested without end, whatever it should be. */
function* deepBodies(operation: Operation, send: unknown): Generator<readonly [told: string, body: unknown]> {
  const { entries = {} } = operation.spec.body as { entries?: object };
  for (const name of Object.keys(entries)) yield [`${name}: deep`, { ...(send as object), [name]: DEEP }];
}

const memberNames = (body: unknown) => (typeof body === "object" && body !== null ? Object.keys(body) : []);

/** All that a shape is made of. */
function partsOf(shape: unknown, seen = new Set<unknown>()): { type?: string; options?: unknown[] }[] {
  if (typeof shape !== "object" || shape === null || seen.has(shape)) return [];
  seen.add(shape);
  return [shape, ...Object.values(shape).flatMap((it) => partsOf(it, seen))];
}

/** The most forms that anything in a shape has. */
function formsIn(shape: unknown): number {
  const forms = partsOf(shape).filter(({ type }) => type === "union" || type === "variant");
  return Math.max(1, ...forms.map(({ options }) => options!.length));
}

async function stage() {
  const errors: unknown[] = [];
  const { clock, askWith } = open(await copy(), {
    fetch: web,
    translator: mute,
    onError: (error) => errors.push(error),
  });
  clock.now = cast.clock.now;
  clock.forward(1000);
  return { askWith, errors };
}

/** What was sent and what is read, where they have members in common. */
function common(sent: unknown, read: unknown, at = ""): [at: string, sent: unknown, read: unknown][] {
  if (typeof sent !== "object" || sent === null || typeof read !== "object" || read === null)
    return read === undefined || typeof read === "object" ? [] : [[at, sent, read]];
  return Object.entries(sent).flatMap(([name, value]) =>
    name in read ? common(value, (read as Record<string, unknown>)[name], `${at}.${name}`) : [],
  );
}

describe.each(taking.map(({ name, operation }) => [name, operation] as const))("%s", (name, operation) => {
  test("the largest that it takes is no failure of the server", async () => {
    const { ask: route, send } = rows[name]!;
    const declared = openapi.paths[`${operation.path.replace(/:(\w+)\+?/g, "{$1}")}`];
    const responses = declared[operation.method.toLowerCase()].responses;
    const seen = new Set<string>();
    const wrong: string[] = [];
    for (const alphabet of Object.keys(alphabets) as Alphabet[]) {
      const deep = alphabet === "wide" ? deepBodies(operation, send) : [];
      for (const [told, body] of [...deep, ...bodies(operation, send, alphabet)]) {
        const text = textOf(body);
        // What is very long takes long: once is enough.
        if (seen.has(text) || (text.length > 500_000 && alphabet !== "wide")) continue;
        seen.add(text);
        const { askWith, errors } = await stage();
        const token = cast.tokens[allowedPerson(rows[name]!)];
        const answer = await askWith(token, route, text);
        const said = JSON.stringify(answer.body)?.slice(0, 400);
        const found = [
          ...errors.map((error) => `${error}`),
          ...(answer.status === 500 || !(answer.status in responses) ? ["it is no answer"] : []),
          ...(answer.status < 300 && !operation.spec.isQuestion
            ? await readBack(answer, route, body, (at) => askWith(token, at))
            : []),
        ];
        wrong.push(...found.map((it) => `${told}: ${text.length} characters, ${answer.status} ${said}: ${it}`));
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size, "nothing was sent").toBeGreaterThan(0);
  });
});

/** Where what is read differs from what was sent. */
async function readBack(
  answer: Answer,
  route: string,
  body: unknown,
  ask: (route: string) => Promise<Answer>,
): Promise<string[]> {
  const location = answer.headers.get("location");
  const path = location ? new URL(location).pathname : route.split(" ")[1]!.split("?")[0]!;
  if (!operationAt(`GET ${path}`)) return [];
  const read = await ask(`GET ${path}`);
  if (read.status !== 200) return [`GET ${path} is ${read.status}`];
  return common(body, read.body)
    .filter(([, sent, found]) => typeof sent === typeof found && sent !== found)
    .map(
      ([at, sent, found]) => `${at} reads ${String(found).slice(0, 50)} where ${String(sent).slice(0, 50)} was sent`,
    );
}
