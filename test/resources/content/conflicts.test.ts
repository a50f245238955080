// Every kind of conflict that a change request may meet: it is shown, it keeps the change request from merging, and it is
// settled by writing what it is about again, whichever side that takes.

import { memoryStorage } from "octavo/memory";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { copierOf } from "../../invariants/faults";
import { type Answer, open, type Setting, setUp } from "../../support/setting";

type Change = Record<string, unknown>;
/** Names of what the space begins with, by which changes and conflicts name them. */
type Ids = Record<"a" | "b" | "c" | "below" | "group" | "file" | "text" | "linking", string>;

interface Way {
  readonly with: (ids: Ids, theirs: string) => Change[];
  /** What the space shows in the end. */
  readonly gives: (content: Content, ids: Ids) => unknown;
  readonly wanted: unknown;
}

interface Case {
  readonly title: string;
  /** What the change request does. */
  readonly mine: (ids: Ids) => Change[];
  /** What is done to the space meanwhile. */
  readonly theirs: (ids: Ids) => Change[];
  readonly shown: (ids: Ids) => object;
  readonly ways: Record<string, Way>;
}

interface Content {
  readonly variables: Record<string, unknown>;
  readonly files: readonly string[];
  /** Titles below the top, by parent: `A > Below`. */
  readonly tree: readonly string[];
  readonly page: (id: string) => Promise<Answer["body"] | undefined>;
  readonly reusable: (id: string) => Promise<Answer["body"] | undefined>;
}

const set = (variables: object): Change[] => [{ operation: "set_variables", variables }];
const write = (page: string, markdown: string): Change => ({ operation: "update_page", page, document: { markdown } });
const field = (page: string, fields: object): Change => ({ operation: "update_page", page, ...fields });
const keep = (page: string): Change => ({ operation: "update_page", page });
const move = (page: string, into: string | null): Change => ({ operation: "move_page", page, into });
const remove = (page: string): Change => ({ operation: "delete_page", page });
const text = (reusableContent: string, markdown: string): Change => ({
  operation: "update_reusable_content",
  reusableContent,
  document: { markdown },
});

const portOf = (content: Content) => content.variables.port;
const linkToFile = ({ linking, file }: Ids) => write(linking, `# Linking\n\nSee [it](/files/${file}).\n`);
const linkToText = ({ linking, text: id }: Ids) =>
  write(linking, `# Linking\n\n{% include "/reusable-contents/${id}" %}\n`);
const hasFile = ({ files }: Content, ids: Ids) => files.includes(ids.file);

const cases: Case[] = [
  {
    title: "a variable that both set",
    mine: () => set({ port: 1 }),
    theirs: () => set({ port: 2 }),
    shown: () => ({ kind: "variable", variable: "port", base: 80, ours: 1, theirs: 2 }),
    ways: {
      mine: { with: () => set({ port: 1 }), gives: portOf, wanted: 1 },
      theirs: { with: () => set({ port: 2 }), gives: portOf, wanted: 2 },
      other: { with: () => set({ port: 3 }), gives: portOf, wanted: 3 },
      none: { with: () => set({ port: null }), gives: portOf, wanted: undefined },
    },
  },
  {
    title: "a variable that the space set and the change request took away",
    mine: () => set({ port: null }),
    theirs: () => set({ port: 2 }),
    shown: () => ({ kind: "variable", variable: "port", base: 80, theirs: 2 }),
    ways: {
      mine: { with: () => set({ port: null }), gives: portOf, wanted: undefined },
      theirs: { with: () => set({ port: 2 }), gives: portOf, wanted: 2 },
    },
  },
  {
    title: "a variable that the change request set and the space took away",
    mine: () => set({ port: 1 }),
    theirs: () => set({ port: null }),
    shown: () => ({ kind: "variable", variable: "port", base: 80, ours: 1 }),
    ways: {
      mine: { with: () => set({ port: 1 }), gives: portOf, wanted: 1 },
      theirs: { with: () => set({ port: null }), gives: portOf, wanted: undefined },
    },
  },
  {
    title: "a file that the change request came to use and the space deleted",
    mine: (ids) => [linkToFile(ids)],
    theirs: ({ file }) => [{ operation: "delete_files", files: [file] }],
    shown: ({ file }) => ({ kind: "delete", file }),
    ways: {
      mine: { with: ({ file }) => [{ operation: "keep_files", files: [file] }], gives: hasFile, wanted: true },
      theirs: { with: ({ file }) => [{ operation: "delete_files", files: [file] }], gives: hasFile, wanted: false },
    },
  },
  {
    title: "a file that the space came to use and the change request deleted",
    mine: ({ file }) => [{ operation: "delete_files", files: [file] }],
    theirs: (ids) => [linkToFile(ids)],
    shown: ({ file }) => ({ kind: "delete", file }),
    ways: {
      mine: { with: ({ file }) => [{ operation: "delete_files", files: [file] }], gives: hasFile, wanted: false },
      theirs: { with: ({ file }) => [{ operation: "keep_files", files: [file] }], gives: hasFile, wanted: true },
    },
  },
  {
    title: "a reusable content with a text that both wrote",
    mine: (ids) => [text(ids.text, "Mine.\n")],
    theirs: (ids) => [text(ids.text, "Theirs.\n")],
    shown: (ids) => ({
      kind: "text",
      reusableContent: ids.text,
      member: "document",
      ours: "Mine.\n",
      theirs: "Theirs.\n",
    }),
    ways: {
      mine: {
        with: (ids) => [text(ids.text, "Mine.\n")],
        gives: async (content, ids) => (await content.reusable(ids.text)).markdown,
        wanted: "Mine.\n",
      },
      untouched: {
        with: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text }],
        gives: async (content, ids) => (await content.reusable(ids.text)).markdown,
        wanted: "Mine.\n",
      },
      theirs: {
        with: (ids) => [text(ids.text, "Theirs.\n")],
        gives: async (content, ids) => (await content.reusable(ids.text)).markdown,
        wanted: "Theirs.\n",
      },
      gone: {
        with: (ids) => [{ operation: "delete_reusable_content", reusableContent: ids.text }],
        gives: (content, ids) => content.reusable(ids.text),
        wanted: undefined,
      },
    },
  },
  {
    title: "a reusable content that both renamed",
    mine: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text, title: "Mine" }],
    theirs: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text, title: "Theirs" }],
    shown: (ids) => ({ kind: "field", reusableContent: ids.text, member: "title", ours: "Mine", theirs: "Theirs" }),
    ways: Object.fromEntries(
      ["Mine", "Theirs", "Other"].map((title) => [
        title,
        {
          with: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text, title }],
          gives: async (content, ids) => (await content.reusable(ids.text)).title,
          wanted: title,
        } satisfies Way,
      ]),
    ),
  },
  {
    title: "a reusable content that the space deleted and the change request wrote",
    mine: (ids) => [text(ids.text, "Mine.\n")],
    theirs: (ids) => [{ operation: "delete_reusable_content", reusableContent: ids.text }],
    shown: (ids) => ({ kind: "delete", reusableContent: ids.text }),
    ways: {
      mine: {
        with: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text }],
        gives: async (content, ids) => (await content.reusable(ids.text)).markdown,
        wanted: "Mine.\n",
      },
      theirs: {
        with: (ids) => [{ operation: "delete_reusable_content", reusableContent: ids.text }],
        gives: (content, ids) => content.reusable(ids.text),
        wanted: undefined,
      },
    },
  },
  {
    title: "a reusable content that the change request deleted and the space came to use",
    mine: (ids) => [{ operation: "delete_reusable_content", reusableContent: ids.text }],
    theirs: (ids) => [linkToText(ids)],
    shown: (ids) => ({ kind: "delete", reusableContent: ids.text }),
    ways: {
      mine: {
        with: (ids) => [{ operation: "delete_reusable_content", reusableContent: ids.text }],
        gives: (content, ids) => content.reusable(ids.text),
        wanted: undefined,
      },
      theirs: {
        with: (ids) => [{ operation: "update_reusable_content", reusableContent: ids.text }],
        gives: async (content, ids) => (await content.reusable(ids.text)).markdown,
        wanted: "Shared.\n",
      },
    },
  },
  {
    title: "a page with a text that both wrote",
    mine: ({ a }) => [write(a, "# A\n\nMine.\n")],
    theirs: ({ a }) => [write(a, "# A\n\nTheirs.\n")],
    shown: ({ a }) => ({ kind: "text", page: a, member: "document", ours: "Mine.\n", theirs: "Theirs.\n" }),
    ways: {
      mine: {
        with: ({ a }) => [keep(a)],
        gives: async (content, { a }) => (await content.page(a)).markdown,
        wanted: "# A\n\nMine.\n",
      },
      theirs: {
        with: ({ a }, revision) => [{ operation: "revert_page", page: a, revision }],
        gives: async (content, { a }) => (await content.page(a)).markdown,
        wanted: "# A\n\nTheirs.\n",
      },
      other: {
        with: ({ a }) => [write(a, "# A\n\nBoth.\n")],
        gives: async (content, { a }) => (await content.page(a)).markdown,
        wanted: "# A\n\nBoth.\n",
      },
      gone: { with: ({ a }) => [remove(a)], gives: (content, { a }) => content.page(a), wanted: undefined },
    },
  },
  {
    title: "a page with a field that both set",
    mine: ({ b }) => [field(b, { description: "Mine" })],
    theirs: ({ b }) => [field(b, { description: "Theirs" })],
    shown: ({ b }) => ({ kind: "field", page: b, member: "description", ours: "Mine", theirs: "Theirs" }),
    ways: Object.fromEntries(
      ["Mine", "Theirs", "Other"].map((description) => [
        description,
        {
          with: ({ b }) => [field(b, { description })],
          gives: async (content, { b }) => (await content.page(b)).description,
          wanted: description,
        } satisfies Way,
      ]),
    ),
  },
  {
    title: "a page with a variable of its own that both set",
    mine: ({ b }) => [field(b, { variables: { own: 1 } })],
    theirs: ({ b }) => [field(b, { variables: { own: 2 } })],
    shown: ({ b }) => ({ kind: "field", page: b, member: "variables.own", ours: 1, theirs: 2 }),
    ways: Object.fromEntries(
      [1, 2, 3].map((own) => [
        String(own),
        {
          with: ({ b }) => [field(b, { variables: { own } })],
          gives: async (content, { b }) => (await content.page(b)).variables,
          wanted: { own },
        } satisfies Way,
      ]),
    ),
  },
  {
    title: "a page that both moved",
    mine: ({ c, a }) => [move(c, a)],
    theirs: ({ c, b }) => [move(c, b)],
    shown: ({ c }) => ({ kind: "move", page: c }),
    ways: {
      mine: { with: ({ c, a }) => [move(c, a)], gives: placeOf("C"), wanted: "A > C" },
      untouched: { with: ({ c }) => [keep(c)], gives: placeOf("C"), wanted: "A > C" },
      theirs: { with: ({ c, b }) => [move(c, b)], gives: placeOf("C"), wanted: "B > C" },
      other: { with: ({ c }) => [move(c, null)], gives: placeOf("C"), wanted: "C" },
    },
  },
  {
    title: "pages that were moved below each other",
    mine: ({ a, b }) => [move(a, b)],
    theirs: ({ a, b }) => [move(b, a)],
    shown: ({ b }) => ({ kind: "cycle", page: b }),
    ways: {
      mine: { with: ({ b }) => [keep(b)], gives: placeOf("A"), wanted: "B > A" },
      theirs: { with: ({ a, b }) => [move(a, null), move(b, a)], gives: placeOf("B"), wanted: "A > B" },
      other: { with: ({ a, b }) => [move(a, null), move(b, null)], gives: placeOf("A"), wanted: "A" },
    },
  },
  {
    title: "a page that the change request deleted and the space wrote",
    mine: ({ b }) => [remove(b)],
    theirs: ({ b }) => [write(b, "# B\n\nTheirs.\n")],
    shown: ({ b }) => ({ kind: "delete", page: b }),
    ways: {
      mine: { with: ({ b }) => [remove(b)], gives: (content, { b }) => content.page(b), wanted: undefined },
      theirs: {
        with: ({ b }) => [keep(b)],
        gives: async (content, { b }) => (await content.page(b)).markdown,
        wanted: "# B\n\nTheirs.\n",
      },
    },
  },
  {
    title: "a page that the space deleted and the change request wrote",
    mine: ({ b }) => [write(b, "# B\n\nMine.\n")],
    theirs: ({ b }) => [remove(b)],
    shown: ({ b }) => ({ kind: "delete", page: b }),
    ways: {
      mine: {
        with: ({ b }) => [keep(b)],
        gives: async (content, { b }) => (await content.page(b)).markdown,
        wanted: "# B\n\nMine.\n",
      },
      theirs: { with: ({ b }) => [remove(b)], gives: (content, { b }) => content.page(b), wanted: undefined },
    },
  },
  {
    title: "a page below one that the space deleted",
    mine: ({ below }) => [write(below, "# Below\n\nMine.\n")],
    theirs: ({ group }) => [remove(group)],
    shown: ({ group }) => ({ kind: "delete", page: group }),
    ways: {
      mine: {
        with: ({ group, below }) => [keep(group), keep(below)],
        gives: placeOf("Below"),
        wanted: "Group > Below",
      },
      "theirs, with all that is below": {
        with: ({ group }) => [remove(group)],
        gives: (content, { below }) => content.page(below),
        wanted: undefined,
      },
      other: {
        with: ({ group, below }) => [move(below, null), remove(group)],
        gives: placeOf("Below"),
        wanted: "Below",
      },
    },
  },
];

function placeOf(title: string) {
  return ({ tree }: Content) => tree.find((path) => path === title || path.endsWith(` > ${title}`));
}

let copy: Awaited<ReturnType<typeof copierOf>>;
let cast: Setting;
let ids: Ids;
let space: string;
let ask: (route: string, send?: unknown) => Promise<Answer>;

beforeAll(async () => {
  const storage = memoryStorage();
  cast = await setUp(storage);
  space = (await cast.ask("admin", `POST /v1/orgs/${cast.org}/spaces`, { title: "Guide", editMode: "live" })).body.id;
  const page = (title: string, more: object = {}) => ({
    operation: "insert_page",
    document: { markdown: `# ${title}\n\nText of ${title}.\n` },
    ...more,
  });
  const first = await cast.ask("admin", `POST /v1/spaces/${space}/content`, {
    changes: [
      page("A"),
      { operation: "insert_page", title: "B", document: { markdown: "Plain.\n" } },
      page("C"),
      { operation: "insert_group", title: "Group", ref: "group" },
      page("Below", { into: "group" }),
      page("Linking"),
      { operation: "insert_reusable_content", title: "Shared", document: { markdown: "Shared.\n" } },
      { operation: "insert_files", files: [{ name: "a.txt", contentType: "text/plain", base64: btoa("a file") }] },
      { operation: "set_variables", variables: { port: 80 } },
    ],
  });
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const [a, b, c, group, below, linking] = first.body.changes.map((it: Answer["body"]) => it.page?.id);
  const shared = first.body.changes[6].reusableContent;
  ids = { a, b, c, group, below, linking, text: shared, file: first.body.insertedFiles[0].id };
  copy = copierOf(storage);
});

beforeEach(async () => {
  const { askWith, clock } = open(copy());
  clock.now = cast.clock.now;
  ask = (route, send) => askWith(cast.tokens.admin, route, send);
});

async function contentOfSpace(): Promise<Content> {
  const { body } = await ask(`GET /v1/spaces/${space}/content`);
  const tree: string[] = [];
  const walk = (pages: Answer["body"][], above: string) => {
    for (const it of pages) {
      tree.push(above + it.title);
      walk(it.pages ?? [], `${above}${it.title} > `);
    }
  };
  walk(body.pages, "");
  const found = async (path: string) => {
    const answer = await ask(`GET /v1/spaces/${space}/content/${path}?format=markdown`);
    return answer.status === 200 ? answer.body : undefined;
  };
  return {
    variables: body.variables,
    files: body.files.map((it: { id: string }) => it.id),
    tree,
    page: (id) => found(`page/${id}`),
    reusable: (id) => found(`reusable-contents/${id}`),
  };
}

/** A change request that was brought up to date, and met what the space had come to. */
async function conflicting(it: Pick<Case, "mine" | "theirs">) {
  const made = await ask(`POST /v1/spaces/${space}/change-requests`, {});
  const at = `/v1/spaces/${space}/change-requests/${made.body.id}`;
  const mine = await ask(`POST ${at}/content`, { changes: it.mine(ids) });
  expect(mine.status, JSON.stringify(mine.body)).toBe(200);
  const theirs = await ask(`POST /v1/spaces/${space}/content`, { changes: it.theirs(ids) });
  expect(theirs.status, JSON.stringify(theirs.body)).toBe(200);
  return { at, theirs: theirs.body.revision as string, updated: await ask(`POST ${at}/update`) };
}

describe.each(cases)("$title", (it) => {
  test("the conflict is shown, and nothing merges before it is resolved", async () => {
    const { at, updated } = await conflicting(it);
    expect(updated.body, JSON.stringify(updated.body)).toMatchObject({ result: "conflicts" });
    expect(updated.body.conflicts).toContainEqual(expect.objectContaining(it.shown(ids)));
    const count = updated.body.conflicts.length;
    expect((await ask(`GET ${at}`)).body.conflicts).toBe(count);
    const before = await ask(`GET /v1/spaces/${space}/content`);
    const merged = await ask(`POST ${at}/merge`);
    expect(merged.body).toMatchObject({ result: "conflicts", conflicts: updated.body.conflicts });
    expect((await ask(`GET /v1/spaces/${space}/content`)).body.id).toBe(before.body.id);
    // What is written elsewhere settles nothing.
    await ask(`POST ${at}/content`, {
      changes: [{ operation: "insert_page", title: "New", document: { markdown: "" } }],
    });
    expect((await ask(`GET ${at}`)).body.conflicts).toBe(count);
    expect((await ask(`POST ${at}/update`)).body.conflicts).toEqual(updated.body.conflicts);
  });

  test.each(Object.keys(it.ways))("the conflict is resolved: %s", async (name) => {
    const way = it.ways[name]!;
    const { at, theirs } = await conflicting(it);
    const settled = await ask(`POST ${at}/content`, { changes: way.with(ids, theirs) });
    expect(settled.status, JSON.stringify(settled.body)).toBe(200);
    expect(settled.body.conflicts).toBe(0);
    const merged = await ask(`POST ${at}/merge`);
    expect(merged.body).toEqual({ result: "merge", revision: expect.any(String) });
    expect(await way.gives(await contentOfSpace(), ids)).toEqual(way.wanted);
  });
});

test("a new change in the space replaces its earlier side of the conflict", async () => {
  const { at } = await conflicting({ mine: () => set({ port: 1 }), theirs: () => set({ port: 2 }) });
  await ask(`POST /v1/spaces/${space}/content`, { changes: set({ port: 3 }) });
  const again = await ask(`POST ${at}/update`);
  expect(again.body.conflicts).toEqual([{ kind: "variable", variable: "port", base: 2, ours: 1, theirs: 3 }]);
});

test("conflicts about a text that the space has replaced since are no longer counted", async () => {
  const paragraphs = (first: string, second: string) => `# A\n\n${first}\n\nBetween.\n\n${second}\n`;
  await ask(`POST /v1/spaces/${space}/content`, { changes: [write(ids.a, paragraphs("One.", "Two."))] });
  const { at, updated } = await conflicting({
    mine: ({ a }) => [write(a, paragraphs("One of mine.", "Two of mine."))],
    theirs: ({ a }) => [write(a, paragraphs("One of theirs.", "Two of theirs."))],
  });
  const [first, second] = updated.body.conflicts;
  expect(updated.body.conflicts).toHaveLength(2);

  // The space changes one of the paragraphs again: its new version takes the place of the old one.
  const changes = [write(ids.a, paragraphs("One, once more.", "Two of theirs."))];
  await ask(`POST /v1/spaces/${space}/content`, { changes });
  const again = await ask(`POST ${at}/update`);
  expect(again.body.conflicts).toHaveLength(2);
  expect(again.body.conflicts).toContainEqual(second);
  expect(again.body.conflicts).toContainEqual({
    ...first,
    base: first.theirs,
    theirs: expect.stringContaining("once more"),
  });
  expect((await ask(`GET ${at}`)).body.conflicts).toBe(2);

  // The space takes the text of the change request: nothing is left to resolve.
  const mine = [write(ids.a, paragraphs("One of mine.", "Two of mine."))];
  await ask(`POST /v1/spaces/${space}/content`, { changes: mine });
  expect((await ask(`POST ${at}/update`)).body).toMatchObject({ result: "update" });
  expect((await ask(`POST ${at}/merge`)).body.result).toBe("merge");
});

describe("very many conflicts", () => {
  const paragraphs = (word: string, count: number, length = 1200) =>
    Array.from({ length: count }, (_, n) => `${n} ${word.repeat(Math.floor(length / word.length))}\n`).join("\n");

  test.each([
    ["40 paragraphs", 40, "mine ", "theirs "],
    ["as many as are told one by one, of wide characters", 50, "\u{1F600}", "\u{1F601}"],
    ["of characters that JSON escapes", 50, "\u0001", "\u0002"],
    ["more than are told one by one", 120, "mine ", "theirs "],
  ])("very many conflicts are handled: %s", async (_, count, mine, theirs) => {
    await ask(`POST /v1/spaces/${space}/content`, { changes: [write(ids.a, paragraphs("base ", count))] });
    const { at, updated } = await conflicting({
      mine: ({ a }) => [write(a, paragraphs(mine, count))],
      theirs: ({ a }) => [write(a, paragraphs(theirs, count))],
    });
    expect(updated.status).toBe(200);
    expect(updated.body.conflicts.length).toBeGreaterThan(0);
    if (count === 40) expect(updated.body.conflicts.length).toBe(40);
    expect((await ask(`POST ${at}/merge`)).body.result).toBe("conflicts");
    expect((await ask(`POST ${at}/content`, { changes: [keep(ids.a)] })).body.conflicts).toBe(0);
    expect((await ask(`POST ${at}/merge`)).body.result).toBe("merge");
  });

  test("conflicts of many pages over many updates are counted, the first are listed, and resolving them shows the next", async () => {
    const pages: string[] = [];
    for (let n = 0; n < 2; n++) {
      const changes = Array.from({ length: 10 }, () => ({
        operation: "insert_page",
        document: { markdown: paragraphs("base ", 30) },
      }));
      const made = await ask(`POST /v1/spaces/${space}/content`, { changes });
      pages.push(...made.body.changes.map((it: Answer["body"]) => it.page.id));
    }
    const all = (word: string, from: number) =>
      pages.slice(from, from + 10).map((id) => write(id, paragraphs(word, 30)));
    const made = await ask(`POST /v1/spaces/${space}/change-requests`, {});
    const at = `/v1/spaces/${space}/change-requests/${made.body.id}`;
    for (const from of [0, 10]) {
      expect((await ask(`POST ${at}/content`, { changes: all("mine ", from) })).status).toBe(200);
      expect((await ask(`POST /v1/spaces/${space}/content`, { changes: all("theirs ", from) })).status).toBe(200);
    }
    const updated = await ask(`POST ${at}/update`);
    expect(updated.status).toBe(200);
    const count = (await ask(`GET ${at}`)).body.conflicts;
    expect(count).toBe(20 * 30);
    expect(updated.body.conflicts.length).toBeLessThan(count);
    const first = new Set(updated.body.conflicts.map((it: { page: string }) => it.page));
    const left = await ask(`POST ${at}/content`, { changes: [...first].map((page) => keep(page as string)) });
    expect(left.body.conflicts).toBe(count - first.size * 30);
    const next = (await ask(`POST ${at}/update`)).body.conflicts;
    expect(next.length).toBeGreaterThan(0);
    expect(next.some((it: { page: string }) => first.has(it.page))).toBe(false);
  });
});

test("conflicts move with a space to another organization and survive a sweep", async () => {
  const { api, askWith } = open(copy(), { now: () => cast.clock.now });
  ask = (route, send) => askWith(cast.tokens.admin, route, send);
  const { at, updated } = await conflicting({ mine: () => set({ port: 1 }), theirs: () => set({ port: 2 }) });
  await api.maintain();
  expect((await ask(`POST ${at}/merge`)).body.conflicts).toEqual(updated.body.conflicts);
  const other = await ask("POST /v1/orgs", { title: "Second" });
  const moved = await ask(`POST /v1/spaces/${space}/transfer`, { organization: other.body.id });
  expect(moved.status).toBeLessThan(300);
  await api.maintain();
  expect((await ask(`POST ${at}/merge`)).body.conflicts).toEqual(updated.body.conflicts);
});
