// A large JSON text, parsed and written in steps: at once, ten megabytes would hold up everything else.

/** Parts up to this length are parsed at once. */
const AT_ONCE = 64 * 1024;

/** Parts inside each other that are longer than that. Each is looked through to find where it ends, so what is deeper still is
 * parsed at once: no text that people write has so many. */
const MOST_INSIDE = 50;

/** What `JSON.parse` gives of a text, and throws where that does. Parts of up to `limit` characters, at least two, are one
 * step. */
export function* parseJsonInSteps(text: string, most = AT_ONCE): Generator<void, unknown> {
  const { value, end } = yield* valueAt(text, afterSpace(text, 0), { most, inside: 0 });
  if (afterSpace(text, end) < text.length) throw noJson();
  return value;
}

/** Values inside one another that are written at once. */
const VALUES_AT_ONCE = 2000;

/** What `JSON.stringify` gives of plain data: lists, objects, texts, numbers, true, false and null. What holds up to `limit`
 * values is written at once; of smaller ones, about `AT_ONCE` characters are one step. */
export function* stringifyJsonInSteps(value: unknown, most = VALUES_AT_ONCE): Generator<void, string> {
  if (!isHolder(value) || roomAfter(value, most) >= 0) return JSON.stringify(value);
  yield;
  const isList = Array.isArray(value);
  const parts: string[] = [];
  let length = 0;
  for (const [name, inside] of Object.entries(value)) {
    if (!isList && inside === undefined) continue;
    const text = yield* stringifyJsonInSteps(inside ?? null, most);
    parts.push(isList ? text : `${JSON.stringify(name)}:${text}`);
    length += text.length;
    if (length < AT_ONCE) continue;
    yield;
    length = 0;
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`;
}

function isHolder(value: unknown): value is object {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "toJSON") !== "function";
}

/** How many more values would fit beside one, if so many do; less than none if it has more of them. It looks no further then. */
function roomAfter(value: unknown, most: number): number {
  let room = most - 1;
  if (!isHolder(value)) return room;
  const values = Array.isArray(value) ? value : Object.values(value);
  for (let at = 0; at < values.length && room >= 0; at++) room = roomAfter(values[at], room);
  return room;
}

interface Parsed {
  readonly value: unknown;
  /** The position behind it. */
  readonly end: number;
}

/** The longest part that is parsed at once, and how many parts a part is in. */
interface Parts {
  readonly most: number;
  readonly inside: number;
}

function* valueAt(text: string, start: number, { most, inside }: Parts): Generator<void, Parsed> {
  const end = endOf(text, start, inside < MOST_INSIDE ? most : Number.POSITIVE_INFINITY);
  if (end !== undefined) {
    yield;
    return { value: JSON.parse(text.slice(start, end)), end };
  }
  if (text[start] === '"') return yield* stringAt(text, start, most);
  const parts = { most, inside: inside + 1 };
  return text[start] === "{" ? yield* objectAt(text, start, parts) : yield* listAt(text, start, parts);
}

function* stringAt(text: string, start: number, most: number): Generator<void, Parsed> {
  const pieces: string[] = [];
  for (let from = start + 1; ; ) {
    const to = endOfPiece(text, from, most);
    pieces.push(JSON.parse(`"${text.slice(from, to)}"`));
    if (text[to] === '"') return { value: pieces.join(""), end: to + 1 };
    from = to;
    yield;
  }
}

/** Where a string ends that goes on at a position; else a position further on that is in no escape. */
function endOfPiece(text: string, from: number, most: number): number {
  for (let at = from; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE || at - from >= most) return at;
    if (code !== BACKSLASH) at++;
    else at += text[at + 1] === "u" ? 6 : 2;
  }
  throw noJson();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function* listAt(text: string, start: number, parts: Parts): Generator<void, Parsed> {
  const items: unknown[] = [];
  let at = afterSpace(text, start + 1);
  if (text[at] === "]") return { value: items, end: at + 1 };
  for (;;) {
    const { value, end } = yield* valueAt(text, at, parts);
    items.push(value);
    const sign = afterSpace(text, end);
    if (text[sign] === "]") return { value: items, end: sign + 1 };
    if (text[sign] !== ",") throw noJson();
    at = afterSpace(text, sign + 1);
  }
}

function* objectAt(text: string, start: number, parts: Parts): Generator<void, Parsed> {
  const members: [string, unknown][] = [];
  let at = afterSpace(text, start + 1);
  if (text[at] === "}") return { value: {}, end: at + 1 };
  for (;;) {
    if (text[at] !== '"') throw noJson();
    const nameEnd = endOfString(text, at, text.length)!;
    const colon = afterSpace(text, nameEnd);
    if (text[colon] !== ":") throw noJson();
    const { value, end } = yield* valueAt(text, afterSpace(text, colon + 1), parts);
    members.push([JSON.parse(text.slice(at, nameEnd)), value]);
    const sign = afterSpace(text, end);
    // A member may be called `__proto__`: so no member is assigned.
    if (text[sign] === "}") return { value: Object.fromEntries(members), end: sign + 1 };
    if (text[sign] !== ",") throw noJson();
    at = afterSpace(text, sign + 1);
  }
}

const MARKS = /["{}[\],]/g;

/** Where a value ends, with space behind it perhaps; undefined when it is a list or an object of more than so many
 * characters, or a string. */
function endOf(text: string, start: number, most: number): number | undefined {
  if (text[start] === '"') return undefined;
  let depth = 0;
  MARKS.lastIndex = start;
  for (let mark = MARKS.exec(text); mark; mark = MARKS.exec(text)) {
    const { 0: sign, index } = mark;
    if (depth > 0 && index - start >= most) return undefined;
    if (sign === '"') {
      const end = endOfString(text, index, start + most);
      if (end === undefined) return undefined;
      MARKS.lastIndex = end;
    } else if (sign === "{" || sign === "[") depth++;
    else if (depth === 0) return index;
    else if (sign !== "," && --depth === 0) return index + 1;
  }
  return text.length;
}

/** The position behind a string; undefined where it goes on beyond a limit. */
function endOfString(text: string, start: number, limit: number): number | undefined {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) throw noJson();
    if (end > limit) return undefined;
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end + 1;
    at = end + 1;
  }
}

const SPACE = /[ \t\n\r]*/y;

/** The position behind space, if there is any. */
function afterSpace(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
  SPACE.lastIndex = at;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function noJson(): SyntaxError {
  return new SyntaxError("The text is no JSON.");
}
