// S32: URLs of files and the JWT of `ping` end with the right that they were issued for.

import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { openSite, ping, type Stage } from "../resources/sites/site-stage";
import { type Person, people, type Setting, setUp } from "../support/setting";
import { newFile, newHiddenSpace, newSpace } from "./contents";

describe("file URLs", () => {
  let setting: Setting;
  let space: string;
  let file: string;
  beforeEach(async () => {
    setting = await setUp(memoryStorage());
    space = await newHiddenSpace(setting);
    file = (await newFile(setting, space, { name: "a.txt", content: "mine" }, "admin")).id;
    await give("guest", "read");
    await give("edit", "edit");
  });

  const give = (person: Person, role: string) =>
    setting.ask("admin", `POST /v1/spaces/${space}/permissions`, { users: [{ id: setting.ids[person], role }] });
  const take = (person: Person) =>
    setting.ask("admin", `DELETE /v1/spaces/${space}/permissions/users/${setting.ids[person]}`);
  const urlFor = async (as: Person, at = `/v1/spaces/${space}/content/files/${file}`) =>
    new URL((await setting.ask(as, `GET ${at}`)).body.downloadURL).pathname;
  const fetched = async (path: string, as: Person | null = null) => (await setting.ask(as, `GET ${path}`)).status;

  test("a file URL works for anyone who has it while its requester may read the space", async () => {
    const [guests, editors] = [await urlFor("guest"), await urlFor("edit")];
    expect(guests).not.toBe(editors);
    for (const person of [null, ...people]) expect(await fetched(guests, person)).toBe(200);
    await take("guest");
    for (const person of [null, ...people]) expect(await fetched(guests, person), String(person)).toBe(404);
    expect(await fetched(editors)).toBe(200);
    await give("guest", "read");
    expect(await fetched(guests)).toBe(200);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["the grant is taken away", () => take("edit")],
    ["they leave", () => setting.ask("admin", `DELETE /v1/orgs/${setting.org}/members/${setting.ids.edit}`)],
    ["their account is disabled", () => setting.api.changeUser(setting.ids.edit, "disabled")],
    ["their account is erased", () => setting.api.changeUser(setting.ids.edit, "erased")],
    ["the space is deleted", () => setting.ask("admin", `DELETE /v1/spaces/${space}`)],
  ])("a file URL stops working once %s, wherever it was issued", async (_, lose) => {
    const made = await setting.ask("edit", `POST /v1/spaces/${space}/change-requests`, { subject: "Change" });
    const at = `/v1/spaces/${space}`;
    const { revision } = (await setting.ask("edit", `GET ${at}`)).body;
    const content = (await setting.ask("edit", `GET ${at}/content`)).body;
    const urls = [
      await urlFor("edit"),
      await urlFor("edit", `${at}/change-requests/${made.body.id}/content/files/${file}`),
      new URL(content.files[0].downloadURL).pathname,
      new URL((await setting.ask("edit", `GET ${at}/revisions/${revision}/files`)).body.items[0].downloadURL).pathname,
    ];
    for (const url of urls) expect(await fetched(url)).toBe(200);
    await lose();
    for (const url of urls) expect(await fetched(url)).toBe(404);
  });

  test("a file URL follows a space into another organization for its readers there", async () => {
    const { ask, otherOrg } = setting;
    const door = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "create" })).body.id;
    await ask("admin", `POST /v1/orgs/${otherOrg}/invites/${door}`);
    const [admins, editors] = [await urlFor("admin"), await urlFor("edit")];
    await ask("admin", `POST /v1/spaces/${space}/permissions`, { users: [{ id: setting.ids.admin, role: "create" }] });
    await ask("admin", `POST /v1/spaces/${space}/transfer`, { organization: otherOrg });
    await setting.api.maintain();
    expect([await fetched(admins), await fetched(editors)]).toEqual([200, 404]);
  });

  test("a file URL is issued to one person, so responses and ETags differ between people", async () => {
    const at = `GET /v1/spaces/${space}/content`;
    const mine = await setting.ask("edit", at);
    const theirs = await setting.ask("guest", at, undefined, { "if-none-match": mine.headers.get("etag")! });
    expect(theirs.status).toBe(200);
    expect(theirs.body.files[0].downloadURL).not.toBe(mine.body.files[0].downloadURL);
    const again = await setting.ask("edit", at, undefined, { "if-none-match": mine.headers.get("etag")! });
    expect(again.status).toBe(304);
  });

  test("a file URL issued to an installation ends with its scope, as does a printed space", async () => {
    const { ask, org } = setting;
    const bot = "/v1/integrations/bot";
    await ask("admin", `POST ${bot}`, { organization: org, scopes: ["space:content:read", "space:metadata:read"] });
    const { id } = (await ask("admin", `POST ${bot}/installations`, { organization: org })).body;
    await ask("admin", `POST ${bot}/installations/${id}/spaces`, { space });
    const { token } = (await ask("admin", `POST ${bot}/installations/${id}/tokens`)).body;
    const asBot = (route: string) => ask(null, route, undefined, { authorization: `Bearer ${token}` });
    const { downloadURL } = (await asBot(`GET /v1/spaces/${space}/content/files/${file}`)).body;
    const pdf = new URL((await asBot(`GET /v1/spaces/${space}/pdf`)).body.url).pathname;
    const url = new URL(downloadURL).pathname;
    expect([await fetched(url), await fetched(pdf)]).toEqual([200, 200]);
    await ask("admin", `PATCH ${bot}/installations/${id}`, { scopes: ["space:metadata:read"] });
    expect([await fetched(url), await fetched(pdf)]).toEqual([404, 404]);
  });
});

describe("the JWT of ping", () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openSite("visitor-auth");
  });

  const give = (at: string, as: Person = "guest") =>
    stage.ask("admin", `POST /v1/${at}/permissions`, { users: [{ id: stage.ids[as], role: "read" }] });
  const opens = async (jwt: string) =>
    (await stage.askWith(null, `GET ${stage.at}/published?visitorToken=${jwt}`)).status === 200;
  const take = (at: string) => stage.ask("admin", `DELETE /v1/${at}/permissions/users/${stage.ids.guest}`);

  test("the JWT of ping is refused to a guest without grants and issued to everyone else", async () => {
    expect(await ping(stage, "guest")).toBeUndefined();
    for (const person of ["read", "comment", "edit", "review", "create", "admin"] as const)
      expect(await opens(await ping(stage, person)), person).toBe(true);
    await give(`spaces/${stage.space}`);
    expect(await opens(await ping(stage, "guest"))).toBe(true);
  });

  test("the JWT of ping is issued to a guest for grants to a team or collection, but not for the trash", async () => {
    const { ask, org, ids } = stage;
    const collection = (await ask("admin", `POST /v1/orgs/${org}/collections`, { title: "Shelf" })).body.id;
    await give(`collections/${collection}`);
    expect(await ping(stage, "guest")).toBeDefined();
    await ask("admin", `DELETE /v1/collections/${collection}`);
    expect(await ping(stage, "guest")).toBeUndefined();
    const team = (await ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "Friends", members: [ids.guest] })).body.id;
    const other = await newSpace(stage);
    await ask("admin", `POST /v1/spaces/${other}/permissions`, { teams: [{ id: team, role: "read" }] });
    expect(await ping(stage, "guest")).toBeDefined();
    await ask("admin", `DELETE /v1/spaces/${other}`);
    expect(await ping(stage, "guest")).toBeUndefined();
  });

  test("the JWT of ping opens nothing for a guest without a space on the site, or after losing it", async () => {
    const other = await newSpace(stage);
    await give(`spaces/${other}`);
    const jwt = await ping(stage, "guest");
    expect(await opens(jwt)).toBe(false);
    await give(`spaces/${stage.space}`);
    expect(await opens(jwt)).toBe(true);
    expect(await stage.api.visitor(jwt)).toMatchObject({ sub: stage.ids.guest });
    await take(`spaces/${stage.space}`);
    expect(await opens(jwt)).toBe(false);
    await take(`spaces/${other}`);
    expect(await stage.api.visitor(jwt)).toBeUndefined();
  });

  test("the JWT of ping opens nothing for a member who became a guest or left", async () => {
    const { ask, org, ids } = stage;
    const [demoted, gone] = [await ping(stage, "read"), await ping(stage, "edit")];
    expect([await opens(demoted), await opens(gone)]).toEqual([true, true]);
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.read}`, { role: null });
    await ask("admin", `DELETE /v1/orgs/${org}/members/${ids.edit}`);
    expect([await opens(demoted), await opens(gone)]).toEqual([false, false]);
    for (const jwt of [demoted, gone]) expect(await stage.api.visitor(jwt)).toBeUndefined();
  });
});
