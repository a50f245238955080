// A transfer while it goes on: the answer comes when it is decided, the space is read at every moment, what is written is
// kept or refused for a moment, and a request that is repeated is answered alike.

import type { Storage } from "octavo";
import { describe, expect, test } from "vitest";
import { type Answer, open, type Setting, setUp } from "../../support/setting";
import { storages } from "../../support/storages";
import { through } from "../../support/through";

/** How many times fifty pages, forty comments and eight change requests. */
const LARGE = 6;

interface Large extends Setting {
  readonly space: string;
  readonly collection: string;
  readonly inside: readonly string[];
  readonly comments: readonly string[];
}

/** A space with some hundreds of things in it, if it is to be large, a collection with spaces, and an admin of both organizations. */
async function makeLarge(storage: Storage, size = 0): Promise<Large> {
  const setting = await setUp(storage);
  const { ask, org, otherOrg } = setting;
  const id = async (answer: Promise<Answer>) => (await answer).body.id as string;
  const door = await id(ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "admin" }));
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const space = await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Large" }));
  for (let i = 0; i < size; i++) {
    const page = (k: number) => ({
      operation: "insert_page",
      title: `Page ${i}-${k}`,
      document: { markdown: "Text." },
    });
    await ask("admin", `POST /v1/spaces/${space}/content`, { changes: Array.from({ length: 50 }, (_, k) => page(k)) });
  }
  const comments: string[] = [];
  for (let i = 0; i < 3 + 40 * size; i++)
    comments.push(await id(ask("admin", `POST /v1/spaces/${space}/comments`, { body: { markdown: `Comment ${i}` } })));
  for (let i = 0; i < 2 + 8 * size; i++)
    await ask("admin", `POST /v1/spaces/${space}/change-requests`, { subject: `Change ${i}` });
  const collection = await id(ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Shelf" }));
  const inside: string[] = [];
  for (let i = 0; i < 3; i++)
    inside.push(await id(ask("admin", `POST /v1/orgs/${org}/spaces`, { title: `Book ${i}`, parent: collection })));
  return { ...setting, space, collection, inside, comments };
}

/** An API whose long work goes on after the answer, on the same storage. */
function goingOn({ storage, tokens, clock }: Setting, begins = () => {}) {
  const works: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => {
    works.push(work);
    begins();
  };
  const { api, askWith, clock: own } = open(storage, { waitUntil });
  own.now = clock.now;
  const ask = (route: string, send?: unknown, headers?: Record<string, string>) =>
    askWith(tokens.admin, route, send, headers);
  return { api, ask, works, isOver: async () => void (await Promise.all(works)) };
}

/** The same storage for an API that stands still from when its long work begins until `goOn` is called. */
function standingStill(storage: Storage) {
  let wait: Promise<void> | undefined;
  let goOn = () => {};
  const held = async <Result>(go: () => Promise<Result>) => {
    await wait;
    return go();
  };
  return {
    storage: through(storage, { snapshot: held, commit: (_, go) => held(go) }),
    stand: () => {
      wait = new Promise((resolve) => {
        goOn = resolve;
      });
    },
    goOn: () => goOn(),
  };
}

describe.each(storages.slice(0, 2))("on %s", (_, openStorage) => {
  test("a large space is readable throughout its transfer, and no concurrent write is lost", async () => {
    const { storage, cleanUp } = await openStorage();
    const setting = await makeLarge(storage, LARGE);
    const { space, otherOrg, org, comments } = setting;
    const { ask, isOver } = goingOn(setting);
    let isDone = false;
    const statuses = new Set<number>();
    const homes: string[] = [];
    const poller = async (path: string) => {
      // The last round begins when all is over.
      for (let isLast = false; !isLast; ) {
        isLast = isDone;
        const { status, body } = await ask(`GET /v1/spaces/${space}${path}`);
        statuses.add(status);
        if (path === "" && homes.at(-1) !== body.organization) homes.push(body.organization);
        await new Promise((done) => setImmediate(done));
      }
    };
    const posted: string[] = [];
    const refused: Answer[] = [];
    const writer = async () => {
      while (!isDone) {
        const answer = await ask(`POST /v1/spaces/${space}/comments`, { body: { markdown: "meanwhile" } });
        if (answer.status === 200) posted.push(answer.body.id);
        else refused.push(answer);
        await new Promise((done) => setImmediate(done));
      }
    };
    const others = [poller(""), poller("/content/pages"), poller("/comments?limit=1"), writer()];
    const answer = await ask(`POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ organization: otherOrg, transfer: { organization: otherOrg } });
    // The answer came before the move: the job that it names is at work.
    const jobs = (await setting.ask("admin", `GET /v1/orgs/${org}/jobs`)).body.items;
    expect(jobs.map(({ id }: { id: string }) => id)).toContain(answer.body.transfer.job);
    expect((await ask(`GET /v1/spaces/${space}`)).body.organization).toBe(org);
    await isOver();
    isDone = true;
    await Promise.all(others);
    expect([...statuses]).toEqual([200]);
    expect(homes).toEqual([org, otherOrg]);
    for (const { status, body, headers } of refused) {
      expect([status, body.error.reason]).toEqual([503, "transfer_busy"]);
      expect(headers.get("retry-after")).toBe("1");
    }
    const said = (await ask(`GET /v1/spaces/${space}/comments?limit=1000`)).body;
    expect(said.count).toBe(comments.length + posted.length);
    const there = new Set(said.items.map(({ id }: { id: string }) => id));
    expect([...comments, ...posted].filter((id) => !there.has(id))).toEqual([]);
    const now = (await ask(`GET /v1/spaces/${space}`)).body;
    expect(now).toMatchObject({ changeRequests: 2 + 8 * LARGE, comments: said.count });
    expect(now.transfer).toBeUndefined();
    await storage.close();
    await cleanUp();
  });

  test("a collection changes organization with its contents at one moment", async () => {
    const { storage, cleanUp } = await openStorage();
    const setting = await makeLarge(storage);
    const { collection, inside, otherOrg, org } = setting;
    const { ask, isOver } = goingOn(setting);
    let isDone = false;
    const seen: string[] = [];
    const poller = async () => {
      // The last round begins when all is over.
      for (let isLast = false; !isLast; ) {
        isLast = isDone;
        for (const path of [`/collections/${collection}`, ...inside.map((id) => `/spaces/${id}`)]) {
          const { status, body } = await ask(`GET /v1${path}`);
          const told = `${status} ${body.organization === org ? "here" : "there"}`;
          if (seen.at(-1) !== told) seen.push(told);
          await new Promise((done) => setImmediate(done));
        }
      }
    };
    const polling = poller();
    expect((await ask(`POST /v1/collections/${collection}/transfer`, { organization: otherOrg })).status).toBe(200);
    await isOver();
    isDone = true;
    await polling;
    expect(seen.at(-1)).toBe("200 there");
    // One round of the poller may lie around the switch; there is no way back.
    expect(seen).toEqual(["200 here", "200 there"]);
    for (const id of inside)
      expect((await ask(`GET /v1/spaces/${id}`)).body).toMatchObject({ organization: otherOrg, parent: collection });
    const listed = (await ask(`GET /v1/collections/${collection}/spaces`)).body.items.map(
      ({ id }: { id: string }) => id,
    );
    expect(listed).toEqual(inside);
    await storage.close();
    await cleanUp();
  });
});

describe("repeated requests", () => {
  test("a repeated request is answered alike during and after the transfer", async () => {
    const { storage } = await storages[0]![1]();
    const setting = await makeLarge(storage);
    const { space, collection, otherOrg } = setting;
    const third = (await setting.ask("admin", "POST /v1/orgs", { title: "Third" })).body.id;
    for (const path of [`/v1/spaces/${space}`, `/v1/collections/${collection}`]) {
      const still = standingStill(storage);
      const { ask: begin, isOver } = goingOn({ ...setting, storage: still.storage }, still.stand);
      const ask = (send: unknown, headers?: Record<string, string>) =>
        setting.askWith(setting.tokens.admin, `POST ${path}/transfer`, send, headers);
      const key = { "idempotency-key": `a key for ${path}` };
      const first = await begin(`POST ${path}/transfer`, { organization: otherOrg }, key);
      expect(first.body.transfer).toBeDefined();
      const again = await ask({ organization: otherOrg });
      expect(again.status).toBe(200);
      expect(again.body).toMatchObject({ organization: otherOrg, transfer: first.body.transfer });
      // Back again is another destination, too.
      for (const organization of [third, setting.org])
        expect((await ask({ organization })).body.error.reason).toBe("transfer_under_way");
      still.goOn();
      await isOver();
      for (const headers of [key, {}]) {
        const late = await ask({ organization: otherOrg }, headers);
        expect([late.status, late.body.organization]).toEqual([200, otherOrg]);
      }
      // Whoever did not send it is told that it is there.
      const rival = await setting.ask("rival", `POST ${path}/transfer`, { organization: otherOrg });
      expect([rival.status, rival.body.error.reason]).toEqual([409, "same_organization"]);
    }
  });

  test("a request leads to its resource after any number of transfers", async () => {
    const { storage } = await storages[0]![1]();
    const { space, ask } = await makeLarge(storage);
    for (let i = 0; i < 12; i++) {
      const organization = (await ask("admin", "POST /v1/orgs", { title: `Org ${i}` })).body.id;
      expect((await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization })).status).toBe(200);
      expect((await ask("admin", `GET /v1/spaces/${space}`)).body.organization).toBe(organization);
    }
    expect((await ask("admin", `GET /v1/spaces/${space}/comments`)).body.count).toBe(3);
  });

  test("without waitUntil, the response waits for some seconds and leaves the rest to maintain()", async () => {
    const { storage } = await storages[0]![1]();
    const setting = await makeLarge(storage, LARGE);
    const due: Date[] = [];
    let calls = 0;
    const { api, askWith } = open(storage, {
      now: () => new Date(setting.clock.now.getTime() + 4000 * ++calls),
      onDue: (when) => due.push(when),
    });
    const ask = (route: string, send?: unknown) => askWith(setting.tokens.admin, route, send);
    const answer = await ask(`POST /v1/spaces/${setting.space}/transfer`, { organization: setting.otherOrg });
    expect(answer.status).toBe(200);
    expect((await ask(`GET /v1/spaces/${setting.space}`)).body.organization).toBe(setting.org);
    expect(due).toHaveLength(1);
    await api.maintain();
    expect((await ask(`GET /v1/spaces/${setting.space}`)).body.organization).toBe(setting.otherOrg);
  });
});
