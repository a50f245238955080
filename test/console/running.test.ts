// What the console works out itself for those who run an organization, without a browser.

import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { expect, test } from "vitest";
import { findAccessReasons } from "../../src/console/app/access/access-reasons";
import { type AccessApiCall, gatherAccess } from "../../src/console/app/access/gather-access";
import { everyScope, readOnly } from "../../src/console/app/account/scopes";
import { noFilter, toAuditQuery } from "../../src/console/app/audit/filter";
import {
  resolveButtonUrl,
  toConfigurationValues,
  toFieldValues,
} from "../../src/console/app/integrations/configuration";
import { parseDomains } from "../../src/console/app/organization/parse-domains";
import { access } from "../invariants/access";

test("the reasons that the console explains are those that the API decides by", async () => {
  const api = createDocsApi(memoryStorage());
  const { user: ada, organization } = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
  });
  const me = { user: ada };
  const params = { organizationId: organization! };
  const join = async (name: string, role: "read" | "edit" | null) => {
    const { user } = await api.provision({ user: { displayName: name, email: `${name}@example.com` } });
    const invite = await api.call("createLinkInvite", { params, body: { role } }, me);
    await api.call("acceptInvite", { params: { ...params, inviteId: invite.id } }, { user });
    return user;
  };
  const [grace, guest, joan] = [await join("grace", "read"), await join("guest", null), await join("joan", "edit")];
  const team = await api.call("createTeam", { params, body: { title: "Printers", members: [joan, guest] } }, me);
  const outer = await api.call("createCollection", { params, body: { title: "Outer" } }, me);
  const inner = await api.call("createCollection", { params, body: { title: "Inner", parent: outer.id } }, me);
  const space = await api.call("createSpace", { params, body: { title: "Almanac", parent: inner.id } }, me);
  const on = { spaceId: space.id };

  /** Everybody with the role of the API, and the reasons beside it. */
  const told = async (user: string) => {
    const ask: AccessApiCall = (name, input) => api.call(name, input as never, { user }) as never;
    const { path, roles } = await gatherAccess(ask, organization!, { kind: "space", id: space.id });
    const { items } = await api.call("listAccessToSpace", { params: on }, me);
    const names = new Map([ada, grace, guest, joan].map((id, i) => [id, ["ada", "grace", "guest", "joan"][i]!]));
    return items.map(({ user: { id }, permission }) => {
      const role = roles.get(id);
      return [names.get(id), permission, role === undefined ? [] : findAccessReasons({ id, role }, path)] as const;
    });
  };
  const agrees = async () => {
    const all = await told(ada);
    for (const [, permission, [first]] of all) expect(first?.role).toBe(permission);
    const { items } = await api.call("listAccessToSpace", { params: on }, me);
    expect(all).toHaveLength(items.length);
    return Object.fromEntries(all.map(([name, , [first]]) => [name, first]));
  };

  expect(await agrees()).toEqual({
    ada: { why: "admin", role: "admin" },
    grace: { why: "organization", role: "read" },
    joan: { why: "organization", role: "edit" },
  });
  await api.call("updateCollection", { params: { collectionId: outer.id }, body: { defaultLevel: "comment" } }, me);
  expect((await agrees()).grace).toEqual({ why: "default", role: "comment", on: "Outer" });
  await api.call("updateCollection", { params: { collectionId: inner.id }, body: { defaultLevel: null } }, me);
  expect(Object.keys(await agrees())).toEqual(["ada"]);
  const given = { teams: [{ id: team.id, role: "review" as const }] };
  await api.call("grantOnCollection", { params: { collectionId: inner.id }, body: given }, me);
  await api.call("grantOnSpace", { params: on, body: { users: [{ id: joan, role: "read" }] } }, me);
  const after = await agrees();
  const byTeam = { why: "team", role: "review", on: "Inner", team: "Printers" };
  expect(after).toMatchObject({ guest: byTeam, joan: byTeam });
  expect((await told(ada)).find(([name]) => name === "joan")?.[2]).toEqual([
    byTeam,
    { why: "given", role: "read", on: "Almanac" },
  ]);
  // Whoever sees no members gets no reasons, and no error.
  for (const [, , reasons] of await told(guest)) expect(reasons).toEqual([]);
  await api.close();
});

test("a day of the audit filter ends when the next day begins", () => {
  expect(toAuditQuery(noFilter)).toEqual({});
  const { from, until, ...rest } = toAuditQuery({
    ...noFilter,
    thing: " spc_1 ",
    from: "2026-02-28",
    until: "2026-02-28",
  });
  expect(rest).toEqual({ thing: "spc_1" });
  expect(new Date(from!)).toEqual(new Date(2026, 1, 28));
  expect(new Date(until!)).toEqual(new Date(2026, 2, 1));
  expect(toAuditQuery({ ...noFilter, from: "2026-13-99" })).toEqual({});
});

test("the configuration form has the fields that the integration declared", () => {
  const properties = {
    tone: { type: "string", default: "low" },
    count: { type: "number" },
    loud: { type: "boolean" },
    account: { type: "button", callback_url: "/oauth" },
  } as const;
  const typed = toFieldValues(properties, { count: 3, account: "kept" });
  expect(typed).toEqual({ tone: "low", count: "3", loud: false });
  expect(
    toConfigurationValues(properties, { ...typed, tone: "", count: "4", loud: true }, { account: "kept" }),
  ).toEqual({
    tone: null,
    count: 4,
    loud: true,
    account: "kept",
  });
  expect(toConfigurationValues(properties, { count: "many" }, {})).toEqual({ count: "many" });
});

test("a button of an integration opens only web addresses", () => {
  const base = "https://api.example.com/v1/integrations/bell/public/ins_1";
  expect(resolveButtonUrl("/oauth?x=1", base)).toBe(`${base}/oauth?x=1`);
  expect(resolveButtonUrl("https://example.org/", base)).toBe("https://example.org/");
  for (const bad of ["javascript:alert(1)", "data:text/html,x", "//example.org", "oauth", ""])
    expect([bad, resolveButtonUrl(bad, base)]).toEqual([bad, undefined]);
});

test("a token can be limited to every scope that exists", () => {
  const known = new Set(access.map(({ scope }) => scope));
  const scopes = [...known].filter((scope) => scope !== "open").sort();
  expect([...everyScope].sort()).toEqual(scopes);
  expect([...readOnly].sort()).toEqual(scopes.filter((scope) => scope.endsWith(":read")));
});

test("domains are accepted as people type them", () => {
  expect(parseDomains("Example.com, @example.org\n\n example.net;")).toEqual([
    "example.com",
    "example.org",
    "example.net",
  ]);
});
