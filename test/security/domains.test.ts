// Naming a domain gives nobody anything: a host of a site and a domain of e-mail addresses count once they are proven.

import { memoryStorage } from "octavo/memory";
import { describe, expect, test, vi } from "vitest";
import { createDomainVerifier, type DomainClaim } from "../../src/ports/domain-verification";
import { createSecrets } from "../../src/storage/secrets";
import type { Storage } from "../../src/storage/storage";
import { Unavailable } from "../../src/storage/storage";
import { DAY, HOUR, MINUTE, type Setting, setUp } from "../support/setting";

const HOST = "docs.acme.example";

/** A DNS that the test decides: the organizations whose record a domain has. */
function zone() {
  const published = new Set<string>();
  const asked: DomainClaim[] = [];
  return {
    asked,
    publish: (organization: string, domain: string) => void published.add(`${organization} ${domain}`),
    remove: (organization: string, domain: string) => void published.delete(`${organization} ${domain}`),
    verifyDomain: async (claim: DomainClaim) => {
      asked.push(claim);
      return published.has(`${claim.organization} ${claim.domain}`);
    },
  };
}

async function siteOf({ ask, org, otherOrg }: Setting, who: "admin" | "rival", title: string) {
  const home = who === "admin" ? org : otherOrg;
  const space = (await ask(who, `POST /v1/orgs/${home}/spaces`, { title: "Guide" })).body.id;
  const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "Hello." } }];
  await ask(who, `POST /v1/spaces/${space}/content`, { changes });
  const made = await ask(who, `POST /v1/orgs/${home}/sites`, { title, spaces: [space] });
  const at = `/v1/orgs/${home}/sites/${made.body.id}`;
  await ask(who, `POST ${at}/publish`);
  return { at, id: made.body.id as string, home };
}

async function stage(storage: Storage = memoryStorage()) {
  const dns = zone();
  const setting = await setUp(storage, { verifyDomain: dns.verifyDomain, onError() {} });
  const ours = await siteOf(setting, "admin", "Ours");
  const theirs = await siteOf(setting, "rival", "Theirs");
  /** The site that is found at the host, for anybody. */
  const shown = async (url = `https://${HOST}/start`) => {
    const { status, body } = await setting.ask(null, "POST /v1/urls/published", { url });
    return status === 200 ? (body.site as string) : undefined;
  };
  return { ...setting, dns, ours, theirs, shown };
}

describe("hosts of sites", () => {
  test("a host that is named but not verified routes no one, and the site stays at its former address", async () => {
    const { ask, theirs, shown } = await stage();
    const named = await ask("rival", `PATCH ${theirs.at}`, { hostname: HOST });
    const own = `http://localhost:3000/sites/${theirs.home}/theirs`;
    expect(named.body).toMatchObject({ hostname: HOST, urls: { published: own } });
    expect(named.body.domainProofs).toEqual([
      {
        domain: HOST,
        verified: false,
        record: { type: "TXT", name: `_octavo-challenge.${HOST}`, value: expect.any(String) },
      },
    ]);
    expect(await shown()).toBeUndefined();
    expect(await shown(`${own}/start`)).toBe(theirs.id);
    const proxied = await ask("rival", `PATCH ${theirs.at}`, { hostname: null, proxy: "acme.example/docs" });
    expect(proxied.body).toMatchObject({
      proxy: { origin: "acme.example/docs", target: own },
      urls: { published: own },
    });
    expect(await shown("https://acme.example/docs/start")).toBeUndefined();
    const tree = await ask(null, `GET ${theirs.at}/published`);
    expect(JSON.stringify(tree.body.structure)).not.toContain("https://acme.example");
    expect(tree.body.site.domainProofs).toBeUndefined();
  });

  test("a host named by others blocks no one, and whoever verifies it gets it", async () => {
    const { ask, org, dns, ours, theirs, shown } = await stage();
    await ask("rival", `PATCH ${theirs.at}`, { hostname: HOST });
    dns.publish(org, HOST);
    const proven = await ask("admin", `PATCH ${ours.at}`, { hostname: HOST });
    expect(proven.body).toMatchObject({ urls: { published: `https://${HOST}` }, domainProofs: [{ verified: true }] });
    expect(await shown()).toBe(ours.id);
    expect((await ask("rival", `PATCH ${theirs.at}`, { hostname: HOST })).body.domainProofs).toMatchObject([
      { verified: false },
    ]);
    expect(await shown()).toBe(ours.id);
  });

  test("a host stays with its holder while the verification holds, and then goes to whoever verifies it", async () => {
    const { ask, org, otherOrg, dns, ours, theirs, shown } = await stage();
    dns.publish(otherOrg, HOST);
    await ask("rival", `PATCH ${theirs.at}`, { hostname: HOST });
    expect(await shown()).toBe(theirs.id);
    dns.publish(org, HOST);
    const refused = await ask("admin", `PATCH ${ours.at}`, { hostname: HOST });
    expect([refused.status, refused.body.error.reason]).toEqual([409, "site_host_taken"]);
    expect(await shown()).toBe(theirs.id);
    dns.remove(otherOrg, HOST);
    expect((await ask("admin", `PATCH ${ours.at}`, { hostname: HOST })).status).toBe(200);
    expect(await shown()).toBe(ours.id);
    const lost = (await ask("rival", `GET ${theirs.at}`)).body;
    expect(lost).toMatchObject({ hostname: HOST, domainProofs: [{ verified: false }] });
    expect(lost.urls.published).toBe(`http://localhost:3000/sites/${otherOrg}/theirs`);
  });

  test("a host is checked again for some days, and whenever it is named again", async () => {
    const { ask, api, org, clock, dns, ours, shown } = await stage();
    await ask("admin", `PATCH ${ours.at}`, { hostname: HOST, proxy: "acme.example/docs" });
    dns.publish(org, HOST);
    expect(await shown()).toBeUndefined();
    clock.forward(2 * MINUTE);
    await api.maintain();
    expect(await shown()).toBe(ours.id);
    expect((await ask("admin", `GET ${ours.at}`)).body.domainProofs).toMatchObject([
      { verified: true },
      { verified: false },
    ]);
    for (let hours = 0; hours < 24 * 5; hours += 3) {
      clock.forward(3 * HOUR);
      await api.maintain();
    }
    const tries = dns.asked.length;
    expect(tries).toBeLessThan(60);
    clock.forward(DAY);
    await api.maintain();
    expect(dns.asked.length).toBe(tries);
    expect((await ask("admin", `GET /v1/orgs/${org}/jobs?status=parked`)).body.count).toBe(0);
    // Another change of the site asks nobody; naming it again does.
    await ask("admin", `PATCH ${ours.at}`, { title: "Other" });
    expect(dns.asked.length).toBe(tries);
    dns.publish(org, "acme.example");
    await ask("admin", `PATCH ${ours.at}`, { proxy: "acme.example/docs" });
    expect(await shown("https://acme.example/docs/start")).toBe(ours.id);
  });

  test("a released host leads nowhere and does not return unverified", async () => {
    const { ask, org, dns, ours, shown } = await stage();
    dns.publish(org, HOST);
    await ask("admin", `PATCH ${ours.at}`, { hostname: HOST });
    await ask("admin", `PATCH ${ours.at}`, { hostname: null });
    dns.remove(org, HOST);
    await ask("admin", `PATCH ${ours.at}`, { hostname: HOST });
    expect(await shown()).toBeUndefined();
  });

  test("a host has a token per organization, visible only to those who may change the site", async () => {
    const { ask, ours, theirs } = await stage();
    const tokens: string[] = [];
    for (const [who, { at }] of [
      ["admin", ours],
      ["rival", theirs],
    ] as const) {
      const { body } = await ask(who, `PATCH ${at}`, { hostname: HOST });
      tokens.push(body.domainProofs[0].record.value);
    }
    expect(tokens[0]).not.toBe(tokens[1]);
    expect((await ask("create", `GET ${ours.at}`)).body.domainProofs[0].record.value).toBe(tokens[0]);
    expect((await ask("read", `GET ${ours.at}`)).body.domainProofs).toBeUndefined();
  });

  test("a host belongs to one organization, wherever a takeover is interrupted", async () => {
    for (let failing = 1; failing <= 12; failing++) {
      const { storage, failAfter } = brittle();
      const { ask, api, clock, org, otherOrg, dns, ours, theirs, shown } = await stage(storage);
      dns.publish(otherOrg, HOST);
      await ask("rival", `PATCH ${theirs.at}`, { hostname: HOST });
      dns.publish(org, HOST);
      dns.remove(otherOrg, HOST);
      failAfter(failing);
      const { status } = await ask("admin", `PATCH ${ours.at}`, { hostname: HOST });
      failAfter(undefined);
      const [found, mine, other] = [
        await shown(),
        (await ask("admin", `GET ${ours.at}`)).body,
        (await ask("rival", `GET ${theirs.at}`)).body,
      ];
      const verified = [mine, other].filter((it) => it.domainProofs?.[0]?.verified);
      expect(verified.length, `${failing}`).toBeLessThanOrEqual(1);
      expect(found, `${failing}`).toBe(verified[0]?.id);
      if (status === 200) expect(found).toBe(ours.id);
      clock.forward(HOUR);
      await api.maintain();
      expect((await ask("admin", `PATCH ${ours.at}`, { hostname: HOST })).status).toBe(200);
      expect(await shown()).toBe(ours.id);
    }
  });
});

/** A storage whose commits fail from the one on that is named; the failing ones may have happened. */
function brittle() {
  const real = memoryStorage();
  let left: number | undefined;
  const failAfter = (commits: number | undefined) => {
    left = commits;
  };
  const storage: Storage = {
    ...real,
    partition(name) {
      const partition = real.partition(name);
      return {
        snapshot: () => partition.snapshot(),
        async commit(batch) {
          if (left === undefined) return partition.commit(batch);
          if (--left === 0) await partition.commit(batch);
          if (left <= 0) throw new Unavailable("Gone.", { outcome: "unknown" });
          return partition.commit(batch);
        },
      };
    },
  };
  return { storage, failAfter };
}

describe("e-mail domains", () => {
  const found = async ({ ask }: Setting, domain = "example.com") =>
    (await ask("stranger", `GET /v1/email-domains/${domain}/orgs`)).body.organizations as { id: string }[];

  test("an e-mail domain makes the organization visible to no one until it is verified", async () => {
    const setting = await stage();
    const { ask, api, clock, org, dns } = setting;
    const named = await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com", "acme.example"] });
    expect(named.body.emailDomains).toEqual(["example.com", "acme.example"]);
    expect(named.body.domainProofs).toMatchObject([{ verified: false }, { domain: "acme.example", verified: false }]);
    expect(await found(setting)).toEqual([]);
    dns.publish(org, "example.com");
    clock.forward(2 * MINUTE);
    await api.maintain();
    expect(await found(setting)).toMatchObject([{ id: org }]);
    expect((await ask("admin", `GET /v1/orgs/${org}`)).body.domainProofs).toMatchObject([
      { verified: true },
      { verified: false },
    ]);
    expect((await ask("read", `GET /v1/orgs/${org}`)).body.domainProofs).toBeUndefined();
    expect(dns.asked.every(({ kind }) => kind === "email")).toBe(true);
  });

  test("an e-mail domain named again is checked again, a verified one stays verified, and a removed one is forgotten", async () => {
    const setting = await stage();
    const { ask, org, dns } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"] });
    dns.publish(org, "example.com");
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"] });
    expect(await found(setting)).toMatchObject([{ id: org }]);
    dns.remove(org, "example.com");
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com", "b.example"] });
    expect(await found(setting)).toMatchObject([{ id: org }]);
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["b.example"] });
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"] });
    expect(await found(setting)).toEqual([]);
  });

  test("an e-mail domain named by a new organization is not verified either", async () => {
    const setting = await stage();
    const made = await setting.ask("rival", "POST /v1/orgs", { title: "Squatters", emailDomains: ["example.com"] });
    expect(made.body.domainProofs).toMatchObject([{ verified: false }]);
    expect(await found(setting)).toEqual([]);
  });
});

test("without a way to verify, nothing is verified and nothing fails", async () => {
  const setting = await setUp(memoryStorage(), { verifyDomain: undefined as never });
  const { ask, api, clock, org } = setting;
  const { at } = await siteOf(setting, "admin", "Ours");
  expect((await ask("admin", `PATCH ${at}`, { hostname: HOST })).body.domainProofs).toMatchObject([
    { verified: false },
  ]);
  await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["example.com"] });
  clock.forward(DAY);
  await api.maintain();
  expect((await ask(null, "POST /v1/urls/published", { url: `https://${HOST}/start` })).status).toBe(404);
  expect((await ask("stranger", "GET /v1/email-domains/example.com/orgs")).body.organizations).toEqual([]);
});

test("a verification that throws, never answers or returns no boolean is none", async () => {
  vi.useFakeTimers();
  try {
    const secrets = createSecrets(["a secret of more than thirty-two characters"], (n) => new Uint8Array(n));
    const claim = { domain: HOST, kind: "site" as const, organization: "org" };
    const errors: unknown[] = [];
    const proven = (verify: (claim: DomainClaim) => unknown) =>
      createDomainVerifier(secrets, verify as never, (error) => errors.push(error)).isProven(claim);
    expect(await proven(() => true)).toBe(true);
    expect(await proven(async () => true)).toBe(true);
    for (const answer of [false, 1, "yes", {}, undefined]) expect(await proven(() => answer)).toBe(false);
    expect(await proven(() => Promise.reject(new Error("no")))).toBe(false);
    expect(errors).toHaveLength(1);
    const waiting = proven(() => new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await waiting).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
