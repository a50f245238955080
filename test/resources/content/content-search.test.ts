// Search follows the content. After any changes, a process that followed them finds the same as a new process, with a
// stored index and without; and nobody finds what they may not see.

import fc from "fast-check";
import type { DocsApiOptions, Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../../src/storage/key";
import {
  type Answer,
  DAY,
  dump,
  HOUR,
  MINUTE,
  open,
  type Person,
  type Setting,
  seeded,
  setUp,
} from "../../support/setting";
import { runs } from "../../support/test-length";
import { through } from "../../support/through";

type SearchEngine = NonNullable<DocsApiOptions["search"]>;
type Change = Record<string, unknown>;

const words = ["quokka", "wombat", "numbat", "platypus", "echidna", "install", "configure"];
const page = (title: string, markdown: string, more: object = {}): Change => ({
  operation: "insert_page",
  title,
  document: { markdown },
  ...more,
});

async function makeSpace({ ask, org }: Setting, send: object = { title: "Guide" }): Promise<string> {
  const { status, body } = await ask("create", `POST /v1/orgs/${org}/spaces`, send);
  expect(status).toBe(201);
  return body.id;
}

async function change({ ask }: Setting, space: string, ...changes: Change[]): Promise<string[]> {
  const answer = await ask("edit", `POST /v1/spaces/${space}/content`, { changes });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.changes.flatMap((it: { page?: { id: string } }) => (it.page?.id ? [it.page.id] : []));
}

interface Found {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly sections: readonly { readonly id: string; readonly title: string; readonly body: string }[];
}

/** What a search shows, without what belongs to the space and not to its pages. */
function shown({ status, body }: Answer): unknown {
  expect(status, JSON.stringify(body)).toBe(200);
  const pages = (body.items as Found[]).map(({ id, title, path, sections }) => {
    return { id, title, path, inside: sections.map((it) => [it.id, it.title, it.body]) };
  });
  return { count: body.count, pages };
}

/** A process of its own on the same storage. */
function process(setting: Setting, options: DocsApiOptions = {}) {
  const { api, askWith } = open(setting.storage, { now: () => setting.clock.now, ...options });
  return { api, ask: (as: Person, route: string) => askWith(setting.tokens[as], route) };
}

const searched = (space: string, word: string) => `GET /v1/spaces/${space}/search?query=${word}&limit=200`;

/** Every word finds the same in the process that made the changes, in a fresh one, and in one without a stored index. */
async function checkSearch(setting: Setting, space: string): Promise<void> {
  const fresh = process(setting);
  // A copy has the same pages and nothing of the index.
  const copy = (await setting.ask("create", `POST /v1/spaces/${space}/duplicate`)).body.id as string;
  const bare = process(setting);
  for (const word of words) {
    const wanted = shown(await bare.ask("read", searched(copy, word)));
    expect(shown(await setting.ask("read", searched(space, word))), word).toEqual(wanted);
    expect(shown(await fresh.ask("read", searched(space, word))), word).toEqual(wanted);
  }
  await setting.ask("create", `DELETE /v1/spaces/${copy}`);
}

const hasStoredIndex = async (storage: Storage) =>
  [...(await dump(storage)).keys()].some((key) => key.includes("search-index"));

/** A process of its own that counts the large texts which it reads. */
function reading(setting: Setting, storage: Storage) {
  let blobs = 0;
  const counting = through(storage, {
    blob(call, go) {
      if (call === "get") blobs++;
      return go();
    },
  });
  return { ...process({ ...setting, storage: counting }), blobs: () => blobs };
}

/** A storage that takes no index. */
const refusing = (storage: Storage) =>
  through(storage, {
    async commit(batch, go) {
      if (JSON.stringify(batch).includes("search-index")) throw new Error("Refused.");
      return go();
    },
  });

/** A storage whose calls take their time, some more than others. */
function unhurried(storage: Storage, seed: number): Storage {
  const random = seeded(seed);
  const wait = async <T>(go: () => Promise<T>): Promise<T> => {
    const call = go();
    for (let turns = random(1)[0]! % 6; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    return call;
  };
  return through(storage, {
    snapshot: wait,
    get: (_, go) => wait(go),
    list: (_, go) => wait(go),
    commit: (_, go) => wait(go),
  });
}

const someWords = fc.array(fc.constantFrom(...words), { maxLength: 6 });
const anyStep = fc.record({
  what: fc.constantFrom("insert", "insert", "rewrite", "retitle", "describe", "move", "delete", "revert", "variables"),
  n: fc.nat({ max: 999 }),
  title: fc.constantFrom(...words),
  text: someWords,
  section: someWords,
});
type Step = typeof anyStep extends fc.Arbitrary<infer It> ? It : never;

const textOf = ({ text, section }: Step) =>
  `${text.join(" ")}\n\n## About ${section[0] ?? "nothing"}\n\n${section.join(" ")}\n`;

/** A step as a change of one of the pages that are there. */
function changeFor(step: Step, pages: readonly string[]): Change {
  const { what, n, title } = step;
  const id = pages[n % pages.length];
  if (id === undefined || what === "insert") return page(title, textOf(step), n % 3 === 0 && id ? { into: id } : {});
  if (what === "rewrite") return { operation: "update_page", page: id, document: { markdown: textOf(step) } };
  if (what === "retitle") return { operation: "update_page", page: id, title };
  if (what === "describe") return { operation: "update_page", page: id, description: title };
  if (what === "move") return { operation: "move_page", page: id, into: null, at: n % 5 };
  if (what === "delete") return { operation: "delete_page", page: id };
  if (what === "revert") return { operation: "revert_page", page: id };
  return { operation: "set_variables", variables: { [title]: n } };
}

async function pagesOf({ ask }: Setting, space: string): Promise<string[]> {
  const idsIn = (pages: { id: string; pages: [] }[]): string[] => pages.flatMap((it) => [it.id, ...idsIn(it.pages)]);
  return idsIn((await ask("read", `GET /v1/spaces/${space}/content/pages`)).body.pages);
}

describe("the built-in search", () => {
  test("after every step of a random history, search finds what a fresh process finds", async () => {
    const property = fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: 10 }), async (steps) => {
      const setting = await setUp(memoryStorage());
      const space = await makeSpace(setting);
      for (const step of steps) {
        // A page that the revision before has not cannot be taken back to it.
        const changes = [changeFor(step, await pagesOf(setting, space))];
        const { status } = await setting.ask("edit", `POST /v1/spaces/${space}/content`, { changes });
        if (step.what !== "revert") expect(status).toBe(200);
        await checkSearch(setting, space);
      }
    });
    await fc.assert(property, { numRuns: runs(32) });
  });

  test("search agrees with a fresh process when later changes are applied to a stored index", async () => {
    const setting = await setUp(memoryStorage());
    const space = await makeSpace(setting);
    const steps = fc.sample(anyStep, { seed: 7, numRuns: 156 });
    for (let n = 0; n < 150; n += 50)
      await change(setting, space, ...steps.slice(n, n + 50).map((it) => page(it.title, textOf(it))));
    // Revision 1 is empty, and 2, 3 and 4 are the pages.
    for (let number = 5; number <= 16; number++) {
      expect(await hasStoredIndex(setting.storage)).toBe(false);
      await change(setting, space, changeFor({ ...steps[number]!, what: "rewrite" }, await pagesOf(setting, space)));
    }
    await setting.api.maintain();
    expect(await hasStoredIndex(setting.storage)).toBe(false);
    setting.clock.forward(MINUTE);
    expect((await setting.api.maintain()).jobs).toBe(1);
    expect(await hasStoredIndex(setting.storage)).toBe(true);
    await checkSearch(setting, space);
    for (const step of steps.slice(150)) {
      await change(
        setting,
        space,
        changeFor({ ...step, what: step.what === "revert" ? "delete" : step.what }, await pagesOf(setting, space)),
      );
      await checkSearch(setting, space);
    }
    // A sweep leaves it alone, and the space takes it along when it goes.
    setting.clock.forward(2 * DAY);
    await setting.api.maintain();
    await checkSearch(setting, space);
    await setting.ask("admin", `DELETE /v1/spaces/${space}`);
    setting.clock.forward(8 * DAY);
    await setting.api.maintain();
    expect(await hasStoredIndex(setting.storage)).toBe(false);
  });

  test("one search reads a large space and stores the index, and no other process reads it again", async () => {
    const storage = memoryStorage();
    const setting = await setUp(storage);
    const space = await makeSpace(setting);
    const large = (word: string) => `${word}\n\n${"Some words of a long page. ".repeat(1500)}\n`;
    await change(setting, space, ...["quokka", "wombat", "numbat"].map((word) => page(word, large(word))));
    const first = reading(setting, storage);
    expect((await first.ask("read", searched(space, "nothing"))).body.count).toBe(0);
    expect(first.blobs()).toBe(3);
    expect(await hasStoredIndex(storage)).toBe(true);
    // Two callers at once, in a process that begins anew: no text is read but that of the page that is shown.
    const next = reading(setting, storage);
    const both = await Promise.all([1, 2].map(() => next.ask("read", searched(space, "quokka"))));
    expect(both.map(({ body }) => body.items.map((it: Found) => it.title))).toEqual([["quokka"], ["quokka"]]);
    expect(next.blobs()).toBeLessThanOrEqual(2);
    // What changed is read, and nothing else.
    await change(setting, space, page("platypus", large("platypus")));
    const last = reading(setting, storage);
    expect((await last.ask("read", searched(space, "nothing"))).body.count).toBe(0);
    expect(last.blobs()).toBe(1);
    await checkSearch(setting, space);
  });

  test("search works even if the index cannot be stored", async () => {
    const storage = memoryStorage();
    const setting = await setUp(storage);
    const space = await makeSpace(setting);
    await change(setting, space, ...[1, 2, 3].map((n) => page(`Page ${n}`, "A quokka sleeps. ".repeat(3000))));
    const errors: unknown[] = [];
    const full = (): never => {
      throw new Error("The storage is full.");
    };
    const broken = { ...refusing(storage), blobs: { ...storage.blobs, put: full } };
    const { ask } = process({ ...setting, storage: broken }, { onError: (error) => errors.push(error) });
    expect((await ask("read", searched(space, "quokka"))).body.count).toBe(3);
    expect(errors).toHaveLength(1);
    expect(await hasStoredIndex(storage)).toBe(false);
    await checkSearch(setting, space);
  });

  test("search works even if the stored index is lost, and the host is told", async () => {
    const storage = memoryStorage();
    const setting = await setUp(storage);
    const space = await makeSpace(setting);
    await change(setting, space, ...[1, 2, 3].map((n) => page(`Page ${n}`, "A quokka sleeps. ".repeat(3000))));
    await setting.ask("read", searched(space, "quokka"));
    const partition = storage.partition(`org-${setting.org.slice("org_".length)}`);
    const [stored] = await (await partition.snapshot()).list({ under: encodeKey("r", "search-index"), limit: 1 });
    const { object } = stored!.value as { readonly object: string };
    await partition.commit({ checks: [], puts: [], deletes: [encodeKey("object", object)], adds: [] });
    const errors: string[] = [];
    const { ask } = process(setting, { onError: (error) => errors.push(String(error)) });
    expect((await ask("read", searched(space, "quokka"))).body.count).toBe(3);
    expect(errors).toEqual([`Corrupt: The object ${object} is named but not there.`]);
    await checkSearch(setting, space);
  });

  test("searches during writes see one revision each and break nothing", async () => {
    const calm = memoryStorage();
    const setting = await setUp(calm);
    const space = await makeSpace(setting);
    const { askWith } = open(unhurried(calm, 5), { now: () => setting.clock.now });
    const search = async () => {
      const { status, body } = await askWith(setting.tokens.read, searched(space, "quokka"));
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body.count).toBe(body.items.length);
      return stateOf(body.items.map((it: { id: string }) => it.id));
    };
    const stateOf = (ids: readonly string[]) => ids.toSorted().join(" ");
    let known: string[] = [];
    let late = 0;
    for (let n = 0; n < 40; n++) {
      const states = [stateOf(known)];
      const searches = [search(), search(), search()];
      const [id] = await change(setting, space, page(`Page ${n}`, "quokka\n"));
      states.push(stateOf([...known, id!]));
      searches.push(search(), search());
      known = [...known.slice(n % 3 === 2 ? 2 : 1), id!];
      const gone = (await pagesOf(setting, space)).filter((it) => !known.includes(it));
      if (gone.length > 0) await change(setting, space, ...gone.map((it) => ({ operation: "delete_page", page: it })));
      states.push(stateOf(known));
      searches.push(search());
      for (const found of await Promise.all(searches)) {
        expect(states).toContain(found);
        if (found !== states.at(-1)) late++;
      }
      known = await pagesOf(setting, space);
    }
    expect(late).toBeGreaterThan(10);
    await checkSearch(setting, space);
  });

  test("S22: no one finds, or can count, pages they may not see", async () => {
    const setting = await setUp(memoryStorage());
    const { ask, org } = setting;
    const [open, closed, trashed] = [await makeSpace(setting), await makeSpace(setting), await makeSpace(setting)];
    for (const space of [open, closed, trashed]) await change(setting, space, page("Secret quokka", "quokka\n"));
    await ask("create", `PATCH /v1/spaces/${closed}`, { defaultLevel: null });
    await ask("create", `DELETE /v1/spaces/${trashed}`);
    const found = async (as: Person) => {
      const { status, body } = await ask(as, `GET /v1/orgs/${org}/search?query=quokka`);
      return status === 200 ? [body.count, body.items.map((it: { id: string }) => it.id).sort()] : status;
    };
    expect(await found("read")).toEqual([1, [open]]);
    expect(await found("guest")).toEqual([0, []]);
    expect(await found("admin")).toEqual([2, [open, closed].sort()]);
    expect(await found("rival")).toBe(404);
    for (const as of ["read", "guest", "rival"] as const)
      expect((await ask(as, searched(closed, "quokka"))).body.error.reason).toBe("space_not_found");
    expect((await ask("admin", searched(trashed, "quokka"))).status).toBe(404);
    // The answers are the same whichever of them was asked for first.
    await ask("admin", `PATCH /v1/spaces/${closed}`, { defaultLevel: "inherit" });
    expect(await found("read")).toEqual([2, [open, closed].sort()]);
    await ask("admin", `PATCH /v1/spaces/${closed}`, { defaultLevel: null });
    expect(await found("read")).toEqual([1, [open]]);
  });
});

/** An engine of the host's: knows what it was told, and can be away. */
class Engine implements SearchEngine {
  readonly told = new Map<string, Map<string, { title: string; text: string }>>();
  readonly asked: { query: string; offset: number; limit: number }[] = [];
  isAway = false;

  async update(at: Parameters<SearchEngine["update"]>[0], change: Parameters<SearchEngine["update"]>[1]) {
    if (this.isAway) throw new Error("The engine is away.");
    const pages = this.told.get(`${at.organization} ${at.space}`) ?? new Map();
    this.told.set(`${at.organization} ${at.space}`, pages);
    for (const { id, title, sections } of change.put)
      pages.set(id, { title, text: sections.map((it) => it.text).join(" ") });
    for (const id of change.remove) pages.delete(id);
  }

  async search(at: Parameters<SearchEngine["search"]>[0], query: string, window: { offset: number; limit: number }) {
    this.asked.push({ query, ...window });
    const pages = this.told.get(`${at.organization} ${at.space}`) ?? new Map();
    const found = [...pages].filter(([, { title, text }]) => `${title} ${text}`.includes(query)).map(([id]) => id);
    const hits = found
      .sort()
      .reverse()
      .map((id, i) => ({ id, score: 1 / (i + 1) }));
    return { total: hits.length, hits: hits.slice(window.offset, window.offset + window.limit) };
  }

  /** The pages of a space that it knows. */
  known(organization: string, space: string): string[] {
    return [...(this.told.get(`${organization} ${space}`)?.keys() ?? [])].sort();
  }
}

describe("a search engine of the host", () => {
  async function begin() {
    const engine = new Engine();
    const setting = await setUp(memoryStorage(), { search: engine, onError: () => {} });
    return { engine, setting };
  }

  test("a search engine of the host is told about every change and replaces the index", async () => {
    const { engine, setting } = await begin();
    const space = await makeSpace(setting);
    const steps = fc.sample(anyStep, { seed: 3, numRuns: 40 });
    for (const step of steps) {
      const changes = [changeFor(step, await pagesOf(setting, space))];
      await setting.ask("edit", `POST /v1/spaces/${space}/content`, { changes });
      expect(engine.known(setting.org, space)).toEqual((await pagesOf(setting, space)).sort());
    }
    for (const word of words) {
      const wanted = (await engine.search({ organization: setting.org, space }, word, { offset: 0, limit: 100 })).hits;
      const { body } = await setting.ask("read", searched(space, word));
      expect(body.items.map((it: { id: string }) => it.id)).toEqual(wanted.map(({ id }) => id));
    }
    expect(words.some((word) => engine.asked.some(({ query }) => query === word))).toBe(true);
  });

  test("a search engine of the host is paginated, and its hits for deleted pages are omitted", async () => {
    const { engine, setting } = await begin();
    const space = await makeSpace(setting);
    const pages = await change(
      setting,
      space,
      ...["a", "b", "c"].map((it) => page(it, "quokka\n\n## Part\n\nA quokka.\n")),
    );
    const first = await setting.ask("read", `GET /v1/spaces/${space}/search?query=quokka&limit=2`);
    expect(first.body.count).toBe(3);
    const next = await setting.ask(
      "read",
      `GET /v1/spaces/${space}/search?query=quokka&limit=2&page=${first.body.next.page}`,
    );
    expect(engine.asked.slice(-2)).toEqual([
      { query: "quokka", offset: 0, limit: 2 },
      { query: "quokka", offset: 2, limit: 2 },
    ]);
    const items = [...first.body.items, ...next.body.items];
    expect(items.map((it) => it.id)).toEqual(pages.sort().reverse());
    expect(items[0].sections.map((it: { id: string }) => it.id)).toContain("part");
    engine.told.get(`${setting.org} ${space}`)!.set("pag_gone", { title: "quokka", text: "" });
    const { body } = await setting.ask("read", searched(space, "quokka"));
    expect(body.items.map((it: { id: string }) => it.id)).toEqual(pages);
  });

  test("a search engine of the host that was unavailable receives what it missed", async () => {
    const { engine, setting } = await begin();
    const space = await makeSpace(setting);
    const [kept, dropped] = await change(setting, space, page("Kept", "quokka\n"), page("Dropped", "quokka\n"));
    engine.isAway = true;
    await change(setting, space, { operation: "delete_page", page: dropped! }, page("New", "quokka\n"));
    expect(engine.known(setting.org, space)).toEqual([kept, dropped].sort());
    engine.isAway = false;
    setting.clock.forward(HOUR);
    await setting.api.maintain();
    expect(engine.known(setting.org, space)).toEqual((await pagesOf(setting, space)).sort());
  });

  test("a search engine of the host is told about the initial pages of a space", async () => {
    const { engine, setting } = await begin();
    const made = await makeSpace(setting, { title: "Docs", template: { id: "product-docs" } });
    expect(engine.known(setting.org, made)).toEqual((await pagesOf(setting, made)).sort());
    const copy = (await setting.ask("create", `POST /v1/spaces/${made}/duplicate`)).body.id as string;
    expect(engine.known(setting.org, copy)).toEqual((await pagesOf(setting, copy)).sort());
  });

  test("a search engine of the host indexes a restored space and forgets a purged one", async () => {
    const { engine, setting } = await begin();
    const { ask, org, api, clock, storage } = setting;
    const collection = (await ask("create", `POST /v1/orgs/${org}/collections`, { title: "All" })).body.id;
    const spaces = [await makeSpace(setting), await makeSpace(setting, { title: "Inside", parent: collection })];
    const pages = [];
    for (const space of spaces) pages.push(await change(setting, space, page("Secret", "quokka\n")));
    await ask("admin", `DELETE /v1/spaces/${spaces[0]}`);
    expect((await ask("admin", `POST /v1/spaces/${spaces[0]}/restore`)).status).toBe(200);
    expect(spaces.map((space) => engine.known(org, space))).toEqual(pages);
    await ask("admin", `DELETE /v1/spaces/${spaces[0]}`);
    await ask("admin", `DELETE /v1/collections/${collection}`);
    clock.forward(8 * DAY);
    await api.maintain();
    expect(spaces.map((space) => engine.known(org, space))).toEqual([[], []]);
    expect([...(await dump(storage)).keys()].filter((key) => key.includes("search-fed"))).toEqual([]);
  });

  test("a search engine of the host follows a space to another organization", async () => {
    const { engine, setting } = await begin();
    const { ask, org, otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const space = await makeSpace(setting);
    const pages = await change(setting, space, page("Moving", "quokka\n"));
    expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg })).status).toBe(200);
    setting.clock.forward(HOUR);
    await setting.api.maintain();
    expect(engine.known(otherOrg, space)).toEqual(pages);
    expect(engine.known(org, space)).toEqual([]);
  });
});
