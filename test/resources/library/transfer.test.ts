// Transfers and deletions of whole collections, stopped at calls of every storage: by a failure, by a lost answer, and
// with the whole process. Afterwards maintain() has brought everything to one side, and nothing is lost or doubled.

import { memoryStorage } from "octavo/memory";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Copier, copiers } from "../../invariants/copies";
import { type Fault, fillerOf, watch } from "../../invariants/faults";
import { DAY, HOUR, open, type Setting, seeded, setUp } from "../../support/setting";
import { isLongRun } from "../../support/test-length";

interface Family {
  readonly outer: string;
  readonly spaces: readonly string[];
}

async function makeFamily({ ask, org, otherOrg }: Setting): Promise<Family> {
  const id = async (answer: ReturnType<Setting["ask"]>) => (await answer).body.id as string;
  const door = await id(ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" }));
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const outer = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Outer" }));
  const inner = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Inner", parent: outer }));
  const spaces = [
    await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "A", parent: outer })),
    await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "B", parent: inner })),
  ];
  return { outer, spaces };
}

/** Every space is in exactly one place: in one list of one organization, where its id leads, or in the trash. */
async function check(
  { ask, org, otherOrg }: Pick<Setting, "ask" | "org" | "otherOrg">,
  { spaces }: Family,
  told: string,
): Promise<number> {
  const idsIn = async (organization: string) =>
    (await ask("admin", `GET /v1/orgs/${organization}/spaces`)).body.items.map(
      (it: { id: string }) => it.id,
    ) as string[];
  const [here, there] = [await idsIn(org), await idsIn(otherOrg)];
  expect(
    (await ask("admin", `GET /v1/orgs/${org}/jobs`)).body.items.filter(
      (it: { step: string }) => it.step !== "purge-space",
    ),
    told,
  ).toEqual([]);
  for (const id of spaces) {
    const { status, body } = await ask("admin", `GET /v1/spaces/${id}`);
    expect(status, told).toBe(200);
    const lists = Number(here.includes(id)) + Number(there.includes(id));
    expect(lists, told).toBe(body.deletedAt === undefined ? 1 : 0);
    if (lists === 1) expect(body.organization, told).toBe(here.includes(id) ? org : otherOrg);
  }
  return there.length;
}

const works: [string, (family: Family, setting: Setting) => [route: string, send?: unknown]][] = [
  [
    "a transfer of a space",
    ({ spaces }, { otherOrg }) => [`POST /v1/spaces/${spaces[0]}/transfer`, { organization: otherOrg }],
  ],
  [
    "a transfer of a collection",
    ({ outer }, { otherOrg }) => [`POST /v1/collections/${outer}/transfer`, { organization: otherOrg }],
  ],
  ["a deletion of a collection", ({ outer }) => [`DELETE /v1/collections/${outer}`]],
];

// Some of the calls are enough here: the laws stop at every one, in memory. a long run stops at all of them.
const stops = isLongRun ? 1000 : 5;

/** What every copy holds in the beginning. */
const base = memoryStorage();
let prepared: Setting;
let family: Family;

beforeAll(async () => {
  prepared = await setUp(base);
  family = await makeFamily(prepared);
});

describe.each(copiers)("on %s", (storageName, create) => {
  let copier: Copier;
  beforeAll(async () => {
    copier = await create(await fillerOf(base));
  });
  afterAll(() => copier.cleanUp());

  test.each(works)("%s, interrupted anywhere, is completed or has no effect", async (_, work) => {
    const play = async (stop?: { call: number; fault: Fault }) => {
      const { storage, cleanUp } = await copier.copy();
      try {
        const watched = watch(storage);
        const { askWith, clock: then } = open(watched, { onError: () => {} });
        then.now = prepared.clock.now;
        const before = watched.calls.total;
        if (stop) watched.failAt(stop.call, stop.fault);
        await askWith(prepared.tokens.admin, ...work(family, prepared));
        const calls = watched.calls.total - before;
        const { api, clock, askWith: askLater } = open(storage, { random: seeded(3) });
        clock.now = then.now;
        for (let round = 0; round < 3; round++) {
          clock.forward(2 * HOUR);
          await api.maintain();
        }
        const ask: Setting["ask"] = (as, ...rest) => askLater(as && prepared.tokens[as], ...rest);
        const arrived = await check({ ...prepared, ask }, family, JSON.stringify(stop));
        clock.forward(8 * DAY);
        await api.maintain();
        return { calls, arrived };
      } finally {
        await cleanUp();
      }
    };
    const good = await play();
    const stride = Math.ceil(good.calls / (storageName === "memory" ? stops : stops / 2));
    for (const [i, fault] of (["before", "answer lost", "crash"] as const).entries()) {
      for (let call = 1 + Math.floor((i * stride) / 3); call <= good.calls; call += stride) {
        const { arrived } = await play({ call, fault });
        expect([0, good.arrived]).toContain(arrived);
      }
    }
  });
});
