// provision makes sure of things: called a thousand times, at once, by two processes or after an interruption, there is
// one user, one organization and one token.

import { createDocsApi, type DocsApi, type ProvisionRequest, type Storage } from "octavo";
import { memoryStorage } from "octavo/memory";
import { describe, expect, test } from "vitest";
import { dump, MINUTE } from "../support/setting";
import { through } from "../support/through";

const ada = { displayName: "Ada", email: "ada@example.com" };
const wanted: ProvisionRequest = { user: ada, organization: { title: "Acme" }, token: { label: "first" } };

const open = (storage: Storage) => createDocsApi(storage, { secret: "a secret of more than thirty-two characters" });

/** What there is in the end. */
async function found(api: DocsApi, user: string) {
  const organizations = await api.call("listOrganizations", {}, { user });
  const tokens = await api.call("listTokens", {}, { user });
  return { organizations: organizations.items.map(({ title }) => title), tokens: tokens.items.map((it) => it.label) };
}
const once = { organizations: ["Acme"], tokens: ["first"] };

async function orgPartitions(storage: Storage): Promise<number> {
  let count = 0;
  for await (const name of storage.partitions()) if (name.startsWith("org-")) count++;
  return count;
}

test("provision has the effect of one call when it is called a thousand times in a row", async () => {
  const storage = memoryStorage();
  const api = open(storage);
  const first = await api.provision(wanted);
  expect(first).toEqual({
    user: expect.stringMatching(/^usr_/),
    organization: expect.stringMatching(/^org_/),
    token: expect.stringMatching(/^octavo_/),
  });
  const before = await dump(storage);
  const { token: _, ...again } = first;
  for (let i = 1; i < 1000; i++) expect(await api.provision(wanted)).toEqual(again);
  expect(await dump(storage)).toEqual(before);
  expect(await found(api, first.user)).toEqual(once);
});

test("fifty provision calls at once in two processes create one user, and one call gets the token", async () => {
  const storage = memoryStorage();
  const apis = [open(storage), open(storage)];
  const made = await Promise.all(Array.from({ length: 50 }, (_, i) => apis[i % 2]!.provision(wanted)));
  expect(new Set(made.map(({ user }) => user)).size).toBe(1);
  expect(new Set(made.map(({ organization }) => organization)).size).toBe(1);
  expect(made.flatMap(({ token }) => token ?? [])).toHaveLength(1);
  expect(await found(apis[0]!, made[0]!.user)).toEqual(once);
  expect(await orgPartitions(storage)).toBe(1);
});

test("when provision is interrupted after any commit, the next call completes it", async () => {
  for (let lasts = 0; ; lasts++) {
    const storage = memoryStorage();
    let left = lasts;
    const cut = through(storage, {
      async commit(_, go) {
        if (left-- <= 0) throw new Error("The process ended.");
        return go();
      },
    });
    const isWhole = await createDocsApi(cut, { onError() {} })
      .provision(wanted)
      .then(() => true)
      .catch(() => false);
    // Work that a process had begun is taken over after a minute.
    const api = createDocsApi(storage, { now: () => new Date(Date.now() + 2 * MINUTE) });
    const { user, organization } = await api.provision(wanted);
    await api.maintain();
    expect(await found(api, user)).toEqual(once);
    expect(await orgPartitions(storage)).toBe(1);
    expect((await api.call("getOrganization", { params: { organizationId: organization! } }, { user })).title).toBe(
      "Acme",
    );
    if (isWhole) break;
    expect(lasts).toBeLessThan(20);
  }
});

describe("the organization", () => {
  test("provision finds the organization by its title if the user is its admin, whoever created it", async () => {
    const api = open(memoryStorage());
    const { user } = await api.provision({ user: ada });
    const { id } = await api.call("createOrganization", { body: { title: "Acme" } }, { user });
    expect((await api.provision(wanted)).organization).toBe(id);
  });

  test("provision finds the same organization after it was renamed", async () => {
    const api = open(memoryStorage());
    const { user, organization } = await api.provision(wanted);
    const params = { organizationId: organization! };
    await api.call("updateOrganization", { params, body: { title: "Acme & Sons" } }, { user });
    expect((await api.provision(wanted)).organization).toBe(organization);
    expect((await api.provision({ ...wanted, organization: { title: "Acme & Sons" } })).organization).toBe(
      organization,
    );
    expect((await api.provision({ ...wanted, organization: { title: "Other" } })).organization).not.toBe(organization);
  });

  test("provision leaves an organization alone when the user is no longer its admin", async () => {
    const api = open(memoryStorage());
    const { user, organization } = await api.provision(wanted);
    const grace = await api.provision({ user: { displayName: "Grace", email: "grace@example.com" } });
    const params = { organizationId: organization! };
    const { invites } = await api.call(
      "inviteByEmail",
      { params, body: { emails: ["grace@example.com"], role: "admin" } },
      { user },
    );
    const inviteId = invites[0]!.id;
    await api.call("acceptInvite", { params: { ...params, inviteId } }, { user: grace.user });
    await api.call("removeMember", { params: { ...params, userId: user } }, { user: grace.user });
    const other = await api.provision(wanted);
    expect(other.organization).not.toBe(organization);
    expect((await api.provision(wanted)).organization).toBe(other.organization);
  });

  test("an organization of another user with the same title stays separate", async () => {
    const api = open(memoryStorage());
    const { organization } = await api.provision(wanted);
    const grace = await api.provision({ ...wanted, user: { displayName: "Grace", email: "grace@example.com" } });
    expect(grace.organization).not.toBe(organization);
  });
});

describe("the token", () => {
  const value = "a-value-of-your-own";
  const withValue: ProvisionRequest = { ...wanted, token: { label: "first", value } };

  test("provision creates a token with the given value and returns it every time", async () => {
    const api = open(memoryStorage());
    for (let i = 0; i < 3; i++) expect((await api.provision(withValue)).token).toBe(value);
    const { user } = await api.provision(wanted);
    expect(await found(api, user)).toEqual(once);
    await api.provision({ ...wanted, token: { label: "first", value: "another-value-of-yours" } });
    expect((await found(api, user)).tokens).toEqual(["first", "first"]);
  });

  test("provision rejects a token value that belongs to another user", async () => {
    const api = open(memoryStorage());
    await api.provision(withValue);
    const grace = { ...withValue, user: { displayName: "Grace", email: "grace@example.com" } };
    await expect(api.provision(grace)).rejects.toThrow("provision: this token is somebody else's.");
  });

  test("provision creates a new token when the one with its label is revoked, expired or limited", async () => {
    const api = open(memoryStorage());
    const { user } = await api.provision(wanted);
    const { items } = await api.call("listTokens", {}, { user });
    await api.call("revokeToken", { params: { tokenId: items[0]!.id } }, { user });
    await api.call("createToken", { body: { label: "first", scopes: ["users:read"] } }, { user });
    expect((await api.provision(wanted)).token).toMatch(/^octavo_/);
    expect((await api.provision(wanted)).token).toBeUndefined();
  });
});

test.each<[string, unknown]>([
  ["`user` is wrong. Expected an object", { user: null }],
  ["`email` of the user is wrong. Expected an e-mail address", { user: { ...ada, email: "ada" } }],
  ["`displayName` of the user is missing", { user: { email: "ada@example.com" } }],
  ["`organization.title` is wrong", { user: ada, organization: { title: "" } }],
  ["`token.label` is wrong", { user: ada, token: { label: 1 } }],
  [
    "`token.value` is wrong. A token needs 16 to 512 visible characters",
    { user: ada, token: { label: "a", value: "short" } },
  ],
  ["`organisation` is wrong", { user: ada, organisation: { title: "Acme" } }],
])("invalid input is a TypeError before anything is written: %s", async (says, given) => {
  const storage = memoryStorage();
  const mistake = open(storage).provision(given as ProvisionRequest);
  await expect(mistake).rejects.toThrow(TypeError);
  await expect(mistake).rejects.toThrow(`provision: ${says}`);
  expect([...(await dump(storage)).keys()].filter((key) => key.includes("usr_"))).toEqual([]);
});
