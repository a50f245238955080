// A large JSON text, parsed in steps: at once, ten megabytes would hold up everything else.

/** Parts up to this length are parsed at once. */
const AT_ONCE = 64 * 1024;

/** What `JSON.parse` gives of a text that was written by `JSON.stringify`. Parts of up to
 * `most` characters, at least two, are one step. */
export function* parseInSteps(text: string, most = AT_ONCE): Generator<void, unknown> {
  return (yield* valueAt(text, 0, most)).value;
}

interface Parsed {
  readonly value: unknown;
  /** The position behind it. */
  readonly end: number;
}

function* valueAt(text: string, start: number, most: number): Generator<void, Parsed> {
  const end = endOf(text, start, most);
  if (end !== undefined) {
    yield;
    return { value: JSON.parse(text.slice(start, end)), end };
  }
  return text[start] === "{" ? yield* objectAt(text, start, most) : yield* listAt(text, start, most);
}

function* listAt(text: string, start: number, most: number): Generator<void, Parsed> {
  const items: unknown[] = [];
  for (let at = start + 1; ; ) {
    const { value, end } = yield* valueAt(text, at, most);
    items.push(value);
    if (text[end] !== ",") return { value: items, end: end + 1 };
    at = end + 1;
  }
}

function* objectAt(text: string, start: number, most: number): Generator<void, Parsed> {
  const members: [string, unknown][] = [];
  for (let at = start + 1; ; ) {
    const nameEnd = endOfString(text, at);
    const { value, end } = yield* valueAt(text, nameEnd + 1, most);
    members.push([JSON.parse(text.slice(at, nameEnd)), value]);
    // A member may be called `__proto__`: so no member is assigned.
    if (text[end] !== ",") return { value: Object.fromEntries(members), end: end + 1 };
    at = end + 1;
  }
}

const MARKS = /["{}[\],]/g;

/** Where a value ends; undefined when it is a list or an object of more than so many characters. */
function endOf(text: string, start: number, most: number): number | undefined {
  if (text[start] === '"') return endOfString(text, start);
  let depth = 0;
  MARKS.lastIndex = start;
  for (let mark = MARKS.exec(text); mark; mark = MARKS.exec(text)) {
    const { 0: sign, index } = mark;
    if (depth > 0 && index - start >= most) return undefined;
    if (sign === '"') MARKS.lastIndex = endOfString(text, index);
    else if (sign === "{" || sign === "[") depth++;
    else if (depth === 0) return index;
    else if (sign !== "," && --depth === 0) return index + 1;
  }
  return text.length;
}

/** The position behind a string. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    let before = end;
    while (text[before - 1] === "\\") before--;
    if ((end - before) % 2 === 0) return end + 1;
    at = end + 1;
  }
}
