// The largest values that shapes allow, made from the shapes themselves: texts at their longest, lists and records at their
// fullest, what is free as deep and as wide as it comes. Ids are those of things that are there.

import * as v from "valibot";
import { Id } from "../../src/operation/common-schemas";

type Shape = v.GenericSchema & {
  readonly pipe?: readonly unknown[];
  readonly entries?: Readonly<Record<string, Shape>>;
  readonly wrapped?: Shape;
  readonly item?: Shape;
  readonly items?: readonly Shape[];
  readonly key?: Shape;
  readonly value?: Shape;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly rest?: Shape;
  readonly getter?: (input: unknown) => Shape;
};

/** What texts are made of: characters of three bytes, of four, and such that JSON writes with six. */
export const alphabets = { wide: "漢", astral: "\u{1F600}", escaped: "\u0001" } as const;
export type Alphabet = keyof typeof alphabets;

/** How a value is made. */
export interface Making {
  readonly alphabet: Alphabet;
  /** Which of the forms that a shape has, where there are several. */
  readonly form: number;
  /** Of the length of lists and records: a check of its own may allow less than all lists full. */
  readonly share: number;
  /** Ids of things that are there, by their beginning. */
  readonly ids: ReadonlyMap<string, readonly string[]>;
  /** Ids by the member that they stand in, where the example has none. */
  readonly named: Readonly<Record<string, unknown>>;
  /** Whether what is made as something good was made before is taken to be good: what it is a part of is checked. */
  readonly trusts?: boolean;
}

/** Where a shape sets no bound, this is what is sent. */
const UNBOUNDED = { characters: 100_000, items: 3000, depth: 4000 };

/** Lists of large things end here: a body that is larger is refused as a whole. */
const MAX_CHARACTERS = 1_000_000;

/** No value: the member is left out, or the example's stays. */
export const nothing = Symbol("nothing");

/** What has a size of its own to give up, and how much of it is kept until a check of the shape is content. */
const SIZED = ["array", "record"];
const SHARES = [1, 0.1, 0.01, 0.001, 0.0001];

/** Objects with more members that may be left out have none that exclude each other. */
const FEW = 5;

/** How a value of a shape was made that is good: the share of its length, and the member that was left out. */
interface Way {
  readonly part: number;
  readonly left?: string;
}
/** The ways of shapes; none where nothing good could be made. */
const ways = new WeakMap<Shape, Map<string, Way | undefined>>();

/** The largest value of a shape; `example` is one that is good. */
export function largest(shape: Shape, example: unknown, making: Making, nth = 0): unknown {
  const known = ways.get(shape) ?? ways.set(shape, new Map()).get(shape)!;
  const key = `${making.alphabet} ${making.form} ${making.share} ${example === undefined}`;
  const way = making.trusts ? known.get(key) : undefined;
  if (way) return along(way, make(shape, example, { ...making, share: making.share * way.part }, nth));
  const shares = making.trusts && known.has(key) ? [] : SIZED.includes(shape.type) ? SHARES : [1];
  for (const part of shares) {
    const made = make(shape, example, { ...making, share: making.share * part }, nth);
    if (made === nothing) continue;
    const good = waysFor(shape, part).find((it) => isGood(shape, along(it, made)));
    if (!good) continue;
    known.set(key, good);
    return along(good, made);
  }
  known.set(key, undefined);
  if (example !== undefined && isGood(shape, example)) return example;
  return nothing;
}

/** With all members, and without one of them each: two of them may exclude each other. */
function waysFor({ entries = {} }: Shape, part: number): Way[] {
  const names = Object.keys(entries).filter((name) => entries[name]!.type === "optional");
  return [{ part }, ...(names.length > FEW ? [] : names).map((left) => ({ part, left }))];
}

function along({ left }: Way, made: unknown): unknown {
  if (left === undefined || made === nothing) return made;
  return Object.fromEntries(Object.entries(made as object).filter(([name]) => name !== left));
}

function isGood(shape: Shape, value: unknown): boolean {
  return v.safeParse(shape, value, { abortPipeEarly: true }).success;
}

function make(shape: Shape, example: unknown, making: Making, nth: number): unknown {
  if (shape === (Id as unknown)) return idLike(example, making, nth);
  switch (shape.type) {
    case "optional":
    case "nullable":
    case "nullish":
    case "exact_optional":
    case "non_optional":
      return largest(shape.wrapped!, example ?? undefined, making, nth);
    case "lazy":
      return largest(shape.getter!(undefined), example, making, nth);
    case "string":
      return longest(shape, example, making, nth);
    case "number":
      return (
        [Number.MAX_SAFE_INTEGER, 1e308, 1_000_000, 1000, 100, 10, 1, 0].find((it) => isGood(shape, it)) ?? nothing
      );
    case "boolean":
      return true;
    case "literal":
      return shape.literal;
    case "picklist": {
      const all = shape.options as readonly string[];
      return all[nth % all.length];
    }
    case "union":
    case "variant":
      return oneForm(shape, example, making, nth);
    case "array":
      return fullest(shape, example, making);
    case "record":
      return quickly(shape, making, (it) => fullRecord(shape, it));
    case "object":
    case "strict_object":
    case "loose_object":
    case "object_with_rest":
      return members(shape, example, making, nth);
    case "unknown":
    case "any":
      return free(making);
    default:
      throw new Error(`There is no largest value of ${shape.type}`);
  }
}

function idLike(example: unknown, { ids }: Making, nth: number): unknown {
  if (typeof example !== "string") return nothing;
  const known = ids.get(example.split("_")[0]!) ?? [];
  return nth === 0 || known.length === 0 ? example : known[nth % known.length];
}

const bounds = new WeakMap<Shape, Map<string, number | undefined>>();

function bound(shape: Shape, ...kinds: string[]): number | undefined {
  const known = bounds.get(shape) ?? bounds.set(shape, new Map()).get(shape)!;
  const key = kinds.join();
  if (!known.has(key)) known.set(key, boundIn(shape, kinds));
  return known.get(key);
}

function boundIn(shape: Shape, kinds: readonly string[]): number | undefined {
  const all = [...(shape.pipe ?? [])] as {
    readonly type?: string;
    readonly requirement?: unknown;
    readonly pipe?: unknown[];
  }[];
  const inside = all.flatMap((it) => (it.pipe && it !== (shape as unknown) ? it.pipe : [it])) as typeof all;
  const found = inside.filter((it) => kinds.includes(it.type ?? "")).map((it) => it.requirement as number);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** The form of text that a shape took before: it is tried first. */
const known = new WeakMap<Shape, Map<Alphabet, number>>();

/** The longest text; one that must have a form of its own is tried in several. */
function longest(shape: Shape, example: unknown, { alphabet, trusts }: Making, nth: number): unknown {
  const forms = formsOfText(shape, alphabet, String(nth));
  const taken = known.get(shape) ?? known.set(shape, new Map()).get(shape)!;
  const before = taken.get(alphabet);
  if (trusts && before !== undefined) return forms[before]!();
  const order = [before ?? 0, ...forms.keys()];
  const good = order.find((n) => isGood(shape, forms[n]!()));
  if (good === undefined) return example ?? nothing;
  taken.set(alphabet, good);
  return forms[good]!();
}

function formsOfText(shape: Shape, alphabet: Alphabet, tail: string): (() => string)[] {
  const points = bound(shape, "max_code_points");
  const units = bound(shape, "max_length", "length");
  const most = Math.min(points ?? units ?? UNBOUNDED.characters, units ?? points ?? UNBOUNDED.characters);
  const perLetter = points === undefined ? alphabets[alphabet].length : 1;
  const of = (letter: string, count: number) => letter.repeat(Math.max(0, Math.floor(count)));
  const long = (start: string) => () => start + of("a", most - start.length - tail.length) + tail;
  const short = [1000, 256, 128, 100, 64, 63, 50, 32, 20, 10].flatMap((size) =>
    [alphabets[alphabet], "a", "A", "1"].map((letter) => () => of(letter, size - tail.length) + tail),
  );
  return [
    () => of(alphabets[alphabet], (most - tail.length) / perLetter) + tail,
    long(""),
    long("https://example.com/"),
    long("/"),
    () => `${of("a", Math.min(60, most - 20))}${tail}@${of("b", 60)}.${of("c", 60)}.example`,
    () => `${of("a", 50)}${tail}.${of("b", 60)}.${of("c", 60)}.example`,
    long("#"),
    ...short,
    () => `a${tail}-${of("b", 40)}`,
    () => `a${tail}`,
    () => "#12345678",
    () => "#123456",
    () => "2030-01-01T00:00:00.000Z",
  ];
}

/** Forms that nothing could be made of: they are not tried again for every item of a list. */
const hopeless = new WeakMap<Shape, Set<string>>();

function oneForm(shape: Shape, example: unknown, making: Making, nth: number): unknown {
  const all = shape.options as readonly Shape[];
  const good = all.filter((it) => isGood(it, example));
  const ordered = [...all.slice(making.form % all.length), ...all.slice(0, making.form % all.length)];
  for (const it of ordered) {
    const given = good.includes(it) ? example : undefined;
    const key = `${making.alphabet} ${making.form} ${making.share}`;
    if (given === undefined && hopeless.get(it)?.has(key)) continue;
    const made = largest(it, given, making, nth);
    if (made !== nothing) return made;
    if (given === undefined) hopeless.set(it, (hopeless.get(it) ?? new Set()).add(key));
  }
  return nothing;
}

/** What is made of items that are checked one by one only where one of them turns out not to be good. */
function quickly(shape: Shape, making: Making, of: (making: Making) => unknown): unknown {
  const quick = of({ ...making, trusts: true });
  if (making.trusts) return quick;
  const { issues = [] } = v.safeParse(shape, quick, { abortPipeEarly: true });
  return issues.some(({ path = [] }) => path.length > 0) ? of(making) : quick;
}

const fullest = (shape: Shape, example: unknown, making: Making) =>
  quickly(shape, making, (it) => fullList(shape, example, it));

function fullList(shape: Shape, example: unknown, making: Making): unknown {
  const most = bound(shape, "max_length", "length") ?? UNBOUNDED.items;
  const first = Array.isArray(example) ? example : [];
  const made: unknown[] = [];
  let room = MAX_CHARACTERS;
  for (let n = 0; n < Math.max(1, Math.floor(most * making.share)) && room > 0; n++) {
    const it = largest(shape.item!, first[n % Math.max(1, first.length)], making, n);
    if (it === nothing) break;
    room -= JSON.stringify(it).length;
    made.push(it);
  }
  return made;
}

function fullRecord(shape: Shape, making: Making): unknown {
  const most = bound(shape, "max_entries") ?? UNBOUNDED.items;
  const made: [string, unknown][] = [];
  let room = MAX_CHARACTERS;
  for (let n = 0; n < Math.max(1, Math.floor(most * making.share)) && room > 0; n++) {
    const name = largest(shape.key!, undefined, making, n);
    const value = largest(shape.value!, undefined, making, n);
    if (typeof name !== "string" || value === nothing) break;
    room -= JSON.stringify(value).length + name.length;
    made.push([name, value]);
  }
  return Object.fromEntries(made);
}

function members(shape: Shape, example: unknown, making: Making, nth: number): unknown {
  const known = (typeof example === "object" && example !== null ? example : {}) as Record<string, unknown>;
  const made: [string, unknown][] = [];
  for (const [name, member] of Object.entries(shape.entries!)) {
    const value = largest(member, known[name] ?? making.named[name], making, nth);
    if (value !== nothing) made.push([name, value]);
  }
  if (shape.type === "loose_object" || shape.type === "object_with_rest") made.push(["more", free(making)]);
  return { ...known, ...Object.fromEntries(made) };
}

/** What stands where a shape says nothing. */
function free({ alphabet }: Making): unknown {
  return alphabets[alphabet].repeat(2000);
}

/** Stands for something so deep that the test itself could not write it as JSON. */
export const DEEP = "at the bottom";

/** A body as it is sent. */
export function textOf(body: unknown): string {
  const half = UNBOUNDED.depth / 2;
  const deep = `${'{"in":['.repeat(half)}0${"]}".repeat(half)}`;
  return JSON.stringify(body).replaceAll(JSON.stringify(DEEP), deep);
}
