// SCIM, as the large providers speak it: their requests in their order and in their spelling.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { users } from "../../src/resources/people/users/records";
import { createSignIn } from "../../src/sign-in";
import { beginSession } from "../../src/sign-in/begin-session";
import { DIRECTORY } from "../../src/storage/ids";
import { type Setting, setUp } from "../support/setting";

let setting: Setting;
let scim: Awaited<ReturnType<typeof directoryOf>>;

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User";

/** Asks as the directory of an organization. */
async function directoryOf(org: string, admin: "admin" | "rival") {
  const { api, ask } = setting;
  const signIn = createSignIn(api);
  const made = await ask(admin, `POST /v1/orgs/${org}/scim-tokens`, { label: "Directory" });
  const token = made.body.token as string;
  const as =
    (bearer: string) =>
    async (route: string, send?: unknown, type = "application/scim+json") => {
      const [method, path] = route.split(" ") as [string, string];
      const headers = { authorization: `Bearer ${bearer}`, "content-type": type };
      const body = send === undefined ? null : typeof send === "string" ? send : JSON.stringify(send);
      const request = new Request(`http://localhost:3000/scim/v2/${org}${path}`, { method, headers, body });
      const response = await signIn.fetch(request);
      const text = await response.text();
      if (text !== "") expect(response.headers.get("content-type")).toBe("application/scim+json; charset=utf-8");
      // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
      const told: any = text === "" ? undefined : JSON.parse(text);
      return { status: response.status, headers: response.headers, body: told };
    };
  return { ask: as(token), as, token, id: made.body.id as string };
}

const find = (filter: string, more = "") => scim.ask(`GET /Users?filter=${encodeURIComponent(filter)}${more}`);
const patch = (path: string, ...Operations: object[]) => scim.ask(`PATCH ${path}`, { schemas: [PATCH], Operations });

beforeAll(async () => {
  setting = await setUp(memoryStorage());
  const { ask, org, otherOrg } = setting;
  await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["acme.example"], defaultRole: "comment" });
  await ask("rival", `PATCH /v1/orgs/${otherOrg}`, { emailDomains: ["rival.example"] });
  scim = await directoryOf(org, "admin");
});

/** Signs a user in, and gives what their browser sends. */
async function cookieOf(user: string) {
  const inside = getApiInternals(setting.api);
  const house = { ...inside, options: {}, urlOf: (path: string) => path };
  const { setCookie } = await inside.kernel.store.write(DIRECTORY, (tx) =>
    beginSession(tx, house as never, { headers: new Headers(), address: undefined } as never, { user, by: "link" }),
  );
  return { cookie: setCookie.split(";")[0]!, "sec-fetch-site": "same-origin" };
}

const memberOf = async (id: string) => (await setting.ask("admin", `GET /v1/orgs/${setting.org}/members/${id}`)).body;

describe("requests of Entra ID", () => {
  test("the requests of Entra ID find, create, change, deactivate and delete a user", async () => {
    const { askWith, org } = setting;
    expect((await find('userName eq "5a1c0e0a-0000-4000-8000-000000000000"')).body).toMatchObject({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
      totalResults: 0,
      Resources: [],
    });
    const made = await scim.ask("POST /Users", {
      schemas: [`${CORE}:User`, ENTERPRISE],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "Ann@acme.example",
      active: true,
      emails: [{ primary: true, type: "work", value: "ann@acme.example" }],
      meta: { resourceType: "User" },
      name: { formatted: "Ann Lee", familyName: "Lee", givenName: "Ann" },
      roles: [],
      [ENTERPRISE]: { department: "Docs" },
    });
    expect(made.status).toBe(201);
    const { id } = made.body;
    expect(made.headers.get("location")).toBe(`http://localhost:3000/scim/v2/${org}/Users/${id}`);
    expect(made.body).toMatchObject({ userName: "Ann@acme.example", displayName: "Ann Lee", active: true });
    expect(await memberOf(id)).toMatchObject({ role: "comment", disabled: false, user: { displayName: "Ann Lee" } });
    expect((await find('externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')).body.Resources[0].id).toBe(id);
    expect((await find('userName eq "ann@ACME.example" and active eq true')).body.totalResults).toBe(1);
    expect((await find('emails[type eq "work"].value eq "ann@acme.example"')).body.totalResults).toBe(1);

    const changed = await patch(
      `/Users/${id}`,
      { op: "Replace", path: "name.familyName", value: "Low" },
      { op: "Add", path: 'emails[type eq "work"].value', value: "ann.low@acme.example" },
      { op: "Add", path: `${ENTERPRISE}:manager`, value: "nobody" },
      { op: "replace", value: { "name.givenName": "Anna", externalId: "new", [`${ENTERPRISE}:department`]: "Sales" } },
    );
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      displayName: "Anna Low",
      name: { givenName: "Anna", familyName: "Low" },
      externalId: "new",
      emails: [{ value: "ann.low@acme.example" }],
    });
    expect((await memberOf(id)).user).toMatchObject({ displayName: "Anna Low", email: "ann.low@acme.example" });

    const cookie = await cookieOf(id);
    const token = (await askWith(null, "POST /v1/user/tokens", { label: "mine" }, cookie)).body.token;
    expect((await askWith(token, `GET /v1/orgs/${org}`)).status).toBe(200);
    const off = await patch(`/Users/${id}`, { op: "Replace", path: "active", value: "False" });
    expect(off.body.active).toBe(false);
    expect((await askWith(null, "GET /v1/user", undefined, cookie)).status, "the session has ended").toBe(401);
    expect((await askWith(token, "GET /v1/user")).status, "and the token").toBe(401);
    expect((await patch(`/Users/${id}`, { op: "Replace", path: "active", value: "True" })).body.active).toBe(true);
    expect((await scim.ask(`DELETE /Users/${id}`)).status).toBe(204);
    expect((await scim.ask(`GET /Users/${id}`)).body).toEqual({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: "404",
      detail: "There is no such resource in this organization.",
    });
    expect((await memberOf(id)).error.reason).toBe("member_not_found");
  });

  test("the requests of Entra ID find, create, fill, rename and delete a group", async () => {
    const { ask, org, ids } = setting;
    const where = "excludedAttributes=members&filter=";
    expect((await scim.ask(`GET /Groups?${where}displayName%20eq%20%22Authors%22`)).body.totalResults).toBe(0);
    const made = await scim.ask("POST /Groups", {
      schemas: [`${CORE}:Group`, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0",
      displayName: "Authors",
      members: [],
      meta: { resourceType: "Group" },
    });
    expect([made.status, made.body.members]).toEqual([201, []]);
    const at = `/Groups/${made.body.id}`;
    const value = [ids.edit, ids.read].map((id) => ({ $ref: null, value: id }));
    expect((await patch(at, { op: "Add", path: "members", value })).status).toBe(204);
    expect((await scim.ask(`GET ${at}?excludedAttributes=members`)).body).not.toHaveProperty("members");
    const isIn = (id: string) =>
      scim.ask(`GET /Groups?${where}${encodeURIComponent(`id eq "${made.body.id}" and members eq "${id}"`)}`);
    expect((await isIn(ids.edit)).body.totalResults).toBe(1);
    expect((await isIn(ids.admin)).body.totalResults).toBe(0);
    await patch(at, { op: "Remove", path: "members", value: [{ $ref: null, value: ids.edit }] });
    await patch(at, { op: "Replace", path: "displayName", value: "Writers and editors" });
    const team = await ask("admin", `GET /v1/orgs/${org}/teams/${made.body.id}`);
    expect(team.body).toMatchObject({ title: "Writers and editors", members: 1 });
    expect((await scim.ask("GET /Groups?filter=externalId%20eq%20%228aa1a0c0%22")).body.totalResults).toBe(1);
    expect((await scim.ask(`DELETE ${at}`)).status).toBe(204);
    expect((await scim.ask(`GET ${at}`)).status).toBe(404);
  });
});

describe("requests of Okta, Google and OneLogin", () => {
  test("the requests of Okta, Google and OneLogin replace a user, with true and false as text", async () => {
    const { ask, org } = setting;
    const whole = {
      schemas: [`${CORE}:User`],
      userName: "bo@acme.example",
      name: { givenName: "Bo", familyName: "Ek" },
      emails: [{ primary: true, value: "bo@acme.example", type: "work" }],
      displayName: "Bo Ek",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true,
    };
    const made = await scim.ask("POST /Users", whole, "application/json");
    expect([made.status, made.body.password]).toEqual([201, undefined]);
    const { id } = made.body;
    expect((await scim.ask("POST /Users", whole)).body).toMatchObject({ status: "409", scimType: "uniqueness" });
    const put = await scim.ask(`PUT /Users/${id}`, { ...whole, id, displayName: "Bo E.", active: false });
    expect(put.body).toMatchObject({ displayName: "Bo E.", active: false });
    expect((await memberOf(id)).disabled).toBe(true);
    const on = await patch(`/Users/${id}`, { op: "replace", value: { active: true } });
    expect(on.body.active).toBe(true);

    const group = await scim.ask("POST /Groups", { displayName: "Ops", members: [{ value: id, display: "Bo" }] });
    const at = `/Groups/${group.body.id}`;
    expect(group.body.members).toMatchObject([{ value: id, display: "Bo E." }]);
    await patch(at, { op: "replace", value: { id: group.body.id, displayName: "Operations" } });
    await patch(at, { op: "remove", path: `members[value eq "${id}"]` }, { op: "add", path: "members", value: [] });
    expect((await scim.ask(`GET ${at}`)).body).toMatchObject({ displayName: "Operations", members: [] });
    await patch(at, { op: "replace", path: "members", value: [{ value: id }, { value: setting.ids.read }] });
    await scim.ask(`PUT ${at}`, { displayName: "Operations", members: [{ value: setting.ids.read }] });
    expect((await scim.ask(`GET ${at}`)).body.members).toMatchObject([{ value: setting.ids.read }]);
    const wrong = await patch(at, { op: "add", path: "members", value: [{ value: setting.ids.rival }] });
    expect(wrong.body).toMatchObject({ status: "400", scimType: "invalidValue" });
    expect((await scim.ask("POST /Groups", { displayName: "OPERATIONS" })).body.scimType).toBe("uniqueness");
    expect((await ask("admin", `DELETE /v1/orgs/${org}/members/${id}`)).status).toBe(204);
    // Whoever was removed here comes back when the directory says so, as the same user.
    expect((await scim.ask("POST /Users", whole)).body).toMatchObject({ id, active: true });
  });

  test("a list has pages and only the requested attributes", async () => {
    const all = await scim.ask("GET /Users?startIndex=1&count=200");
    const { totalResults, Resources } = all.body;
    expect(Resources).toHaveLength(totalResults);
    const pages = [];
    for (let at = 1; at <= totalResults; at += 3)
      pages.push(...(await scim.ask(`GET /Users?startIndex=${at}&count=3`)).body.Resources);
    expect(pages).toEqual(Resources);
    expect((await scim.ask("GET /Users?count=0")).body).toMatchObject({ totalResults, itemsPerPage: 0 });
    expect((await scim.ask("GET /Users?attributes=userName&count=1")).body.Resources[0]).not.toHaveProperty("emails");
    expect((await find("active eq false or not (userName pr)")).body.totalResults).toBe(0);
    expect((await find('userName sw "ed" and displayName co "THE"')).body.totalResults).toBe(1);
    for (const wrong of ["userName", 'userName eq "', "a eq 1 and", "((((((((((((a pr", `a eq "${"x".repeat(2000)}"`])
      expect((await find(wrong)).body.scimType, wrong).toBe("invalidFilter");
  });

  test("the service describes its features", async () => {
    expect((await scim.ask("GET /ServiceProviderConfig")).body).toMatchObject({ patch: { supported: true } });
    expect((await scim.ask("GET /ResourceTypes")).body.totalResults).toBe(2);
    expect((await scim.ask("GET /ResourceTypes/User")).body.endpoint).toBe("/Users");
    expect((await scim.ask(`GET /Schemas/${CORE}:Group`)).body.name).toBe("Group");
    expect((await scim.ask("GET /Schemas/none")).status).toBe(404);
  });
});

describe("the directory of an organization", () => {
  test("a SCIM token works for its organization until an admin revokes it", async () => {
    const { ask, org, tokens, otherOrg, askWith } = setting;
    const rival = await directoryOf(otherOrg, "rival");
    for (const bearer of [rival.token, tokens.admin, "octavo_scim_", ""])
      expect((await scim.as(bearer)("GET /Users")).status).toBe(401);
    expect((await askWith(scim.token, "GET /v1/user")).status, "it opens nothing else").toBe(401);
    const other = await directoryOf(org, "admin");
    expect((await other.ask("GET /Users?count=1")).status).toBe(200);
    const listed = (await ask("admin", `GET /v1/orgs/${org}/scim-tokens`)).body;
    expect(listed.items.some((it: object) => "token" in it)).toBe(false);
    expect((await ask("create", `DELETE /v1/orgs/${org}/scim-tokens/${other.id}`)).status).toBe(204);
    expect((await other.ask("GET /Users?count=1")).status, "nobody but an admin revokes").toBe(200);
    await ask("admin", `DELETE /v1/orgs/${org}/scim-tokens/${other.id}`);
    expect((await other.ask("GET /Users?count=1")).status).toBe(401);
  });

  test("a directory controls only its own domains, and responses about others do not reveal who exists", async () => {
    const post = (userName: string) => scim.ask("POST /Users", { userName });
    const [known, unknown] = [await post("rival@example.com"), await post("nobody@example.com")];
    expect(known.status).toBe(400);
    expect(known.body).toEqual(unknown.body);
    expect((await find('userName eq "rival@example.com"')).body.totalResults).toBe(0);
    for (const body of [
      {},
      { userName: 7 },
      { userName: "no address" },
      { userName: "x@acme.example", active: "maybe" },
    ])
      expect((await scim.ask("POST /Users", body)).body.scimType).toBe("invalidValue");
    expect((await scim.ask("POST /Users", "{")).body.scimType).toBe("invalidSyntax");
    const { kernel } = getApiInternals(setting.api);
    await kernel.store.write(DIRECTORY, (tx) =>
      users.put(tx, {
        id: "squatter",
        displayName: "Squatter",
        email: "boss@acme.example",
        emailUnverified: true,
        createdAt: setting.clock.now.toISOString(),
      }),
    );
    expect((await post("boss@acme.example")).body.scimType, "nobody gets in by a claimed address").toBe("uniqueness");
  });

  test("a directory does not change users that exist outside of it", async () => {
    const { ask, org, otherOrg, ids } = setting;
    const member = `/Users/${ids.edit}`;
    const changed = await patch(member, {
      op: "replace",
      value: { displayName: "Mine", userName: "mine@acme.example" },
    });
    expect(changed.body).toMatchObject({ displayName: "The edit", userName: "mine@acme.example" });
    await patch(member, { op: "replace", path: 'emails[type eq "work"].value', value: "mine@acme.example" });
    expect((await memberOf(ids.edit)).user).toMatchObject({ displayName: "The edit", email: "edit@example.com" });
    await patch(member, { op: "replace", path: "active", value: false });
    expect((await ask("edit", `GET /v1/orgs/${org}`)).status, "here there is nothing left").toBe(404);
    expect((await ask("edit", "GET /v1/user")).status, "elsewhere everything").toBe(200);
    await patch(member, { op: "replace", path: "active", value: true });

    const { body } = await scim.ask("POST /Users", { userName: "cy@acme.example", displayName: "Cy" });
    const invite = (await ask("rival", `POST /v1/orgs/${otherOrg}/link-invites`, { role: "read" })).body;
    const cookie = await cookieOf(body.id);
    await setting.askWith(null, `POST /v1/orgs/${otherOrg}/invites/${invite.id}`, undefined, cookie);
    const later = await patch(`/Users/${body.id}`, { op: "replace", path: "displayName", value: "Taken over" });
    expect(later.body.displayName, "once they are elsewhere, too").toBe("Cy");
    await patch(`/Users/${body.id}`, { op: "replace", path: "active", value: false });
    expect((await setting.askWith(null, `GET /v1/orgs/${otherOrg}`, undefined, cookie)).status).toBe(200);
    expect((await setting.askWith(null, `GET /v1/orgs/${org}`, undefined, cookie)).status).toBe(404);
    expect((await scim.ask(`GET /Users/${ids.rival}`)).status).toBe(404);
    expect((await patch(`/Users/${ids.rival}`, { op: "replace", value: { active: false } })).status).toBe(404);
    expect((await scim.ask(`DELETE /Users/${ids.rival}`)).status).toBe(404);
  });

  test("a directory assigns roles by group name, and one admin always remains", async () => {
    const { ids } = setting;
    const role = (value: string) =>
      patch(`/Users/${ids.review}`, { op: "replace", path: 'roles[primary eq "True"].value', value });
    expect((await role("admin")).body.roles).toMatchObject([{ value: "admin" }]);
    expect((await role("no such role")).body.roles, "stays").toMatchObject([{ value: "admin" }]);
    const off = (id: string) => patch(`/Users/${id}`, { op: "replace", path: "active", value: false });
    expect((await off(ids.review)).status).toBe(200);
    for (const answer of [await off(ids.admin), await scim.ask(`DELETE /Users/${ids.admin}`)])
      expect(answer.body).toMatchObject({ status: "409", detail: expect.stringContaining("needs at least one admin") });
    expect((await patch(`/Users/${ids.admin}`, { op: "replace", value: { roles: [{ value: "read" }] } })).status).toBe(
      409,
    );
    await patch(`/Users/${ids.review}`, { op: "replace", value: { active: true, roles: [{ value: "review" }] } });
    expect(await memberOf(ids.review)).toMatchObject({ role: "review", disabled: false });
  });

  test("two simultaneous requests create one user, and one admin remains", async () => {
    const { ids } = setting;
    const post = () => scim.ask("POST /Users", { userName: "di@acme.example" });
    expect((await Promise.all([post(), post(), post()])).map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    const group = (await scim.ask("POST /Groups", { displayName: "Both" })).body.id;
    await Promise.all(
      [ids.read, ids.comment].map((value) =>
        patch(`/Groups/${group}`, { op: "add", path: "members", value: [{ value }] }),
      ),
    );
    expect((await scim.ask(`GET /Groups/${group}`)).body.members).toHaveLength(2);
    const { id } = (await find('userName eq "di@acme.example"')).body.Resources[0];
    await Promise.all([
      patch(`/Users/${id}`, { op: "replace", path: "externalId", value: "x" }),
      patch(`/Users/${id}`, { op: "replace", path: "name.givenName", value: "Di" }),
    ]);
    expect((await scim.ask(`GET /Users/${id}`)).body).toMatchObject({ externalId: "x", name: { givenName: "Di" } });
    await patch(`/Users/${ids.create}`, { op: "replace", value: { roles: [{ value: "admin" }] } });
    const off = (user: string) => patch(`/Users/${user}`, { op: "replace", path: "active", value: false });
    const both = await Promise.all([off(ids.admin), off(ids.create)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

describe("the protocol", () => {
  // The tests before may have switched the admin off.
  beforeAll(async () => {
    await patch(`/Users/${setting.ids.admin}`, { op: "replace", value: { active: true } });
  });
  const query = (filter: string) => `filter=${encodeURIComponent(filter)}`;
  const later = () => {
    setting.clock.now = new Date(setting.clock.now.getTime() + 60_000);
    return setting.clock.now.toISOString();
  };
  const person = async (userName: string, more = {}) => (await scim.ask("POST /Users", { userName, ...more })).body;

  test("attribute names may have the URN of their schema as a prefix", async () => {
    const { id } = await person("urn@acme.example");
    const get = async (more: string) => Object.keys((await scim.ask(`GET /Users/${id}?${more}`)).body).sort();
    expect(await get(`attributes=${CORE}:User:userName,${CORE}:User:name.formatted`)).toEqual(
      ["schemas", "id", "meta", "userName", "name"].sort(),
    );
    expect(await get(`excludedAttributes=${CORE}:User:emails`)).not.toContain("emails");
    expect(await get(`excludedAttributes=${CORE}:User:emails`)).toContain("userName");
    expect((await find(`${CORE}:User:userName eq "urn@acme.example"`)).body.totalResults).toBe(1);
    const changed = await patch(`/Users/${id}`, { op: "replace", path: `${CORE}:User:displayName`, value: "Ursula" });
    expect(changed.body.displayName).toBe("Ursula");
  });

  test("a response has exactly the requested sub-attributes", async () => {
    const name = { givenName: "Vera", familyName: "Klein" };
    const { id } = await person("parts@acme.example", { name });
    const group = (await scim.ask("POST /Groups", { displayName: "Parts", members: [{ value: id }] })).body;
    const get = async (more: string) => (await scim.ask(`GET /Users/${id}?${more}`)).body;
    expect((await get("attributes=name.givenName")).name).toEqual({ givenName: "Vera" });
    expect((await get("attributes=NAME.GivenName,name.familyname")).name).toEqual(name);
    expect((await get(`attributes=${CORE}:User:name.familyName`)).name).toEqual({ familyName: "Klein" });
    expect((await get("attributes=name.givenName,name")).name).toMatchObject(name);
    expect((await get("attributes=emails.value,groups.display")).emails).toEqual([{ value: "parts@acme.example" }]);
    expect((await get("attributes=groups.display")).groups).toEqual([{ display: "Parts" }]);
    expect(await get("attributes=name.middleName")).not.toHaveProperty("name");
    expect((await get("excludedAttributes=name.givenName")).name).toEqual({
      formatted: "Vera Klein",
      familyName: "Klein",
    });
    const all = await get("excludedAttributes=id.value,meta.created");
    expect([all.id, all.meta.created]).toEqual([id, expect.any(String)]);
    const members = (await scim.ask(`GET /Groups/${group.id}?attributes=members.value`)).body.members;
    expect(members).toEqual([{ value: id }]);
    const listed = await find('userName eq "parts@acme.example"', "&attributes=name.givenName");
    expect(listed.body.Resources[0].name).toEqual({ givenName: "Vera" });
  });

  test("every path below the base is answered by SCIM, even unknown ones", async () => {
    const signIn = createSignIn(setting.api);
    const at = `http://localhost:3000/scim/v2/${setting.org}`;
    const told = async (method: string, url: string, headers: Record<string, string> = {}) => {
      const response = await signIn.fetch(new Request(url, { method, headers }));
      expect(response.headers.get("content-type"), url).toBe("application/scim+json; charset=utf-8");
      const body = await response.json();
      expect(body).toEqual({
        schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
        status: String(response.status),
        detail: expect.any(String),
      });
      return response;
    };
    const known = { authorization: `Bearer ${scim.token}` };
    for (const path of ["", "/", "/None", "/Users/a/b", "/Bulk", "/Users/%ff"])
      expect((await told("GET", at + path, known)).status, path).toBe(404);
    for (const path of ["", "/None", "/Users", "/Users/a"])
      expect((await told("GET", at + path)).status, `${path} without a token`).toBe(401);
    expect((await told("PUT", `${at}/Users`)).status, "a wrong method without a token").toBe(401);
    for (const url of ["http://localhost:3000/scim/v2", "http://localhost:3000/scim/v2/"])
      expect((await told("GET", url, known)).status).toBe(404);
    const methods = await told("PUT", `${at}/Users`, known);
    expect([methods.status, methods.headers.get("allow")]).toEqual([405, "GET, POST"]);
    expect((await told("POST", `${at}/Schemas`, known)).status).toBe(405);
    expect((await told("OPTIONS", `${at}/Groups/a`, known)).headers.get("allow")).toBe("GET, PUT, PATCH, DELETE");
  });

  test("`meta.lastModified` finds what changed since a time", async () => {
    const { ids, ask, org } = setting;
    const { id, meta } = await person("time@acme.example");
    expect(meta.lastModified).toBe(meta.created);
    const since = async (time: string, kind = "Users") =>
      (await scim.ask(`GET /${kind}?${query(`meta.lastModified gt "${time}"`)}`)).body.Resources.map(
        (it: { id: string }) => it.id,
      );
    const before = setting.clock.now.toISOString();
    later();
    expect(await since(before)).toEqual([]);
    const changed = await patch(`/Users/${id}`, { op: "replace", path: "externalId", value: "t" });
    expect(changed.body.meta).toMatchObject({ created: meta.created, lastModified: setting.clock.now.toISOString() });
    expect(await since(before)).toEqual([id]);
    // The same moment in other forms.
    const moment = Date.parse(before);
    const elsewhere = new Date(moment + 2 * 3600_000).toISOString().replace("Z", "+02:00");
    expect(await since(elsewhere)).toEqual([id]);
    const second = before.replace(/\.000Z$/, "Z");
    expect((await find(`meta[created le "${second}"] and id eq "${id}"`)).body.totalResults).toBe(1);
    expect((await find(`meta.created eq "${meta.created.toLowerCase()}" and id eq "${id}"`)).body.totalResults).toBe(1);
    for (const wrong of ["yesterday", "2026-13-01T00:00:00Z", "2026-01-01"])
      expect((await find(`meta.lastModified gt "${wrong}"`)).body.scimType, wrong).toBe("invalidFilter");
    // A change that SCIM did not make.
    const then = setting.clock.now.toISOString();
    later();
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.comment}`, { role: "read" });
    await ask("admin", `PATCH /v1/orgs/${org}/members/${ids.comment}`, { role: "comment" });
    expect(await since(then)).toEqual([ids.comment]);

    const group = (await scim.ask("POST /Groups", { displayName: "Timed" })).body;
    expect(group.meta.lastModified).toBe(group.meta.created);
    for (const change of [
      () => patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: id }] }),
      () => patch(`/Groups/${group.id}`, { op: "remove", path: `members[value eq "${id}"]` }),
      () => patch(`/Groups/${group.id}`, { op: "replace", path: "displayName", value: "Timely" }),
      () => ask("admin", `PUT /v1/orgs/${org}/teams/${group.id}/members/${id}`, {}),
      () => ask("admin", `DELETE /v1/orgs/${org}/teams/${group.id}/members/${id}`),
      () => ask("admin", `PUT /v1/orgs/${org}/teams/${group.id}/members`, { add: [id] }),
      () => ask("admin", `PATCH /v1/orgs/${org}/teams/${group.id}`, { title: "Timed" }),
    ]) {
      const start = setting.clock.now.toISOString();
      later();
      expect(await since(start, "Groups")).toEqual([]);
      await change();
      expect(await since(start, "Groups"), String(change)).toEqual([group.id]);
    }
  });

  test("resources can be filtered by schema", async () => {
    const all = (await scim.ask("GET /Users?count=0")).body.totalResults;
    expect((await find(`schemas eq "${CORE}:User"`)).body.totalResults).toBe(all);
    expect((await find(`schemas eq "${CORE}:Group"`)).body.totalResults).toBe(0);
    const groups = (await scim.ask("GET /Groups?count=0")).body.totalResults;
    const found = await scim.ask(`GET /Groups?${query(`schemas eq "${CORE}:Group"`)}`);
    expect([found.body.totalResults, groups > 0]).toEqual([groups, true]);
  });

  test("PATCH rejects changes to read-only attributes and accepts their current values", async () => {
    const made = await person("fixed@acme.example");
    const group = (await scim.ask("POST /Groups", { displayName: "Fixed", members: [{ value: made.id }] })).body;
    const refused = { status: "400", scimType: "mutability" };
    for (const resource of [`/Users/${made.id}`, `/Groups/${group.id}`])
      for (const operation of [
        { op: "replace", path: "id", value: "other" },
        { op: "replace", value: { id: "other" } },
        { op: "remove", path: "id" },
        { op: "add", path: "meta.created", value: "2020-01-01T00:00:00Z" },
        { op: "replace", value: { Meta: { resourceType: "Cat" } } },
        { op: "replace", path: "schemas", value: ["urn:example:other"] },
        { op: "add", path: "schemas", value: "urn:example:other" },
        { op: "add", value: { schemas: [ENTERPRISE] } },
        { op: "replace", value: { schemas: [`${CORE}:${resource.startsWith("/Users") ? "Group" : "User"}`] } },
        { op: "remove", path: "schemas" },
      ])
        expect((await patch(resource, operation)).body, JSON.stringify(operation)).toMatchObject(refused);
    for (const operation of [
      { op: "add", path: "groups", value: [{ value: "t" }] },
      { op: "remove", path: `groups[value eq "${group.id}"]` },
    ])
      expect((await patch(`/Users/${made.id}`, operation)).body).toMatchObject(refused);
    const free = await person("groupless@acme.example");
    for (const operation of [
      { op: "add", path: "groups", value: [{ value: group.id }] },
      { op: "add", path: "groups", value: { value: group.id } },
      { op: "add", path: "groups", value: group.id },
      { op: "add", path: "groups" },
      { op: "replace", path: "groups", value: [{}] },
      { op: "replace", path: "groups.value", value: group.id },
      { op: "replace", path: `${CORE}:User:groups`, value: [{ value: group.id }] },
      { op: "add", value: { groups: [{ value: group.id }] } },
      { op: "add", value: { Groups: [{ value: group.id }] } },
      { op: "add", value: { [`${CORE}:User:groups`]: [{ value: group.id }] } },
      { op: "remove", path: "groups" },
    ])
      expect((await patch(`/Users/${free.id}`, operation)).body, JSON.stringify(operation)).toMatchObject(refused);
    const part = { op: "replace", path: `members[value eq "${made.id}"].value`, value: setting.ids.read };
    expect((await patch(`/Groups/${group.id}`, part)).body).toMatchObject(refused);
    const whole = (await scim.ask(`GET /Users/${made.id}`)).body;
    const back = await patch(`/Users/${made.id}`, { op: "replace", value: { ...whole, displayName: "Free" } });
    expect(back.body).toMatchObject({ id: made.id, displayName: "Free", groups: [{ value: group.id }] });
    // Providers name the extensions whose attributes they send beside the schema of the resource.
    const extended = { schemas: [ENTERPRISE, `${CORE}:User`], [`${ENTERPRISE}:department`]: "Sales" };
    expect((await patch(`/Users/${made.id}`, { op: "replace", value: extended })).status).toBe(200);
    const both = [
      { op: "replace", path: "displayName", value: "Not this" },
      { op: "replace", path: "id", value: "other" },
    ];
    expect((await patch(`/Groups/${group.id}`, ...both)).body).toMatchObject(refused);
    expect((await scim.ask(`GET /Groups/${group.id}`)).body.displayName, "nothing was done").toBe("Fixed");
  });

  test("a PATCH without a target is rejected with noTarget", async () => {
    const { ids } = setting;
    const { id } = await person("target@acme.example");
    const group = (await scim.ask("POST /Groups", { displayName: "Target", members: [{ value: id }] })).body;
    const refused = { status: "400", scimType: "noTarget" };
    for (const [resource, operation] of [
      [`/Users/${id}`, { op: "remove" }],
      [`/Users/${id}`, { op: "remove", value: { displayName: "x" } }],
      [`/Users/${id}`, { op: "replace", path: 'emails[type eq "fax"].value', value: "x@acme.example" }],
      [`/Users/${id}`, { op: "replace", path: 'roles[value eq "admin"]', value: { value: "read" } }],
      [`/Groups/${group.id}`, { op: "remove" }],
      [`/Groups/${group.id}`, { op: "replace", path: `members[value eq "${ids.read}"]`, value: { value: ids.edit } }],
    ] as const)
      expect((await patch(resource, operation)).body, JSON.stringify(operation)).toMatchObject(refused);
    const gone = { op: "remove", path: 'emails[type eq "fax"]' };
    expect((await patch(`/Users/${id}`, gone)).status, "what is to be removed is gone").toBe(200);
    const swap = { op: "replace", path: `members[value eq "${id}"]`, value: { value: ids.edit } };
    await patch(`/Groups/${group.id}`, { op: "add", path: "members", value: [{ value: ids.read }] }, swap);
    const { members } = (await scim.ask(`GET /Groups/${group.id}`)).body;
    expect(members.map((it: { value: string }) => it.value).sort(), "others stay").toEqual([ids.read, ids.edit].sort());
  });

  test("startIndex and count must be numbers, and values out of range are clamped", async () => {
    for (const wrong of ["startIndex=abc", "count=many", "startIndex=1.5", "startIndex=", "count=1e3"])
      for (const kind of ["Users", "Groups"])
        expect((await scim.ask(`GET /${kind}?${wrong}`)).body, wrong).toMatchObject({
          status: "400",
          scimType: "invalidValue",
        });
    const [first] = (await scim.ask("GET /Users?count=1")).body.Resources;
    const below = (await scim.ask("GET /Users?startIndex=-5&count=1")).body;
    expect([below.startIndex, below.Resources[0].id]).toEqual([1, first.id]);
    const none = (await scim.ask("GET /Users?count=-1")).body;
    expect([none.itemsPerPage, none.Resources]).toEqual([0, []]);
    const beyond = (await scim.ask("GET /Users?startIndex=99999999999999999999&count=99999999999")).body;
    expect(beyond.Resources).toEqual([]);
    expect(beyond.totalResults).toBe((await scim.ask("GET /Users?count=0")).body.totalResults);
  });

  test("service descriptions reject filters", async () => {
    for (const path of ["ServiceProviderConfig", "ResourceTypes", "ResourceTypes/User", "Schemas"])
      expect((await scim.ask(`GET /${path}?${query('name eq "User"')}`)).body, path).toMatchObject({ status: "403" });
  });

  test("a user has its groups", async () => {
    const { id, groups } = await person("joiner@acme.example");
    expect(groups).toEqual([]);
    const group = (await scim.ask("POST /Groups", { displayName: "Joined", members: [{ value: id }] })).body;
    const expected = [{ value: group.id, type: "direct", display: "Joined", $ref: group.meta.location }];
    expect((await scim.ask(`GET /Users/${id}`)).body.groups).toEqual(expected);
    expect((await find('userName eq "joiner@acme.example"')).body.Resources[0].groups).toEqual(expected);
    expect((await scim.ask(`GET /Users/${id}?excludedAttributes=groups`)).body).not.toHaveProperty("groups");
    const found = (await find(`groups.value eq "${group.id}"`)).body;
    expect(found.Resources.map((it: { id: string }) => it.id)).toEqual([id]);
    const { body } = await scim.ask(`GET /Schemas/${CORE}:User`);
    const described = body.attributes.find(({ name }: { name: string }) => name === "groups");
    expect(described).toMatchObject({ mutability: "readOnly", multiValued: true });
  });

  test("an e-mail address keeps its type", async () => {
    const emails = [{ value: "typed@acme.example", type: "home", primary: true }];
    const made = await person("typed@acme.example", { emails });
    expect(made.emails).toEqual(emails);
    expect((await find('emails[type eq "home" and value eq "typed@acme.example"]')).body.totalResults).toBe(1);
    const changed = await patch(`/Users/${made.id}`, { op: "replace", path: "emails.type", value: "other" });
    expect(changed.body.emails).toEqual([{ ...emails[0], type: "other" }]);
    expect((await scim.ask(`GET /Users/${made.id}`)).body.emails[0].type).toBe("other");
    expect((await person("untyped@acme.example")).emails[0].type, "unless told otherwise").toBe("work");
  });
});
