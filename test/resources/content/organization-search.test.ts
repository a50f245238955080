// The search over an organization: it finds what the searches of the spaces find that its caller may read, and nothing in it
// depends on any other space. What was read for it before, or was interrupted, makes no difference.

import fc from "fast-check";
import { type Storage, Unavailable } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { open, type Person, type Setting, setUp } from "../../support/setting";
import { through } from "../../support/through";

const words = ["quokka", "platypus", "echidna"];
const page = (title: string, markdown = "") => ({ operation: "insert_page", title, document: { markdown } });

async function must(setting: Setting, as: Person, route: string, send?: unknown) {
  const { status, body } = await setting.ask(as, route, send);
  expect(status, `${route}: ${JSON.stringify(body)}`).toBeLessThan(300);
  return body;
}

async function makeSpace(setting: Setting, title: string, ...changes: object[]): Promise<string> {
  const { id } = await must(setting, "create", `POST /v1/orgs/${setting.org}/spaces`, { title });
  if (changes.length > 0) await must(setting, "create", `POST /v1/spaces/${id}/content`, { changes });
  return id;
}

type Asking = (as: Person, route: string) => ReturnType<Setting["ask"]>;

/** Another process on the same storage. */
function another({ storage, clock, tokens }: Setting): Asking {
  const { askWith } = open(storage, { now: () => clock.now });
  return (as, route) => askWith(tokens[as], route);
}

const searched = (org: string, word: string) => `GET /v1/orgs/${org}/search?query=${word}&limit=200`;

interface Found {
  readonly id: string;
  readonly pages: readonly { readonly id: string }[];
}

/** Each space that answers, with its pages. */
async function found(ask: Asking, org: string, as: Person, word: string): Promise<Record<string, string[]>> {
  const { status, body } = await ask(as, searched(org, word));
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.count).toBe(body.items.length);
  return Object.fromEntries(body.items.map(({ id, pages }: Found) => [id, pages.map((it) => it.id).sort()]));
}

/** The same, from the lists and searches of spaces. */
async function foundOneByOne(ask: Asking, org: string, as: Person, word: string): Promise<Record<string, string[]>> {
  const answers: Record<string, string[]> = {};
  for (const { id } of (await ask(as, `GET /v1/orgs/${org}/spaces?limit=200`)).body.items) {
    const { items } = (await ask(as, `GET /v1/spaces/${id}/search?query=${word}&limit=10`)).body;
    if (items.length > 0) answers[id] = items.map((it: { id: string }) => it.id).sort();
  }
  return answers;
}

const everybody = ["admin", "read", "guest"] as const;

describe("organization search", () => {
  test("S22: organization search finds what the readable spaces find, after any change", async () => {
    const step = fc.record({
      what: fc.constantFrom(
        "write",
        "write",
        "delete",
        "close",
        "inherit",
        "give",
        "take",
        "team",
        "trash",
        "restore",
        "copy",
      ),
      space: fc.nat(3),
      word: fc.nat(words.length - 1),
      asks: fc.constantFrom(...everybody),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 14 }), async (steps) => {
        const setting = await setUp(memoryStorage());
        const { ask, org, ids } = setting;
        const team = (await must(setting, "admin", `PUT /v1/orgs/${org}/teams`, { title: "T", members: [ids.guest] }))
          .id;
        const spaces: string[] = [];
        for (let n = 0; n < 4; n++) spaces.push(await makeSpace(setting, `Space ${n}`, page(`A ${words[n % 3]}`)));
        for (const { what, space: n, word, asks } of steps) {
          const at = `/v1/spaces/${spaces[n]}`;
          const grants = `${at}/permissions`;
          // Some of these are refused, such as the grant in a space of the trash: then nothing has changed.
          if (what === "write")
            await ask("admin", `POST ${at}/content`, { changes: [page(words[word]!, words[word])] });
          if (what === "delete") {
            const [first] = (await ask("admin", `GET ${at}/content/pages`)).body.pages ?? [];
            if (first)
              await ask("admin", `POST ${at}/content`, { changes: [{ operation: "delete_page", page: first.id }] });
          }
          if (what === "close") await ask("admin", `PATCH ${at}`, { defaultLevel: null });
          if (what === "inherit") await ask("admin", `PATCH ${at}`, { defaultLevel: "inherit" });
          if (what === "give") await ask("admin", `POST ${grants}`, { users: [{ id: ids.guest, role: "read" }] });
          if (what === "take") await ask("admin", `DELETE ${grants}/users/${ids.guest}`);
          if (what === "team") await ask("admin", `POST ${grants}`, { teams: [{ id: team, role: "read" }] });
          if (what === "trash") await ask("admin", `DELETE ${at}`);
          if (what === "restore") await ask("admin", `POST ${at}/restore`);
          if (what === "copy") await ask("admin", `POST ${at}/duplicate`);
          // Somebody asks in between, so that different spaces were brought to different states.
          await ask(asks, searched(org, words[word]!));
        }
        const fresh = another(setting);
        for (const as of everybody)
          for (const word of words) {
            expect(await found(ask, org, as, word)).toEqual(await foundOneByOne(ask, org, as, word));
            expect((await ask(as, searched(org, word))).body).toEqual((await fresh(as, searched(org, word))).body);
          }
      }),
      { numRuns: 8 },
    );
  });

  test("S22: nothing in a response depends on what its reader may not see", async () => {
    const setting = await setUp(memoryStorage());
    const { ask, org } = setting;
    await makeSpace(
      setting,
      "One",
      page("Quokka and more", "A quokka beside others.\n"),
      page("Other", "quokka quokka\n"),
    );
    await makeSpace(setting, "Two", page("Nothing", "A platypus. A quokka.\n"));
    const closed = await makeSpace(setting, "Closed", page("Empty"));
    await must(setting, "create", `PATCH /v1/spaces/${closed}`, { defaultLevel: null });
    const asked = ["quokka", "quoka", "platypus%20quokka", "plat", "xylophone"];
    const answers = async (of: Asking) =>
      Promise.all(asked.map(async (it) => (await of("read", searched(org, it))).body));
    const before = await answers(ask);
    const changes = Array.from({ length: 30 }, (_, n) =>
      page(`Quoka ${n}`, `quokka quoka platypus xylophone plato ${n}\n`),
    );
    await must(setting, "admin", `POST /v1/spaces/${closed}/content`, { changes });
    // The admin brings the closed pages into memory.
    expect((await ask("admin", searched(org, "xylophone"))).body.count).toBe(1);
    expect(await answers(ask)).toEqual(before);
    expect(await answers(another(setting))).toEqual(before);
    expect(before.at(-1).count).toBe(0);
  });

  test("organization search finds the pages of a space once while it grows large", async () => {
    const setting = await setUp(memoryStorage());
    const { ask, org } = setting;
    await makeSpace(setting, "Small", page("The quokka"));
    const large = await makeSpace(setting, "Large", page("Another quokka"));
    expect(Object.keys(await found(ask, org, "read", "quokka"))).toHaveLength(2);
    for (let n = 0; n < 21; n++) {
      const changes = Array.from({ length: 50 }, (_, i) => page(`Page ${n * 50 + i}`));
      await must(setting, "create", `POST /v1/spaces/${large}/content`, { changes });
    }
    for (const ask of [setting.ask, another(setting)] as Asking[]) {
      const quokkas = await found(ask, org, "read", "quokka");
      expect(quokkas).toEqual(await foundOneByOne(ask, org, "read", "quokka"));
      expect(Object.keys(quokkas)).toHaveLength(2);
      expect((await found(ask, org, "read", "1049"))[large]).toHaveLength(1);
    }
  });

  test("organization search is correct after a storage failure ended a search anywhere", async () => {
    const setting = await setUp(memoryStorage());
    const { org, clock, tokens } = setting;
    for (const word of words) await makeSpace(setting, word, page(word, `${word} everywhere\n`));
    const wanted = (await another(setting)("read", searched(org, "everywhere"))).body;
    expect(wanted.count).toBe(3);
    const faulty = failingOnce(setting.storage);
    let ended = 0;
    for (let n = 1; ; n++) {
      const { askWith } = open(faulty.storage, { now: () => clock.now, onError: () => {} });
      faulty.failAt(n);
      const first = await askWith(tokens.read, searched(org, "everywhere"));
      const hasFailed = faulty.hasFailed();
      faulty.failAt(0);
      if (first.status !== 200) ended++;
      else expect(first.body).toEqual(wanted);
      expect((await askWith(tokens.read, searched(org, "everywhere"))).body).toEqual(wanted);
      if (!hasFailed) break;
    }
    expect(ended).toBeGreaterThan(10);
  });
});

/** A storage whose n-th read fails; 0: none. */
function failingOnce(inner: Storage) {
  let left = 0;
  let isOver = false;
  const read = <T>(run: () => Promise<T>): Promise<T> => {
    if (--left !== 0) return run();
    isOver = true;
    throw new Unavailable("The storage is away.", { outcome: "none" });
  };
  const storage = through(inner, { get: (_, go) => read(go), list: (_, go) => read(go) });
  return {
    storage,
    failAt(n: number) {
      [left, isOver] = [n, false];
    },
    hasFailed: () => isOver,
  };
}
