// Merges two random histories of one content: nothing of either side is lost, a side without changes has no effect,
// both directions give the same result, and derived data equals a new derivation.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MergeConflict } from "../../../src/content/merge";
import type { MapRoot } from "../../../src/content/prolly-tree";
import type { BatchChange } from "../../../src/content/revision/changes";
import type { PageEntry } from "../../../src/content/revision/entries";
import { BatchError } from "../../../src/content/revision/errors";
import { runs } from "../../support/test-length";
import { flawsOf, Space } from "./merge-space";

const some = <T>(items: readonly T[]) => fc.constantFrom(...items);
const step = fc.record({
  does: some<string>([
    ...["insert", "insert", "insert", "group", "link", "fields", "fields", "slug", "title", "edit", "edit", "edit"],
    ...[
      "move",
      "move",
      "move",
      "order",
      "delete",
      "file",
      "unfile",
      "cover",
      "variables",
      "reusable",
      "rewrite",
      "unreuse",
    ],
  ]),
  page: fc.nat({ max: 99 }),
  other: fc.nat({ max: 99 }),
  at: fc.nat({ max: 4 }),
  kind: fc.nat({ max: 5 }),
});
type Step = typeof step extends fc.Arbitrary<infer It> ? It : never;
const script = fc.array(step, { minLength: 3, maxLength: 12 });

/** One side at work: what it brings is named after it. */
class Writer {
  #n = 0;
  constructor(
    readonly space: Space,
    readonly name: string,
  ) {}

  /** A word that nobody else writes. */
  #word(): string {
    return `${this.name}${String(++this.#n).padStart(3, "0")}`;
  }

  async write(root: MapRoot, steps: readonly Step[]): Promise<MapRoot> {
    let at = root;
    for (const step of steps) {
      const change = await this.#changeFor(at, step);
      if (!change) continue;
      try {
        at = await this.space.change(at, [change], [this.#word()]);
      } catch (error) {
        if (!(error instanceof BatchError)) throw error;
      }
    }
    return at;
  }

  async #changeFor(root: MapRoot, step: Step): Promise<BatchChange | undefined> {
    const entries = await this.space.entries(root);
    const ids = (prefix: string) =>
      [...entries.keys()].filter((key) => key.startsWith(prefix)).map((key) => key.slice(2));
    const pages = ids("p/");
    // The first ones are those of the base: both sides shall get at them.
    const page = pages[step.page % Math.max(Math.min(pages.length, step.kind < 5 ? 5 : 99), 1)];
    const into = [null, ...pages][step.other % (pages.length + 1)]!;
    const [file, reusable] = [ids("f/"), ids("r/")].map((of) => of[step.other % Math.max(of.length, 1)]);
    const title = ["Guide", "Setup", "More"][step.kind % 3]!;
    const text = async (id: string) => (await this.space.textOf(root, id)) ?? "";
    const isText = page !== undefined && (entries.get(`p/${page}`) as PageEntry).type === "document";
    switch (step.does) {
      case "insert":
        return { operation: "insert_page", title, into, at: step.at, document: { markdown: this.#fresh(step, page) } };
      case "group":
        return { operation: "insert_group", title, at: step.at };
      case "link":
        return { operation: "insert_link", title, into, target: { kind: "url", url: "https://example.com/" } };
      case "file":
        return { operation: "insert_files", files: [{ name: "a.txt", bytes: new TextEncoder().encode(this.#word()) }] };
      case "variables":
        return {
          operation: "set_variables",
          variables: { [`v${step.page % 3}`]: step.kind === 0 ? null : this.#word() },
        };
      case "reusable":
        return { operation: "insert_reusable_content", title, document: { markdown: this.#fresh(step, page) } };
      case "unfile":
        return file ? { operation: "delete_files", files: [file] } : undefined;
      case "unreuse":
        return reusable ? { operation: "delete_reusable_content", reusableContent: reusable } : undefined;
      case "rewrite": {
        if (!reusable) return undefined;
        const { body } = entries.get(`r/${reusable}`) as { body: string };
        const markdown = this.#edited(await this.space.text(body), step, page);
        return { operation: "update_reusable_content", reusableContent: reusable, title, document: { markdown } };
      }
    }
    if (page === undefined) return undefined;
    switch (step.does) {
      case "fields":
        return { operation: "update_page", page, ...this.#fields(step) };
      case "title":
        return { operation: "update_page", page, title: this.#word(), description: this.#word() };
      case "slug":
        return { operation: "update_page", page, slug: ["guide", "setup", "x"][step.kind % 3]! };
      case "cover":
        return file && isText ? { operation: "update_page", page, cover: { ref: { kind: "file", file } } } : undefined;
      case "edit": {
        if (!isText) return undefined;
        const link = file && step.kind === 3 ? `/files/${file}` : undefined;
        return {
          operation: "update_page",
          page,
          document: { markdown: this.#edited(await text(page), step, into, link) },
        };
      }
      case "move":
        return { operation: "move_page", page, into, at: step.at };
      case "order":
        return { operation: "move_page", page, at: step.at };
      case "delete":
        return step.kind < 2 ? { operation: "delete_page", page } : undefined;
    }
    return undefined;
  }

  #fields({ kind }: Step): object {
    const word = this.#word();
    const ways = [
      { icon: word },
      { emoji: null, hidden: true },
      { description: word, hidden: false },
      { layout: { width: "wide", outline: false } },
      { layout: { outline: true }, variables: { [`x${word.length % 2}`]: word } },
      { variables: { a: word } },
    ];
    return ways[kind]!;
  }

  #fresh({ kind }: Step, linked: string | null | undefined): string {
    const front = kind === 1 ? `---\ndescription: ${this.#word()}\n---\n\n` : "";
    const title = kind % 2 === 0 ? `# ${this.#word()}\n\n` : "";
    const link = linked ? `[${this.#word()}](/pages/${linked})\n\n` : "";
    return `${front}${title}${this.#word()}\n\n* ${this.#word()}\n* ${this.#word()}\n\n${link}## ${this.#word()}\n`;
  }

  /** A text with a block more, less or changed. */
  #edited(text: string, { kind, page, at }: Step, linked: string | null | undefined, href?: string): string {
    const blocks = text.trimEnd().split("\n\n");
    const n = (page + at) % (blocks.length + 1);
    const link = href ?? (linked ? `/pages/${linked}` : "./guide.md");
    if (kind === 0) blocks.splice(n, 0, this.#word());
    else if (kind === 1 && blocks.length > 1 && !blocks[n]?.startsWith("---")) blocks.splice(n, 1);
    else if (kind === 2) blocks.push(`## ${this.#word()}`);
    else if (kind === 3) blocks.splice(Math.max(n, 1), 0, `[${this.#word()}](${link})`);
    else if (kind === 4) blocks[n % blocks.length] += ` ${this.#word()}`;
    else if (!blocks[0]!.startsWith("#"))
      blocks.unshift(blocks[0]!.startsWith("---") ? this.#word() : `# ${this.#word()}`);
    return `${blocks.join("\n\n")}\n`;
  }
}

interface Sides {
  readonly space: Space;
  readonly base: MapRoot;
  readonly ours: MapRoot;
  readonly theirs: MapRoot;
}

const growth = fc
  .array(step, { minLength: 3, maxLength: 7 })
  .map((steps) => steps.map((it) => ({ ...it, does: "insert" })));
const scripts = fc.record({
  base: fc.tuple(growth, script).map((parts) => parts.flat()),
  ours: script,
  theirs: script,
});

async function sidesOf(plan: { readonly [side in "base" | "ours" | "theirs"]: readonly Step[] }): Promise<Sides> {
  const space = new Space();
  const base = await new Writer(space, "b").write(null, plan.base);
  const ours = await new Writer(space, "o").write(base, plan.ours);
  const theirs = await new Writer(space, "t").write(base, plan.theirs);
  return { space, base, ours, theirs };
}

type Entered = Record<string, Record<string, unknown>>;
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const wordsIn = (text: unknown) => new Set(String(text).match(/\b[bot]\d{3}\b/g) ?? []);
const numberless = (text: unknown) => String(text).replace(/(-\d+)+(?=\.|$)/, "");

/** What of a side is neither in the result nor in a conflict. */
async function lostOf(
  side: "ours" | "theirs",
  sides: Sides,
  root: MapRoot,
  conflicts: readonly MergeConflict[],
): Promise<string[]> {
  const { space } = sides;
  const [base, own, result] = (await Promise.all([sides.base, sides[side], root].map((it) => space.entered(it)))) as [
    Entered,
    Entered,
    Entered,
  ];
  const lost: string[] = [];
  for (const key of new Set([...Object.keys(base), ...Object.keys(own)])) {
    const [was, is, now] = [base[key], own[key], result[key]];
    if (same(was, is)) continue;
    const [prefix, id] = [key.slice(0, 2), key.slice(2)];
    const name = { "p/": "page", "f/": "file", "r/": "reusableContent", "v/": "variable" }[
      prefix
    ] as keyof MergeConflict;
    const told = conflicts.filter((it) => it[name] === id);
    const has = (...kinds: string[]) => told.some(({ kind }) => kinds.includes(kind));
    if (prefix === "v/") {
      if (!same(is, now) && !has("variable")) lost.push(key);
    } else if (!is) {
      if (now && !has("delete")) lost.push(`${key} is there`);
    } else if (!now) {
      const isOnlyMoved = was && same({ ...was, order: 0, updatedAt: 0 }, { ...is, order: 0, updatedAt: 0 });
      if (!isOnlyMoved) lost.push(`${key} is not there`);
    } else lost.push(...(await lostMembers(space, key, was ?? {}, is, now, told)));
  }
  return lost;
}

async function lostMembers(
  space: Space,
  key: string,
  was: Record<string, unknown>,
  is: Record<string, unknown>,
  now: Record<string, unknown>,
  told: readonly MergeConflict[],
): Promise<string[]> {
  const lost: string[] = [];
  const isTold = (member: string) =>
    told.some((it) => it.kind === "text" || it.member === member || it.member?.startsWith(`${member}.`));
  for (const member of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (["order", "updatedAt", "createdAt", "stated"].includes(member) || same(was[member], is[member])) continue;
    const [before, mine, result] = [was[member], is[member], now[member]];
    if (member === "body") {
      const found = wordsIn(await space.text(result as string));
      const inConflict = wordsIn(told.flatMap((it) => [it.theirs, it.ours, it.base]).join(" "));
      const old = wordsIn(before ? await space.text(before as string) : "");
      for (const word of wordsIn(await space.text(mine as string)))
        if (!old.has(word) && !found.has(word) && !inConflict.has(word)) lost.push(`${key} ${word}`);
    } else if (member === "layout" || member === "variables") {
      const parts = [before, mine, result].map((it) => (it ?? {}) as Record<string, unknown>);
      for (const part of new Set(parts.flatMap((it) => Object.keys(it)))) {
        const [a, b, c] = parts.map((it) => it[part]);
        if (!same(a, b) && !same(b, c) && !isTold(member)) lost.push(`${key} ${member}.${part}`);
      }
    } else if (member === "parent") {
      if (mine !== result && !told.some(({ kind }) => kind === "move" || kind === "cycle")) lost.push(`${key} parent`);
    } else if (member === "slug" || member === "path") {
      if (numberless(mine) !== numberless(result) && !isTold(member)) lost.push(`${key} ${member}`);
    } else if (!same(mine, result) && !isTold(member)) lost.push(`${key} ${member}: ${mine} but ${result}`);
  }
  return lost;
}

/** A content as it is the same whichever side is merged into the other, if there is no conflict. */
async function comparable({ space, base, ours, theirs }: Sides, root: MapRoot): Promise<unknown> {
  const entered = (await space.entered(root)) as Entered;
  const things: Record<string, unknown> = {};
  for (const [key, { order: _, updatedAt: __, ...entry }] of Object.entries(entered)) {
    things[key] = { ...entry, slug: numberless(entry.slug), path: numberless(entry.path) };
  }
  const [was, mine, yours] = (await Promise.all([base, ours, theirs].map((it) => space.entered(it)))) as Entered[];
  const isPut = (of: Entered, key: string) =>
    of[key] && (of[key].parent !== was![key]?.parent || of[key].order !== was![key]?.order);
  const view = space.view(root);
  const before: string[] = [];
  for (const parent of [
    null,
    ...Object.keys(entered)
      .filter((key) => key.startsWith("p/"))
      .map((key) => key.slice(2)),
  ]) {
    const ids = (await view.listChildIds(parent)).map(({ id }) => id);
    for (const [i, first] of ids.entries())
      for (const second of ids.slice(i + 1)) {
        const [a, b] = [`p/${first}`, `p/${second}`];
        const isTie = [a, b].some((it) => isPut(mine!, it)) && [a, b].some((it) => isPut(yours!, it));
        if (!isTie) before.push(`${first} before ${second}`);
      }
  }
  return { things, before: before.sort() };
}

describe("two random scripts", () => {
  test("two random edit scripts are merged without loss into a valid revision", async () => {
    const kinds = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(scripts, async (plan) => {
        const sides = await sidesOf(plan);
        const { space, base, ours, theirs } = sides;
        const { root, conflicts } = await space.merge(base, ours, theirs);
        expect(await flawsOf(space, root)).toEqual([]);
        expect(await lostOf("ours", sides, root, conflicts)).toEqual([]);
        expect(await lostOf("theirs", sides, root, conflicts)).toEqual([]);
        for (const { kind } of conflicts) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
        if (conflicts.length === 0) kinds.set("none", (kinds.get("none") ?? 0) + 1);
      }),
      { numRuns: runs(300) },
    );
    // A test that never meets a conflict, or nothing else, has looked at nothing.
    for (const kind of ["none", "field", "text", "move", "delete", "variable"])
      expect(kinds.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });

  test("a page that only gets another slug keeps its place among new pages", async () => {
    const insert = (at: number): Step => ({ does: "insert", page: 0, other: 0, at, kind: 0 });
    const sides = await sidesOf({
      base: [insert(0), insert(0), insert(0), insert(0), { ...insert(0), does: "move" }, insert(1)],
      ours: [insert(0), insert(0), { ...insert(0), does: "slug" }],
      theirs: [insert(0), insert(2), insert(0), insert(0), insert(0)],
    });
    const { space, base, ours, theirs } = sides;
    const [one, other] = [await space.merge(base, ours, theirs), await space.merge(base, theirs, ours)];
    expect(await comparable(sides, other.root)).toEqual(await comparable(sides, one.root));
  });

  test("without conflicts, merging in either direction gives the same result", async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (plan) => {
        const sides = await sidesOf(plan);
        const { space, base, ours, theirs } = sides;
        const one = await space.merge(base, ours, theirs);
        const other = await space.merge(base, theirs, ours);
        expect(other.conflicts.length === 0).toBe(one.conflicts.length === 0);
        if (one.conflicts.length > 0) return;
        expect(await comparable(sides, other.root)).toEqual(await comparable(sides, one.root));
      }),
      { numRuns: runs(200) },
    );
  });

  test("merging changes nothing if the other side did nothing", async () => {
    await fc.assert(
      fc.asyncProperty(scripts, async (plan) => {
        const { space, base, ours } = await sidesOf({ ...plan, theirs: [] });
        expect(await space.merge(base, base, ours)).toEqual({ root: ours, conflicts: [] });
        expect(await space.merge(base, ours, base)).toEqual({ root: ours, conflicts: [] });
        expect(await space.merge(base, ours, ours)).toEqual({ root: ours, conflicts: [] });
        // Something else is changed, so that everything is gone through.
        const other = await space.change(base, [{ operation: "set_variables", variables: { unrelated: true } }]);
        const wanted = { ...(await space.entered(ours)), "v/unrelated": { name: "unrelated", value: true } };
        for (const sides of [
          [other, ours],
          [ours, other],
        ] as const) {
          const { root, conflicts } = await space.merge(base, ...sides);
          expect(conflicts).toEqual([]);
          expect(await space.entered(root)).toEqual(wanted);
          expect(await flawsOf(space, root)).toEqual([]);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
