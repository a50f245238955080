// What is closed in the tree stays closed, whatever becomes of the place that closed it, and nobody opens a thing further
// than they may themselves.

import { memoryStorage } from "octavo/memory";
import { TranslatorError } from "octavo/translators";
import { beforeEach, describe, expect, test } from "vitest";
import { DAY, type Person, people, type Setting, setUp } from "../support/setting";

let setting: Setting;
beforeEach(async () => {
  setting = await setUp(memoryStorage(), {
    translator: async () => {
      throw new TranslatorError("rejected", "The translator does not know this language.");
    },
  });
});

const ask: Setting["ask"] = (...args) => setting.ask(...args);
const make = async (kind: "spaces" | "collections", send: object, as: Person = "admin") =>
  (await ask(as, `POST /v1/orgs/${setting.org}/${kind}`, send)).body.id as string;
const level = (at: string, defaultLevel: string | null) => ask("admin", `PATCH /v1/${at}`, { defaultLevel });
const give = (at: string, person: Person, role: string) =>
  ask("admin", `POST /v1/${at}/permissions`, { users: [{ id: setting.ids[person], role }] });
const restore = (as: Person, space: string) => ask(as, `POST /v1/spaces/${space}/restore`);

/** Who reads a space. */
async function readers(space: string): Promise<Person[]> {
  const all = await Promise.all(
    people.map(async (person) => ((await ask(person, `GET /v1/spaces/${space}`)).status === 200 ? [person] : [])),
  );
  return all.flat();
}

describe("S20: restoring a space of a deleted collection", () => {
  let vault: string;
  beforeEach(async () => {
    vault = await make("collections", { title: "Vault" });
    await level(`collections/${vault}`, null);
  });

  test("S20: a space of a deleted collection is as restricted as before, and visible in the trash only to those who may have it", async () => {
    const space = await make("spaces", { title: "Secrets", parent: vault });
    await ask("admin", `DELETE /v1/collections/${vault}`);
    for (const person of people) {
      if (person === "admin") continue;
      expect((await ask(person, `GET /v1/spaces/${space}`)).status, person).toBe(404);
      expect((await restore(person, space)).status, person).toBe(404);
    }
    expect((await restore("admin", space)).body).toMatchObject({ defaultLevel: null, visibility: "private" });
    expect(await readers(space)).toEqual(["admin"]);
  });

  test("S20: a space in a nested restricted collection stays restricted, however the collections were deleted", async () => {
    for (const deleted of ["inner", "vault"]) {
      const inner = await make("collections", { title: "Inner", parent: vault });
      const deeper = await make("collections", { title: "Deeper", parent: inner });
      const spaces = [
        await make("spaces", { title: "Secrets", parent: inner }),
        await make("spaces", { title: "More", parent: deeper }),
      ];
      await ask("admin", `DELETE /v1/collections/${deleted === "inner" ? inner : vault}`);
      await setting.api.maintain();
      for (const space of spaces) {
        expect((await restore("admin", space)).status).toBe(200);
        expect(await readers(space)).toEqual(["admin"]);
      }
    }
  });

  test("S20: a space deleted before its collection, which was restricted later, stays restricted", async () => {
    const shelf = await make("collections", { title: "Shelf" });
    const space = await make("spaces", { title: "Secrets", parent: shelf });
    await ask("admin", `DELETE /v1/spaces/${space}`);
    await level(`collections/${shelf}`, null);
    await ask("admin", `DELETE /v1/collections/${shelf}`);
    expect((await restore("create", space)).status).toBe(404);
    expect((await restore("admin", space)).status).toBe(200);
    expect(await readers(space)).toEqual(["admin"]);
  });

  test("S20: a restored space has the level of its collection or its own", async () => {
    const shelf = await make("collections", { title: "Shelf" });
    await level(`collections/${shelf}`, "comment");
    const shared = await make("spaces", { title: "Shared", parent: shelf });
    const closed = await make("spaces", { title: "Closed", parent: shelf });
    await level(`spaces/${closed}`, null);
    await ask("admin", `DELETE /v1/collections/${shelf}`);
    expect((await restore("admin", shared)).body.defaultLevel).toBe("comment");
    expect((await restore("admin", closed)).body.defaultLevel).toBe(null);
    const open = await make("collections", { title: "Open" });
    const plain = await make("spaces", { title: "Plain", parent: open });
    await ask("admin", `DELETE /v1/collections/${open}`);
    expect((await restore("create", plain)).body.defaultLevel).toBe("inherit");
    expect(await readers(plain)).toContain("read");
  });

  test("S20: whoever deleted the collection restores its spaces, and grants on the collection are gone", async () => {
    await give(`collections/${vault}`, "read", "create");
    await give(`collections/${vault}`, "edit", "create");
    await give(`collections/${vault}`, "guest", "read");
    const inner = await make("collections", { title: "Inner", parent: vault });
    const space = await make("spaces", { title: "Secrets", parent: inner });
    await give(`spaces/${space}`, "comment", "read");
    expect(await readers(space)).toEqual(["read", "comment", "edit", "admin", "guest"]);
    expect((await ask("read", `DELETE /v1/collections/${vault}`)).status).toBe(204);
    await setting.api.maintain();
    expect((await restore("edit", space)).status).toBe(404);
    expect((await restore("read", space)).body.permissions.admin).toBe(true);
    expect(await readers(space)).toEqual(["read", "comment", "admin"]);
  });

  test("S20: whoever deleted a collection restores all of its spaces", async () => {
    await give(`collections/${vault}`, "read", "create");
    const spaces: string[] = [];
    for (let n = 0; n < 40; n++) spaces.push(await make("spaces", { title: `Space ${n}`, parent: vault }, "read"));
    expect((await ask("read", `DELETE /v1/collections/${vault}`)).status).toBe(204);
    await setting.api.maintain();
    for (const space of spaces) expect((await restore("read", space)).status).toBe(200);
    expect((await ask("admin", `GET /v1/orgs/${setting.org}/jobs?status=parked`)).body.count).toBe(0);
  });

  test("S20: a restored space is restricted when its collection moved to another organization", async () => {
    const { otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const space = await make("spaces", { title: "Secrets", parent: vault });
    await ask("admin", `DELETE /v1/spaces/${space}`);
    await ask("admin", `POST /v1/collections/${vault}/transfer`, { organization: otherOrg });
    for (let n = 0; n < 3; n++) await setting.api.maintain();
    expect((await ask("rival", `GET /v1/collections/${vault}`)).body.organization).toBe(otherOrg);
    expect((await restore("create", space)).status).toBe(404);
    expect((await restore("admin", space)).status).toBe(200);
    expect(await readers(space)).toEqual(["admin"]);
  });

  test("S20: a restored space is restricted where an earlier version left no level", async () => {
    const space = await make("spaces", { title: "Secrets", parent: vault });
    await ask("admin", `DELETE /v1/collections/${vault}`);
    const partition = setting.storage.partition(`org-${setting.org.slice("org_".length)}`);
    const rows = await (await partition.snapshot()).list({ under: "", limit: 10_000 });
    const row = rows.find(({ value }) => {
      const it = value as { id?: string; defaultLevel?: unknown } | null;
      return it?.id === space && it.defaultLevel !== undefined;
    })!;
    const aged = { ...(row.value as object), parent: vault, defaultLevel: "inherit" };
    await partition.commit({ checks: [], puts: [{ key: row.key, value: aged as never }], deletes: [], adds: [] });
    expect((await restore("create", space)).status).toBe(404);
    expect((await restore("admin", space)).body.defaultLevel).toBe(null);
    expect(await readers(space)).toEqual(["admin"]);
  });
});

describe("S24: permission to duplicate", () => {
  test("S24: duplicating in a collection needs create there, even if it is hidden", async () => {
    const shelf = await make("collections", { title: "Shelf" });
    await level(`collections/${shelf}`, "read");
    const space = await make("spaces", { title: "Docs", parent: shelf });
    await give(`spaces/${space}`, "create", "create");
    const refused = await ask("create", `POST /v1/spaces/${space}/duplicate`);
    expect([refused.status, refused.body.error.reason]).toEqual([403, "forbidden"]);
    await level(`collections/${shelf}`, null);
    const hidden = await ask("create", `POST /v1/spaces/${space}/duplicate`);
    expect([hidden.status, hidden.body.error.reason]).toEqual([403, "forbidden"]);
    const moved = await ask("create", `POST /v1/spaces/${space}/move`, {});
    expect([moved.status, moved.body.error.reason]).toEqual([403, "forbidden"]);
    await give(`collections/${shelf}`, "create", "create");
    expect((await ask("create", `POST /v1/spaces/${space}/duplicate`)).body.parent).toBe(shelf);
  });

  test("S24: duplicating at the top level needs create in the organization", async () => {
    const space = await make("spaces", { title: "Docs" });
    for (const person of ["guest", "read", "review"] as const) {
      await give(`spaces/${space}`, person, "create");
      expect((await ask(person, `POST /v1/spaces/${space}/duplicate`)).status, person).toBe(403);
    }
    expect((await ask("create", `POST /v1/spaces/${space}/duplicate`)).status).toBe(201);
  });

  test("S24: a copy of a restricted space is restricted and belongs to its creator", async () => {
    const space = await make("spaces", { title: "Secrets" });
    await level(`spaces/${space}`, null);
    await give(`spaces/${space}`, "create", "create");
    await give(`spaces/${space}`, "read", "read");
    const copy = (await ask("create", `POST /v1/spaces/${space}/duplicate`)).body;
    expect(copy).toMatchObject({ defaultLevel: null, permissions: { admin: true } });
    expect(await readers(copy.id)).toEqual(["create", "admin"]);
  });

  test("S24: a copy, or an ended translation, is visible to no one who could not see the source", async () => {
    const source = await make("spaces", { title: "Secrets" });
    await level(`spaces/${source}`, null);
    await give(`spaces/${source}`, "create", "read");
    const made = await ask("create", `POST /v1/orgs/${setting.org}/translations`, {
      language: "de",
      source: { space: source },
    });
    const result = made.body.result.space;
    expect((await ask("create", `PATCH /v1/spaces/${result}`, { defaultLevel: "read" })).status).toBe(200);
    expect(await readers(result)).toEqual(["create", "admin"]);
    const copy = (await ask("create", `POST /v1/spaces/${result}/duplicate`)).body.id;
    expect(await readers(copy)).toEqual(["create", "admin"]);
    await ask("admin", `DELETE /v1/spaces/${source}`);
    setting.clock.forward(8 * DAY);
    await setting.api.maintain();
    expect(await readers(result)).toEqual(["create", "admin"]);
  });
});

describe("S25: privilege escalation", () => {
  const above = (answer: { status: number; body: { error?: { reason: string } } }) =>
    expect([answer.status, answer.body.error?.reason]).toEqual([403, "above_own_role"]);

  test("S25: no default level of a space or collection may exceed the caller's role", async () => {
    const at = {
      spaces: await make("spaces", { title: "Docs" }),
      collections: await make("collections", { title: "Shelf" }),
    };
    for (const kind of ["spaces", "collections"] as const) {
      const one = `/v1/${kind}/${at[kind]}`;
      above(await ask("create", `PATCH ${one}`, { defaultLevel: "admin" }));
      for (const defaultLevel of ["create", "read", null, "inherit"] as const) {
        await level(`${kind}/${at[kind]}`, "inherit");
        expect((await ask("create", `PATCH ${one}`, { defaultLevel })).status, String(defaultLevel)).toBe(200);
      }
      expect((await ask("admin", `PATCH ${one}`, { defaultLevel: "admin" })).status).toBe(200);
      // What is there already is not given by whoever says it again.
      expect((await ask("create", `PATCH ${one}`, { title: "Same", defaultLevel: "admin" })).status).toBe(200);
    }
  });

  test("S25: inheriting the level of a collection above may not exceed the caller's role", async () => {
    const shelf = await make("collections", { title: "Shelf" });
    await level(`collections/${shelf}`, "admin");
    const space = await make("spaces", { title: "Docs", parent: shelf });
    const inner = await make("collections", { title: "Inner", parent: shelf });
    for (const at of [`spaces/${space}`, `collections/${inner}`]) {
      await level(at, null);
      await give(at, "create", "create");
      above(await ask("create", `PATCH /v1/${at}`, { defaultLevel: "inherit" }));
      expect((await ask("create", `PATCH /v1/${at}`, { title: "Other" })).status).toBe(200);
    }
  });

  test("S25: moving a resource may not give it a level above the caller's role", async () => {
    const shelf = await make("collections", { title: "Shelf" });
    await level(`collections/${shelf}`, "admin");
    await give(`collections/${shelf}`, "create", "create");
    const space = await make("spaces", { title: "Docs" });
    const inner = await make("collections", { title: "Inner" });
    for (const at of [`spaces/${space}`, `collections/${inner}`]) {
      above(await ask("create", `POST /v1/${at}/move`, { parent: shelf }));
      expect((await ask("create", `PATCH /v1/${at}`, { defaultLevel: "create" })).status).toBe(200);
      expect((await ask("create", `POST /v1/${at}/move`, { parent: shelf })).status).toBe(200);
    }
  });

  test("S25: copying or transferring a resource may not give it a level above the caller's role", async () => {
    const { otherOrg, ids } = setting;
    const space = await make("spaces", { title: "Docs" });
    await level(`spaces/${space}`, "admin");
    await give(`spaces/${space}`, "create", "create");
    expect((await ask("create", `POST /v1/spaces/${space}/duplicate`)).body.defaultLevel).toBe("create");
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("create", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const theirs = (await ask("rival", `POST /v1/orgs/${otherOrg}/collections`, { title: "Theirs" })).body.id;
    await ask("rival", `PATCH /v1/collections/${theirs}`, { defaultLevel: "admin" });
    const users = [{ id: ids.create, role: "create" }];
    await ask("rival", `POST /v1/collections/${theirs}/permissions`, { users });
    const plain = await make("spaces", { title: "Plain" });
    above(await ask("create", `POST /v1/spaces/${plain}/transfer`, { organization: otherOrg, collection: theirs }));
  });
});
