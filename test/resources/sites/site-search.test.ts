// Search over a site: what a visitor finds is what decides about the pages now, whichever process changed them and whatever
// was found before.

import fc from "fast-check";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { encodeKey } from "../../../src/storage/key";
import { open, type Setting, setUp } from "../../support/setting";
import { runs } from "../../support/test-length";
import { through } from "../../support/through";

const PAGES = 4;
/** The most results of a search. */
const MAX_FOUND = 20;
/** A specification that is not there. */
const SOURCE = { type: "builtin:openapi", props: { spec: "none" } };
const page = (title: string, ref: string, markdown = "A quokka.") => ({
  ...{ operation: "insert_page", title, ref },
  document: { markdown },
});

/** A public site with two spaces of some pages each. */
async function stage({ ask, org }: Setting, markdown?: string) {
  const made = async (route: string, send?: unknown) => {
    const { status, body } = await ask("admin", route, send);
    expect(status, `${route} ${JSON.stringify(body)}`).toBeLessThan(300);
    return body;
  };
  const spaces: { readonly id: string; readonly pages: readonly string[] }[] = [];
  for (const title of ["One", "Two"]) {
    const { id } = await made(`POST /v1/orgs/${org}/spaces`, { title });
    const inserted = Array.from({ length: PAGES }, (_, i) => page(`Page ${i}`, `page${i}`, markdown));
    const { changes } = await made(`POST /v1/spaces/${id}/content`, { changes: inserted });
    spaces.push({ id, pages: changes.map((it: { page: { id: string } }) => it.page.id) });
  }
  const send = { title: "Docs", visibility: "public", spaces: spaces.map(({ id }) => id) };
  const site = `/v1/orgs/${org}/sites/${(await made(`POST /v1/orgs/${org}/sites`, send)).id}`;
  await made(`POST ${site}/publish`);
  const items: readonly { readonly id: string }[] = (await made(`GET ${site}/site-spaces`)).items;
  return { spaces, site, items };
}

type Stage = Awaited<ReturnType<typeof stage>>;

/** A text of which a few pages are worth a stored copy. */
const LONG = "A quokka among others. ".repeat(1500);

/** States a computed page in the second space. Even without a source, such a space is searched by its own index. */
async function stateComputed({ ask }: Setting, { spaces }: Stage): Promise<void> {
  const changes = [{ operation: "insert_page", type: "computed", title: "Calls", computed: SOURCE }];
  expect((await ask("admin", `POST /v1/spaces/${spaces[1]!.id}/content`, { changes })).status).toBe(200);
}

/** Another process on the same storage. */
function another({ storage, clock }: Pick<Setting, "storage" | "clock">, onError?: () => void) {
  return open(storage, { now: () => clock.now, caches: { responses: 0 }, ...(onError ? { onError } : {}) }).askWith;
}

async function found(ask: ReturnType<typeof another>, { site }: Stage, query = "quokka"): Promise<string[]> {
  const { status, body } = await ask(null, `POST ${site}/search`, { query });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.flatMap(({ id, pages }: { id: string; pages: { id: string }[] }) =>
    pages.map((it) => `${id} ${it.id}`),
  );
}

/** What may change about a page, or its space, and about another one. */
const deeds: Readonly<Record<string, (page: string, other: string) => object>> = {
  hide: (it) => ({ operation: "update_page", page: it, hidden: true }),
  unhide: (it) => ({ operation: "update_page", page: it, hidden: false }),
  keepOut: (it) => ({ operation: "update_page", page: it, noIndex: true }),
  letIn: (it) => ({ operation: "update_page", page: it, noIndex: false }),
  close: (it) => ({ operation: "update_page", page: it, condition: "space.vars.beta" }),
  open: (it) => ({ operation: "update_page", page: it, condition: null }),
  begin: () => ({ operation: "set_variables", variables: { beta: "yes" } }),
  end: () => ({ operation: "set_variables", variables: { beta: null } }),
  under: (it, other) => ({ operation: "move_page", page: it, into: other }),
  toTheTop: (it) => ({ operation: "move_page", page: it, into: null }),
  write: (it) => ({ operation: "update_page", page: it, document: { markdown: "A quokka, again." } }),
  rewrite: (it) => ({ operation: "update_page", page: it, document: { markdown: "An echidna." } }),
  insert: () => page("More", "more"),
  remove: (it) => ({ operation: "delete_page", page: it }),
};

/** What may change about a site-space, or its space. */
const outside: Readonly<Record<string, (item: string, space: string) => readonly [route: string, send?: unknown]>> = {
  closeItem: (item) => [`PATCH ${item}`, { condition: "visitor.claims.isStaff" }],
  openItem: (item) => [`PATCH ${item}`, { condition: null }],
  trash: (_, space) => [`DELETE ${space}`],
  restore: (_, space) => [`POST ${space}/restore`],
  rename: (_, space) => [`PATCH ${space}`, { title: "Renamed" }],
};

interface Deed {
  readonly what: string;
  readonly space: number;
  readonly page: number;
  readonly other: number;
}

async function carryOut({ ask }: Setting, its: Stage, { what, space, page: at, other }: Deed): Promise<number> {
  const { spaces, site, items } = its;
  const { id, pages } = spaces[space]!;
  const request = outside[what]?.(`${site}/site-spaces/${items[space]!.id}`, `/v1/spaces/${id}`);
  if (request) return (await ask("admin", ...request)).status;
  const changes = [deeds[what]!(pages[at]!, pages[other]!)];
  return (await ask("admin", `POST /v1/spaces/${id}/content`, { changes })).status;
}

const on = (what: string, at = 0, other = 1): Deed => ({ what, space: 0, page: at, other });

describe("site search", () => {
  test("site search follows each change of what decides about pages", async () => {
    const setting = await setUp(memoryStorage());
    const its = await stage(setting);
    const ask = another(setting);
    const count = async () => (await found(ask, its)).length;
    await carryOut(setting, its, on("keepOut", 3));
    expect(await count()).toBe(7);
    const steps: readonly (readonly [Deed, number])[] = [
      [on("letIn", 3), 8],
      [on("write"), 8],
      [on("hide"), 7],
      [on("under", 1, 0), 6],
      [on("under", 2, 1), 5],
      [on("unhide"), 8],
      [on("close", 1), 6],
      [on("begin"), 8],
      [on("end"), 6],
      [on("open", 1), 8],
      [on("keepOut", 1), 7],
      [on("insert"), 8],
      [on("letIn", 1), 9],
      [on("rewrite", 2), 8],
      [on("remove"), 6],
      [on("closeItem"), 4],
      [on("openItem"), 6],
      [on("rename"), 6],
      [on("trash"), 4],
      [on("restore"), 6],
    ];
    for (const [deed, left] of steps) {
      expect(await carryOut(setting, its, deed), deed.what).toBeLessThan(300);
      expect(await count(), deed.what).toBe(left);
    }
  });

  test("site search finds visible pages, however many better ones are no longer visible", async () => {
    const setting = await setUp(memoryStorage());
    const its = await stage(setting);
    const ask = another(setting);
    const { id, pages } = its.spaces[0]!;
    for (let batch = 0; batch < 3; batch++) {
      const changes = Array.from({ length: 40 }, (_, i) => ({
        ...{ operation: "insert_page", title: `Quokka ${batch} ${i}`, into: pages[0] },
        document: { markdown: "Quokka, quokka." },
      }));
      expect((await setting.ask("admin", `POST /v1/spaces/${id}/content`, { changes })).status).toBe(200);
    }
    expect(await found(ask, its)).toHaveLength(MAX_FOUND);
    expect(await carryOut(setting, its, on("hide"))).toBe(200);
    expect(await found(ask, its)).toHaveLength(7);
    expect(await carryOut(setting, its, on("unhide"))).toBe(200);
    expect(await found(ask, its)).toHaveLength(MAX_FOUND);
  });

  test("site search includes small spaces and those with indexes of their own", async () => {
    const setting = await setUp(memoryStorage());
    const its = await stage(setting);
    const ask = another(setting);
    const before = await found(ask, its);
    await stateComputed(setting, its);
    expect((await found(ask, its)).sort()).toEqual(before.sort());
    expect(await carryOut(setting, its, { ...on("hide"), space: 1 })).toBe(200);
    expect(await found(ask, its)).toHaveLength(7);
    expect(await carryOut(setting, its, on("hide"))).toBe(200);
    expect(await found(ask, its)).toHaveLength(6);
  });

  test("site search finds the same with and without stored indexes, whatever decides about pages", async () => {
    const setting = await setUp(memoryStorage());
    const { storage, clock } = setting;
    const its = await stage(setting, LONG);
    await stateComputed(setting, its);
    const isCopy = (at: string) => ["search-index", "search-pool"].some((kind) => at.startsWith(encodeKey("r", kind)));
    const withoutCopies = through(storage, {
      get: async (keys, go) => (await go()).map((entry, i) => (isCopy(keys[i]!) ? undefined : entry)),
      async commit({ puts }, go) {
        if (puts.some((put) => isCopy(put.key))) throw new Error("No copies.");
        return go();
      },
    });
    const check = async (what: string, left: number) => {
      const expected = await found(
        another({ storage: withoutCopies, clock }, () => {}),
        its,
      );
      expect((await found(another(setting), its)).sort(), what).toEqual(expected.sort());
      expect(expected, what).toHaveLength(Math.min(left, MAX_FOUND));
    };

    await check("begin", 8);
    let left = 8;
    for (const deed of ["keepOut", "close"])
      for (const space of [0, 1]) {
        const undo = { keepOut: "letIn", close: "open" }[deed]!;
        await carryOut(setting, its, { ...on(deed), space });
        await check(deed, --left);
        // So much is written that new copies are stored, while a page is kept and after it is not.
        for (const what of [deed, undo]) {
          await carryOut(setting, its, { ...on(what), space });
          left = what === deed ? left : left + 1;
          const changes = [1, 2, 3].map((n) => page("More", `more${n}`, `${LONG} ${what} ${n}`));
          const route = `POST /v1/spaces/${its.spaces[space]!.id}/content`;
          expect((await setting.ask("admin", route, { changes })).status).toBe(200);
          left += 3;
          await check(what, left);
        }
      }
  });

  test("site search reads no pages to check visibility if a stored index says that everyone may see them", async () => {
    const setting = await setUp(memoryStorage());
    const { storage, clock } = setting;
    const its = await stage(setting, LONG);
    await stateComputed(setting, its);
    for (const { id } of its.spaces)
      for (let batch = 0; batch < 12; batch++) {
        const changes = Array.from({ length: 50 }, (_, n) => page(`Short ${n}`, `short${n}`, "A wombat."));
        expect((await setting.ask("admin", `POST /v1/spaces/${id}/content`, { changes })).status).toBe(200);
      }
    await found(another(setting), its);
    const objectsRead = async () => {
      let objects = 0;
      const counting = through(storage, {
        get(keys, go) {
          objects += keys.filter((at) => at.startsWith(encodeKey("object"))).length;
          return go();
        },
      });
      expect(await found(another({ storage: counting, clock }), its, "xylophone")).toEqual([]);
      return objects;
    };
    // The copies, and where the computed page stands.
    expect(await objectsRead()).toBeLessThan(15);
    await carryOut(setting, its, on("hide"));
    expect(await objectsRead()).toBeGreaterThan(50);
  });

  test("site search agrees with a fresh process after any changes in any order", async () => {
    const index = (most: number) => fc.nat({ max: most - 1 });
    const deed = fc.record({
      what: fc.constantFrom(...Object.keys(deeds), ...Object.keys(outside)),
      space: index(2),
      page: index(PAGES),
      other: index(PAGES),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 12 }), async (history) => {
        const setting = await setUp(memoryStorage());
        const its = await stage(setting);
        const ask = another(setting);
        await carryOut(setting, its, on("hide"));
        await found(ask, its);
        for (const one of history) {
          expect(await carryOut(setting, its, one), one.what).toBeLessThan(500);
          const expected = await found(another(setting), its);
          // Pages that answer equally well have no order of their own.
          expect((await found(ask, its)).sort(), one.what).toEqual(expected.sort());
        }
      }),
      { numRuns: runs(6) },
    );
  });
});
