// Who sees a thing while it is brought to another organization: those of the one until the switch, those of the other after
// it, and at no moment both, neither, or anybody else.

import type { Storage } from "octavo";
import { type MemoryStorage, memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { copierOf, watch } from "../invariants/faults";
import { HOUR, open, type Person, type Setting, setUp } from "../support/setting";
import { through } from "../support/through";

interface Stage extends Setting<MemoryStorage> {
  readonly space: string;
  readonly collection: string;
  readonly inner: string;
}

async function makeStage(): Promise<Stage> {
  const setting = await setUp(memoryStorage());
  const { ask, org, otherOrg, ids } = setting;
  const id = async (route: string, send: unknown, as: Person = "admin") =>
    (await ask(as, route, send)).body.id as string;
  const door = await id(`POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" }, "rival");
  await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
  const collection = await id(`POST /v1/orgs/${org}/collections`, { title: "Outer" });
  const inner = await id(`POST /v1/orgs/${org}/spaces`, { title: "Inner", parent: collection });
  const space = await id(`POST /v1/orgs/${org}/spaces`, { title: "Space" });
  for (const it of [space, inner]) {
    const given = await ask("admin", `POST /v1/spaces/${it}/permissions`, {
      users: [{ id: ids.read, role: "create" }],
    });
    if (given.status >= 300) throw new Error(JSON.stringify(given.body));
  }
  return { ...setting, space, collection, inner };
}

/** The storage with something looked at before each of its calls. */
function lookingAt(inner: Storage, look: () => Promise<void>): Storage {
  return through(inner, { snapshot: (go) => look().then(go), commit: (_, go) => look().then(go) });
}

test("a resource in transfer is visible to the members of exactly one organization at every moment", async () => {
  const stage = await makeStage();
  const { storage, tokens, otherOrg, org, clock } = stage;
  for (const [route, id] of [
    [`POST /v1/spaces/${stage.space}/transfer`, stage.space],
    [`POST /v1/collections/${stage.collection}/transfer`, stage.inner],
  ] as const) {
    const moments: string[] = [];
    const watching = lookingAt(storage, async () => {
      const who: string[] = [];
      // An admin of the other organization, a member of this one who was given something, and others.
      for (const person of ["read", "rival", "stranger", "guest"] as const) {
        const { status, body } = await stage.ask(person, `GET /v1/spaces/${id}`);
        if (status === 200) who.push(`${person} in ${body.organization === org ? "one" : "two"}`);
        else expect(status).toBe(404);
      }
      if (moments.at(-1) !== who.join()) moments.push(who.join());
    });
    const { askWith, clock: own } = open(watching);
    own.now = clock.now;
    expect((await askWith(tokens.admin, route, { organization: otherOrg })).status).toBe(200);
    expect(moments).toEqual(["read in one", "rival in two"]);
  }
});

test("a resource that is locked for a moment reveals nothing to those who may not see it", async () => {
  const stage = await makeStage();
  const { storage, tokens, otherOrg, space, clock } = stage;
  const told = new Map<string, Set<string>>();
  const watching = lookingAt(storage, async () => {
    for (const person of ["stranger", "guest", "rival"] as const) {
      const { status, body } = await stage.ask(person, `PATCH /v1/spaces/${space}`, { emoji: "1f600" });
      if (!told.has(person)) told.set(person, new Set());
      told.get(person)!.add(`${status} ${body.error?.reason}`);
    }
  });
  const { askWith, clock: own } = open(watching);
  own.now = clock.now;
  await askWith(tokens.admin, `POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
  expect([...told.get("stranger")!]).toEqual(["404 space_not_found"]);
  expect([...told.get("guest")!]).toEqual(["404 space_not_found"]);
  // The admin over there hears of it from the switch on, and not before.
  expect([...told.get("rival")!].sort()).toEqual(["200 undefined", "404 space_not_found", "503 transfer_busy"]);
});

test("grants on a resource from before it left are not restored when it returns", async () => {
  const stage = await makeStage();
  const copy = copierOf(stage.storage);
  const { tokens, org, otherOrg, space, clock } = stage;
  for (let call = 1; ; call += 3) {
    const storage = copy();
    const watched = watch(storage);
    watched.failAt(call, "crash");
    const dying = open(watched, { onError: () => {} });
    dying.clock.now = clock.now;
    await dying.askWith(tokens.admin, `POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
    const { api, askWith, clock: own } = open(storage, { onError: () => {} });
    own.now = clock.now;
    const ask = (route: string, send?: unknown) => askWith(tokens.admin, route, send);
    const left = (await ask(`GET /v1/spaces/${space}`)).body.organization === otherOrg;
    if (left) {
      for (let tries = 0; tries < 3; tries++) {
        await ask(`POST /v1/spaces/${space}/transfer`, { organization: org });
        own.forward(2 * HOUR);
        await api.maintain();
      }
      expect((await ask(`GET /v1/spaces/${space}`)).body.organization, `call ${call}`).toBe(org);
      const { body } = await askWith(tokens.read, `GET /v1/spaces/${space}`);
      expect(body.permissions.admin, `call ${call}`).toBe(false);
      expect((await ask(`GET /v1/spaces/${space}/permissions/users`)).body.count, `call ${call}`).toBe(0);
    }
    if (watched.calls.total < call) break;
  }
});
