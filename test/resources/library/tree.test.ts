// Random histories of the tree against a simple model of it: creating, moving, deleting, restoring, copying, sending to
// another organization and fetching back, and days that pass. After every step the API must list what the model lists, in the same order, on every storage.

import fc from "fast-check";
import type { Storage } from "octavo";
import { describe, expect, test } from "vitest";
import { DAY, type Setting, setUp } from "../../support/setting";
import { storages } from "../../support/storages";
import { runs } from "../../support/test-length";

interface Thing {
  readonly id: string;
  readonly type: "space" | "collection";
  parent: string | null;
  deletedAt: number | undefined;
}

/** Children in their order, with those in the trash still in their places. */
class Model {
  readonly things = new Map<string, Thing>();
  readonly children = new Map<string | null, string[]>([[null, []]]);

  live(type: Thing["type"]): Thing[] {
    return [...this.things.values()].filter((it) => it.type === type && it.deletedAt === undefined);
  }

  under(parent: string | null, type: Thing["type"]): string[] {
    return (this.children.get(parent) ?? []).filter((id) => {
      const thing = this.things.get(id)!;
      return thing.type === type && thing.deletedAt === undefined;
    });
  }

  insert(thing: Thing, beside?: { id: string; side: "before" | "after" }): void {
    const list = this.children.get(thing.parent)!;
    const at = beside ? list.indexOf(beside.id) + (beside.side === "after" ? 1 : 0) : list.length;
    list.splice(at, 0, thing.id);
    this.things.set(thing.id, thing);
    if (thing.type === "collection" && !this.children.has(thing.id)) this.children.set(thing.id, []);
  }

  take(thing: Thing): void {
    const list = this.children.get(thing.parent)!;
    list.splice(list.indexOf(thing.id), 1);
  }

  isInside(id: string | null, container: string): boolean {
    for (let at = id; at !== null; at = this.things.get(at)?.parent ?? null) if (at === container) return true;
    return false;
  }

  /** A collection goes for good; what is in it, and was in the trash already, is in the trash at the top. */
  deleteCollection(collection: Thing, now: number): void {
    for (const id of [...this.children.get(collection.id)!]) {
      const thing = this.things.get(id)!;
      if (thing.type === "collection") {
        this.deleteCollection(thing, now);
        continue;
      }
      thing.deletedAt ??= now;
      this.take(thing);
      thing.parent = null;
      this.insert(thing);
    }
    this.take(collection);
    this.things.delete(collection.id);
  }

  restore(space: Thing): void {
    space.deletedAt = undefined;
  }

  /** Spaces whose seven days are over. */
  readonly gone = new Set<string>();
  /** Spaces that went to the other organization. */
  readonly away = new Set<string>();

  /** Seven days after its deletion a space is gone. */
  purge(now: number): void {
    for (const thing of [...this.things.values()]) {
      if (thing.deletedAt === undefined || now - thing.deletedAt < 7 * DAY) continue;
      if (this.children.get(thing.parent)?.includes(thing.id)) this.take(thing);
      this.things.delete(thing.id);
      this.gone.add(thing.id);
    }
  }
}

const step = fc.record({
  what: fc.constantFrom(
    "collection",
    "space",
    "space",
    "move",
    "move",
    "delete",
    "restore",
    "copy",
    "wait",
    "send",
    "fetch",
  ),
  pick: fc.nat(),
  where: fc.nat(),
  beside: fc.nat(),
  side: fc.constantFrom("before" as const, "after" as const),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pointer = ({ id, type }: Thing) => (type === "space" ? { type, space: id } : { type, collection: id });
const pickFrom = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)];

async function take(
  model: Model,
  { ask, org, otherOrg, clock, api }: Setting,
  { what, pick, where, beside, side }: Step,
): Promise<void> {
  const now = clock.now.getTime();
  const parent = pickFrom([null, ...model.live("collection").map((it) => it.id)], where)!;
  if (what === "collection" || what === "space") {
    const answer = await ask("admin", `POST /v1/orgs/${org}/${what}s`, { title: "x", parent });
    expect(answer.status).toBe(201);
    model.insert({ id: answer.body.id, type: what, parent, deletedAt: undefined });
  } else if (what === "move") {
    const thing = pickFrom([...model.live("space"), ...model.live("collection")], pick);
    if (!thing) return;
    const siblings = (model.children.get(parent) ?? []).map((id) => model.things.get(id)!);
    const neighbour = pickFrom(
      siblings.filter((it) => it.deletedAt === undefined && it.id !== thing.id),
      beside,
    );
    const position = neighbour && beside % 3 > 0 ? { position: { [side]: pointer(neighbour) } } : {};
    const answer = await ask("admin", `POST /v1/${thing.type}s/${thing.id}/move`, { parent, ...position });
    if (thing.type === "collection" && model.isInside(parent, thing.id)) {
      expect(answer.body.error.reason).toBe("cyclic_move");
      return;
    }
    expect(answer.status).toBe(200);
    model.take(thing);
    thing.parent = parent;
    model.insert(thing, "position" in position ? { id: neighbour!.id, side } : undefined);
  } else if (what === "delete") {
    const thing = pickFrom([...model.live("space"), ...model.live("collection")], pick);
    if (!thing) return;
    expect((await ask("admin", `DELETE /v1/${thing.type}s/${thing.id}`)).status).toBe(204);
    if (thing.type === "collection") model.deleteCollection(thing, now);
    else thing.deletedAt = now;
  } else if (what === "restore") {
    const thing = pickFrom(
      [...model.things.values()].filter((it) => it.deletedAt !== undefined),
      pick,
    );
    if (!thing) return;
    expect((await ask("admin", `POST /v1/spaces/${thing.id}/restore`)).status).toBe(200);
    model.restore(thing);
  } else if (what === "copy") {
    const thing = pickFrom(model.live("space"), pick);
    if (!thing) return;
    const answer = await ask("admin", `POST /v1/spaces/${thing.id}/duplicate`);
    model.insert({ ...thing, id: answer.body.id }, { id: thing.id, side: "after" });
  } else if (what === "send") {
    const thing = pickFrom(model.live("space"), pick);
    if (!thing) return;
    const answer = await ask("admin", `POST /v1/spaces/${thing.id}/transfer`, { organization: otherOrg });
    expect([answer.status, answer.body.organization]).toEqual([200, otherOrg]);
    model.take(thing);
    model.things.delete(thing.id);
    model.away.add(thing.id);
  } else if (what === "fetch") {
    const id = pickFrom([...model.away], pick);
    if (!id) return;
    const collection = parent === null ? {} : { collection: parent };
    const answer = await ask("admin", `POST /v1/spaces/${id}/transfer`, { organization: org, ...collection });
    expect([answer.status, answer.body.organization]).toEqual([200, org]);
    model.away.delete(id);
    model.insert({ id, type: "space", parent, deletedAt: undefined });
  } else {
    clock.forward((1 + (pick % 5)) * DAY);
    await api.maintain();
    model.purge(clock.now.getTime());
  }
}

async function compare(model: Model, { ask, org, otherOrg }: Setting): Promise<void> {
  const ids = async (route: string) => {
    const { body } = await ask(
      "admin",
      `GET ${route}?limit=1000${route.endsWith("collections") ? "&nested=false" : ""}`,
    );
    expect(body.count).toBe(body.items.length);
    return body.items.map((item: { id: string }) => item.id) as string[];
  };
  expect(await ids(`/v1/orgs/${org}/collections`)).toEqual(model.under(null, "collection"));
  expect((await ids(`/v1/orgs/${org}/spaces`)).sort()).toEqual(
    model
      .live("space")
      .map((it) => it.id)
      .sort(),
  );
  for (const { id } of model.live("collection"))
    expect(await ids(`/v1/collections/${id}/spaces`)).toEqual(model.under(id, "space"));
  const away = (await ask("rival", `GET /v1/orgs/${otherOrg}/spaces?limit=1000`)).body.items.map(
    (it: { id: string }) => it.id,
  );
  expect(away.sort()).toEqual([...model.away].sort());
  for (const id of model.away) expect((await ask("rival", `GET /v1/spaces/${id}`)).body.organization).toBe(otherOrg);
  for (const id of model.gone) expect((await ask("admin", `GET /v1/spaces/${id}`)).status).toBe(404);
  for (const thing of model.things.values()) {
    const { body } = await ask("admin", `GET /v1/${thing.type}s/${thing.id}`);
    expect([body.parent ?? null, body.deletedAt !== undefined]).toEqual([thing.parent, thing.deletedAt !== undefined]);
  }
}

async function play(storage: Storage, steps: readonly Step[]): Promise<void> {
  const setting = await setUp(storage);
  const door = await setting.ask("rival", `POST /v1/orgs/${setting.otherOrg}/link-invites`, { role: "create" });
  await setting.ask("admin", `POST /v1/orgs/${setting.otherOrg}/invites/${door.body.id}`);
  const model = new Model();
  for (const next of steps) {
    setting.clock.forward(1000);
    await take(model, setting, next);
    await compare(model, setting);
  }
}

describe.each(storages)("on %s", (name, open) => {
  test("any history gives the tree of the model", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const { storage, cleanUp } = await open();
        try {
          await play(storage, steps);
        } finally {
          await storage.close();
          await cleanUp();
        }
      }),
      { numRuns: runs(name === "memory" ? 200 : 40) },
    );
  });
});
