// The life of an account as the host decides it: disabled, enabled again, erased, and who comes with the same id later.

import { createDocsApi, type DocsApi, type HostUser, type KnownUser } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { dump, open, SECRET, seeded, setUp } from "../../support/setting";

async function known(api: DocsApi): Promise<KnownUser[]> {
  const all: KnownUser[] = [];
  for await (const user of api.users()) all.push(user);
  return all;
}

test("a disabled account has no access anywhere until it is enabled", async () => {
  const { api, ask, org, ids, storage } = await setUp(memoryStorage());
  const { body: link } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, { role: "read" });
  const jwt = (await ask("admin", `POST /v1/orgs/${org}/ping`)).body.serviceVisitorClaims;
  const second = (await ask("edit", "POST /v1/user/tokens", { label: "a" })).body.token;
  const member = async (who: "admin" | "edit") =>
    (await ask("create", `GET /v1/orgs/${org}/members/${ids[who]}`)).body.disabled;
  await api.changeUser(ids.edit, "disabled");
  await api.changeUser(ids.admin, "disabled");
  await api.changeUser(ids.admin, "disabled");
  for (const token of ["edit", "admin"] as const)
    expect((await ask(token, "GET /v1/user")).body.error.reason).toBe("token_unknown");
  expect((await open(storage).askWith(second, "GET /v1/user")).status).toBe(401);
  expect(await api.visitor(jwt)).toBeUndefined();
  expect((await ask("stranger", `POST /v1/orgs/${org}/invites/${link.id}`)).body.error.reason).toBe("invite_not_found");
  await expect(api.call("getCurrentUser", {}, { user: ids.edit })).rejects.toMatchObject({ reason: "user_disabled" });
  expect([await member("admin"), await member("edit")]).toEqual([true, true]);
  const all = await known(api);
  expect(
    all
      .filter(({ disabledAt }) => disabledAt !== undefined)
      .map(({ id }) => id)
      .sort(),
  ).toEqual([ids.admin, ids.edit].sort());
  for (const who of ["admin", "edit"] as const) await api.changeUser(ids[who], "enabled");
  expect((await ask("edit", "GET /v1/user")).status).toBe(200);
  expect(await api.visitor(jwt), "what was handed out before has ended for good").toBeUndefined();
  const renewed = (await ask("admin", `POST /v1/orgs/${org}/ping`)).body.serviceVisitorClaims;
  expect((await api.visitor(renewed))?.sub).toBe(ids.admin);
  expect((await ask("stranger", `POST /v1/orgs/${org}/invites/${link.id}`)).status).toBe(200);
  expect([await member("admin"), await member("edit")]).toEqual([false, false]);
  const query = `audit-events?order=asc&thing=${ids.admin}&actor=host`;
  const { items } = (await ask("admin", `GET /v1/orgs/${org}/${query}`)).body;
  expect(items.map(({ action }: { action: string }) => action)).toEqual(["userDisabled", "userEnabled"]);
});

test("who is named by the host application does not change their name, and everybody else does", async () => {
  const { api, ask } = await setUp(memoryStorage());
  const host = { id: "42", displayName: "Grace", email: "grace@example.org" };
  const { user } = await api.provision({ user: host });
  await api.provision({ user: { id: "own-id", displayName: "Alan", email: "alan@example.org" } });
  const change = api.call("updateCurrentUser", { body: { displayName: "Admiral" } }, { user });
  await expect(change).rejects.toMatchObject({ status: 403, reason: "profile_managed" });
  const own = api.call("updateUser", { params: { userId: "own-id" }, body: { photoURL: null } }, { user: "own-id" });
  await expect(own).rejects.toMatchObject({ reason: "profile_managed" });
  expect((await ask("edit", "PATCH /v1/user", { displayName: "Ada" })).status).toBe(200);
});

test("erasing removes the name, the address, the tokens and the invites, and is refused for the last admin", async () => {
  const { api, ask, org, ids, storage } = await setUp(memoryStorage());
  await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: ["create@example.com"] });
  await expect(api.changeUser(ids.admin, "erased")).rejects.toMatchObject({ reason: "last_admin" });
  await expect(api.changeUser("usr_none", "erased")).rejects.toMatchObject({ reason: "user_not_found" });
  await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.create}`, { role: "admin" });
  await api.changeUser(ids.admin, "erased");
  const stored = JSON.stringify([...(await dump(storage))]);
  expect(stored).not.toContain("admin@example.com");
  expect(stored).not.toContain("The admin");
  expect(stored).toContain(ids.admin);
  expect((await ask("admin", "GET /v1/user")).status).toBe(401);
  expect(
    (await ask("create", `GET /v1/orgs/${org}/members`)).body.items.map(({ id }: { id: string }) => id),
  ).not.toContain(ids.admin);
  expect((await known(api)).map(({ id }) => id)).not.toContain(ids.admin);
  await expect(api.changeUser(ids.admin, "enabled")).rejects.toMatchObject({ reason: "user_not_found" });
  await expect(api.call("getCurrentUser", {}, { user: ids.admin })).rejects.toMatchObject({ reason: "user_not_found" });
  // The address is free again, and two erased users do not stand in each other's way.
  await api.changeUser(ids.stranger, "erased");
  const again = await api.provision({ user: { displayName: "Ada", email: "admin@example.com" } });
  expect(again.user).not.toBe(ids.admin);
});

test.each([
  ["a number", 17],
  ["a text of our form", "ada"],
])("a person who returns with the same host id after being erased is a new user: %s", async (_, id) => {
  const ada: HostUser = { id, displayName: "Ada", email: "ada@example.com", emailVerified: true };
  const api = createDocsApi(memoryStorage(), { secret: SECRET, random: seeded(1), authenticate: () => ada });
  const me = async () => (await api.fetch(new Request("http://x/v1/user"))).json();
  const before = await me();
  expect((await me()).id).toBe(before.id);
  await api.changeUser(before.id, "disabled");
  expect((await me()).error.reason).toBe("user_disabled");
  await api.changeUser(before.id, "enabled");
  expect((await me()).id).toBe(before.id);
  await api.changeUser(before.id, "erased");
  const after = await me();
  expect(after.id).not.toBe(before.id);
  expect((await me()).id).toBe(after.id);
});

test("an export has everything a user wrote anywhere, and nothing of anyone else", async () => {
  const { ask, org } = await setUp(memoryStorage());
  const spaces: string[] = [];
  for (const title of ["One", "Two", "Three"])
    spaces.push((await ask("admin", `POST /v1/orgs/${org}/spaces`, { title })).body.id);
  const post = async (as: "admin" | "edit", at: string) => {
    const { status, body } = await ask(as, `POST ${at}`, { body: { markdown: "Words." } });
    expect(status, JSON.stringify(body)).toBeLessThan(300);
    return body.id as string;
  };
  const [one, two, three] = spaces.map((space) => `/v1/spaces/${space}`) as [string, string, string];
  const theirs = await post("admin", `${one}/comments`);
  const mine = [await post("edit", `${two}/comments`), await post("edit", `${one}/comments/${theirs}/replies`)];
  await post("admin", `${three}/comments`);
  const { body: request } = await ask("edit", `POST ${three}/change-requests`, { subject: "More" });
  mine.push(await post("edit", `${three}/change-requests/${request.id}/comments`));
  const gone = await post("edit", `${two}/comments`);
  expect((await ask("edit", `DELETE ${two}/comments/${gone}`)).status).toBe(204);
  const written = async (as: "admin" | "edit" | "read") => {
    const { body } = await ask(as, "GET /v1/user/export");
    const lines = (body as string).trim().split("\n");
    return lines
      .map((line) => JSON.parse(line) as { object: string; id: string })
      .filter(({ object }) => object.startsWith("comment"))
      .map(({ id }) => id)
      .sort();
  };
  expect(await written("edit")).toEqual(mine.toSorted());
  expect(await written("admin")).toHaveLength(2);
  expect(await written("read")).toEqual([]);
});

test("a long export is complete and ordered", async () => {
  const { ask, org } = await setUp(memoryStorage());
  const space = (await ask("admin", `POST /v1/orgs/${org}/spaces`, { title: "Long" })).body.id as string;
  const ids: string[] = [];
  for (let n = 0; n < 250; n++)
    ids.push((await ask("admin", `POST /v1/spaces/${space}/comments`, { body: { markdown: `${n}` } })).body.id);
  const { body } = await ask("admin", "GET /v1/user/export");
  const lines = (body as string)
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ object }) => object === "comment").map(({ id }) => id)).toEqual(ids.toSorted());
  expect(lines.filter(({ action }) => action === "postCommentOnSpace")).toHaveLength(250);
});
