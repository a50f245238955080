// Random invalid requests: a valid one of each operation, with some parts replaced by values that are nearly right, of
// another type, of another user, or missing. The same seed gives the same requests.

import fc from "fast-check";
import type { RegisteredOperation } from "../../../src/execution/kernel";
import type { Example } from "../../invariants/examples";

/** A request, ready to be sent and to be printed. */
export interface FuzzRequest {
  readonly operation: string;
  /** The name of a caller; undefined: without a token. */
  readonly as: string | undefined;
  readonly method: string;
  /** A path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body: text, or bytes as a list of numbers. */
  readonly body: string | readonly number[] | undefined;
}

/** What requests are made of. */
export interface Supply {
  readonly table: readonly RegisteredOperation[];
  readonly rows: Readonly<Record<string, Example>>;
  readonly callers: readonly string[];
  /** Ids and other words that mean something to the API. */
  readonly words: readonly string[];
}

const LONE = "\ud800";
const odd = [
  "",
  " ",
  "0",
  "-1",
  "null",
  "[object Object]",
  "__proto__",
  "constructor",
  "..",
  "a/b",
  "é",
  "e\u0301",
  "\u202e\u0000\u0007",
  "😀".repeat(20),
  "x".repeat(3000),
  "%",
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "2026-02-30T25:61:00Z",
  "https://example.com/\u0000",
  "javascript:alert(1)",
];

/** One of these in so many draws, else nothing. */
const sometimes = <T>(part: fc.Arbitrary<T>, oneIn: number) =>
  fc.oneof({ arbitrary: part, weight: 1 }, { arbitrary: fc.constant(undefined), weight: oneIn - 1 });

/** Draws requests for every operation alike. */
export function requestsFrom({ table, rows, callers, words }: Supply): fc.Arbitrary<FuzzRequest> {
  const word = fc.oneof(
    { arbitrary: fc.constantFrom(...words), weight: 3 },
    { arbitrary: fc.constantFrom(...odd), weight: 2 },
    { arbitrary: fc.string({ unit: "binary", maxLength: 12 }), weight: 1 },
  );
  const value: fc.Arbitrary<unknown> = fc.oneof(
    word,
    fc.constantFrom(null, true, false, 0, -0, 1, -1, 0.1, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, LONE),
    fc.constantFrom([], {}, [[]], [null], { id: null }, [1, "a", {}], Array(60).fill(0)),
    fc.jsonValue({ maxDepth: 2 }),
  );
  const header = fc.oneof(
    fc.constantFrom("*", '"a"', 'W/"a"', '"a", "b"', "a", '"', "~".repeat(300), '"a~b"', ""),
    fc.stringMatching(/^[\x21-\x7e]{0,20}$/),
  );
  const headers = fc.record(
    {
      "if-match": sometimes(header, 6),
      "if-none-match": sometimes(fc.oneof(header, fc.constant("*")), 6),
      "idempotency-key": sometimes(fc.oneof(fc.constantFrom("one", "two", "", "k".repeat(300)), header), 5),
      accept: sometimes(fc.constantFrom("text/html", "application/json;q=0", "*/*", "nonsense", ""), 6),
      range: sometimes(
        fc.constantFrom("bytes=0-0", "bytes=5-", "bytes=-1", "bytes=9-1", "pages=1", "bytes=0-0,2-3"),
        6,
      ),
      "content-type": sometimes(
        fc.constantFrom(
          "application/json; charset=latin1",
          "text/plain",
          "APPLICATION/JSON",
          "a",
          "multipart/form-data",
        ),
        8,
      ),
      "content-length": sometimes(fc.constantFrom("0", "-1", "99999999999", "x"), 40),
      "x-request-id": sometimes(fc.constantFrom("mine", "not mine!", "x".repeat(100)), 20),
      origin: sometimes(fc.constantFrom("https://example.com", "null"), 12),
    },
    { noNullPrototype: true },
  );
  const method = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  return fc.constantFrom(...table).chain((named) => {
    const { ask, send } = rows[named.name]!;
    const [verb, path] = ask.split(" ") as [string, string];
    return fc
      .record({
        as: fc.constantFrom(undefined, ...callers),
        isAdmin: fc.nat(2).map((n) => n === 0),
        method: fc.oneof(
          { arbitrary: fc.constant(verb), weight: 30 },
          { arbitrary: fc.constant(verb === "GET" ? "HEAD" : verb), weight: 2 },
          { arbitrary: method, weight: 1 },
        ),
        path: pathFrom(path, word),
        query: queryFrom(named, value),
        headers,
        body: bodyFrom(send, value),
      })
      .map(({ as, isAdmin, method, path, query, headers, body }) => ({
        operation: named.name,
        as: isAdmin ? "admin" : as,
        method,
        path: `${path}${query === "" ? "" : `${path.includes("?") ? "&" : "?"}${query}`}`,
        headers: Object.fromEntries(
          Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined),
        ),
        body: method === "GET" || method === "HEAD" ? undefined : body,
      }));
  });
}

/** The path as it is, or with one of its segments replaced. */
function pathFrom(path: string, word: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const [bare, query] = path.split("?") as [string, string | undefined];
  const segments = bare.split("/");
  const replaced = fc.tuple(fc.integer({ min: 2, max: Math.max(2, segments.length - 1) }), word).map(([at, text]) => {
    const encoded = text === "%" ? "%" : encodeURIComponent(text.replace(/\p{Cs}/gu, "?"));
    return segments.with(Math.min(at, segments.length - 1), encoded).join("/");
  });
  const all = fc.oneof({ arbitrary: fc.constant(bare), weight: 4 }, { arbitrary: replaced, weight: 1 });
  return all.map((it) => (query === undefined ? it : `${it}?${query}`));
}

/** A query of names that the operation knows, and now and then one that it does not, which ends the request early. */
function queryFrom({ definition: operation }: RegisteredOperation, value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const { query = {}, list } = operation.spec;
  const known = [...Object.keys(query), ...(list ? ["page", "limit"] : [])];
  const strange = { arbitrary: fc.constantFrom("nothing", "page", "authors[]"), weight: 1 };
  const name =
    known.length === 0 ? strange.arbitrary : fc.oneof(strange, { arbitrary: fc.constantFrom(...known), weight: 9 });
  const text = value.map((it) => (typeof it === "string" ? it : JSON.stringify(it)));
  const one = fc.tuple(name, fc.oneof(text, fc.constantFrom("1", "1000", "true", "name", "desc")));
  return fc.oneof(
    { arbitrary: fc.constant(""), weight: known.length === 0 ? 20 : 3 },
    {
      arbitrary: fc
        .array(one, { minLength: 1, maxLength: 3 })
        .map((pairs) =>
          pairs
            .map(([name, it]) => `${name}=${encodeURIComponent(it.replace(/\p{Cs}/gu, "?")).slice(0, 4000)}`)
            .join("&"),
        ),
      weight: 2,
    },
  );
}

/** The body as it is, mutated, of another kind, or broken. */
function bodyFrom(send: unknown, value: fc.Arbitrary<unknown>): fc.Arbitrary<FuzzRequest["body"]> {
  const good = send === undefined ? undefined : JSON.stringify(send);
  const places = placesIn(send);
  const mutation = fc.record({
    at: fc.nat({ max: Math.max(0, places.length - 1) }),
    how: fc.constantFrom("replace", "replace", "replace", "delete", "add", "wrap"),
    value,
  });
  const mutated = fc.array(mutation, { minLength: 1, maxLength: 2 }).map((mutations) => {
    let changed = structuredClone(send);
    for (const { at, how, value } of mutations) changed = mutate(changed, places[at] ?? [], how, value);
    return JSON.stringify(changed);
  });
  const broken = fc.constantFrom<FuzzRequest["body"]>(
    "",
    "{",
    "null",
    "[]",
    '"text"',
    "1e999",
    '{"a":1,"a":2}',
    `${"[".repeat(3000)}${"]".repeat(3000)}`,
    `${'{"a":'.repeat(500)}1${"}".repeat(500)}`,
    '{"__proto__":{"x":1}}',
    [0xff, 0xfe, 0x7b, 0x7d],
    [0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d],
    [0xef, 0xbb, 0xbf, 0x7b, 0x7d],
    ...(good === undefined ? [] : [good.slice(0, -1), `${good}${good}`, good.replace("{", '{"title":1,"title":"a",')]),
  );
  return fc.oneof(
    { arbitrary: fc.constant<FuzzRequest["body"]>(good), weight: 3 },
    { arbitrary: mutated, weight: send === undefined ? 0 : 6 },
    { arbitrary: value.map((it) => JSON.stringify(it)), weight: 1 },
    { arbitrary: broken, weight: 1 },
  );
}

type Place = readonly (string | number)[];

/** The paths of all values inside of a value. */
function placesIn(value: unknown, at: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [at];
  const inside = Object.entries(value).flatMap(([name, it]) =>
    placesIn(it, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return [at, ...inside];
}

function mutate(value: unknown, [first, ...rest]: Place, how: string, by: unknown): unknown {
  if (first === undefined) {
    if (how === "wrap") return [value];
    if (how === "add" && typeof value === "object" && value !== null && !Array.isArray(value))
      return { ...value, [typeof by === "string" && by !== "__proto__" ? by.slice(0, 40) : "unknown"]: by };
    return how === "delete" ? undefined : by;
  }
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string | number, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  const inner = mutate(copy[first], rest, how, by);
  if (inner === undefined) delete copy[first];
  else copy[first] = inner;
  return copy;
}
