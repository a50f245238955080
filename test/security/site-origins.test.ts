// S16, S22: scripts of one organization ran at an origin that it shared with others, and read their sites with the visitor's cookie.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createSite, type SiteOptions } from "octavo/site";
import { describe, expect, test } from "vitest";
import { createSitesUrl, type Urls } from "../../src/ports/urls";
import { findOriginSharing } from "../../src/site/request/site-context";
import { installAtHome, showSpace } from "../resources/integrations/installed";
import { createReceiver, takes } from "../resources/integrations/receiver";
import { type Setting, setUp } from "../support/setting";

interface Stage extends Setting {
  /** The path of the site in the API. */
  readonly at: string;
  /** Where the site is published. */
  readonly url: string;
  readonly open: (url: string, init?: RequestInit) => Promise<Response>;
  /** Whether the page of an address has the script of the integration. */
  readonly hasScript: (url: string) => Promise<boolean>;
}

/** A site with a script of an integration. */
async function stageWith(options: DocsApiOptions, siteOptions: SiteOptions = {}): Promise<Stage> {
  const setting = await setUp(memoryStorage(), { ...options, fetch: createReceiver(takes).fetch });
  const { ask, api } = setting;
  const one = await installAtHome(setting, "bot", { scopes: ["site:script:inject"] });
  await ask("admin", `PATCH ${one}`, { site_selection: "all" });
  const { space, at } = await showSpace(setting, { visibility: "public" });
  const changes = [{ operation: "insert_page", title: "One", document: { markdown: "Text." } }];
  await ask("admin", `POST /v1/spaces/${space}/content`, { changes });
  const site = createSite(api, siteOptions);
  const open = (url: string, init: RequestInit = {}) =>
    site.fetch(
      new Request(url, { redirect: "manual", ...init, headers: { host: new URL(url).host, ...init.headers } }),
    );
  return {
    ...setting,
    at,
    url: await publishedAt(setting, at),
    open,
    async hasScript(url) {
      const response = await open(url);
      expect(response.status, url).toBe(200);
      return (await response.text()).includes("/integrations/bot/scripts/");
    },
  };
}

async function publishedAt({ ask }: Setting, at: string): Promise<string> {
  return (await ask("admin", `GET ${at}`)).body.urls.published;
}

const SHARED = { origin: "https://api.example", sitesUrl: "https://docs.example/s" };
const WILDCARD = { origin: "https://api.docs.example", sitesUrl: "https://*.docs.example" };

describe("integration scripts", () => {
  test("scripts are omitted where organizations share an origin, unless the host says that they trust each other", async () => {
    const strict = await stageWith(SHARED);
    expect(await strict.hasScript(`${strict.url}/one`)).toBe(false);
    const trusting = await stageWith(SHARED, { trustOrganizations: true });
    expect(await trusting.hasScript(`${trusting.url}/one`)).toBe(true);
  });

  test("scripts run on a host that the organization has verified", async () => {
    const stage = await stageWith(SHARED);
    await stage.ask("admin", `PATCH ${stage.at}`, { hostname: "docs.acme.example" });
    expect(await stage.hasScript("https://docs.acme.example/one")).toBe(true);
    expect(await stage.hasScript(`${stage.url}/one`)).toBe(false);
  });

  test("scripts run where each organization has its own host", async () => {
    const stage = await stageWith(WILDCARD);
    expect(stage.url).toBe(`https://${stage.org.replace("_", "-")}.docs.example/docs`);
    expect(await stage.hasScript(`${stage.url}/one`)).toBe(true);
  });

  test("scripts are omitted on the API's own host and that of the application, whoever is trusted", async () => {
    for (const options of [{}, { origin: "https://api.example", appOrigin: "https://app.example" }]) {
      const stage = await stageWith(options, { trustOrganizations: true });
      expect(await stage.hasScript(`${stage.url}/one`)).toBe(false);
    }
  });

  test("scripts are omitted there behind a TLS proxy and under another name of the machine", async () => {
    const secure = await stageWith({ origin: "https://api.example" }, { trustOrganizations: true });
    expect(await secure.hasScript(`${secure.url.replace("https:", "http:")}/one`)).toBe(false);
    const local = await stageWith({ origin: "http://127.0.0.1:3000" }, { trustOrganizations: true });
    for (const name of ["127.0.0.1", "localhost", "[::1]"])
      expect(await local.hasScript(`${local.url.replace("127.0.0.1", name)}/one`), name).toBe(false);
  });

  test("scripts of a proxied site are omitted where only the shared host is known", async () => {
    const stage = await stageWith(SHARED);
    const shared = `${stage.url}/one`;
    await stage.ask("admin", `PATCH ${stage.at}`, { proxy: "docs.acme.example/guide" });
    expect(await stage.hasScript(shared)).toBe(false);
  });
});

test("shared origins are determined by host, however it is written", () => {
  const urls = (api: string, app: string, sites: string): Urls => ({
    api: (path) => api + path,
    app: (path) => app + path,
    sites: createSitesUrl(
      sites,
      [api, app].map((it) => new URL(it).host),
    ),
  });
  const apart = urls("https://api.example", "https://app.example", "https://docs.example/s");
  const wildcard = urls("https://api.docs.example", "https://api.docs.example", "https://*.docs.example");
  for (const [where, url, sharing] of [
    [apart, "https://api.example/", "api"],
    [apart, "http://API.example/", "api"],
    [apart, "https://app.example/", "api"],
    [apart, "https://docs.example/s/org/docs", "organizations"],
    [apart, "https://docs.example/", "organizations"],
    [apart, "https://docs.acme.example/", "nobody"],
    [wildcard, "https://api.docs.example/", "api"],
    [wildcard, "https://acme.docs.example/", "nobody"],
  ] as const)
    expect(findOriginSharing(where, new URL(url)), url).toBe(sharing);
});

describe("a host for each organization", () => {
  test("an organization's host shows its own sites by id and by host name, and no others", async () => {
    const stage = await stageWith(WILDCARD);
    const { ask, org, otherOrg, open } = stage;
    const [own, other] = [org, otherOrg].map((id) => `https://${id.replace("_", "-")}.docs.example`);
    expect((await open(`${own}/docs/one`)).status).toBe(200);
    expect((await open(`${other}/docs/one`)).status).toBe(404);
    expect((await open(`${other}/${org}/docs/one`)).status).toBe(404);
    expect((await open(`https://nobody.docs.example/docs/one`)).status).toBe(404);
    expect((await open(`https://a.${new URL(own!).host}/docs/one`)).status).toBe(404);
    expect((await open(`https://docs.example/docs/one`)).status).toBe(404);
    expect((await open(`https://api.docs.example/docs/one`)).status).toBe(404);
    await ask("admin", `PATCH /v1/orgs/${org}`, { hostname: "acme" });
    expect(await publishedAt(stage, stage.at)).toBe("https://acme.docs.example/docs");
    for (const host of [own, "https://acme.docs.example", "https://ACME.docs.example"])
      expect((await open(`${host}/docs/one`)).status, host).toBe(200);
  });

  test("an organization's host passes nothing on to the API, which scripts there must not reach", async () => {
    const stage = await stageWith({ ...WILDCARD, sitesUrl: "https://*.docs.example/s" });
    const { origin } = new URL(stage.url);
    expect(stage.url).toBe(`${origin}/s/docs`);
    expect((await stage.open(`${stage.url}/one`)).status).toBe(200);
    for (const path of ["/v1/", "/v1/health", "/sign-in", "/", "/s", "/docs/one"])
      expect([path, (await stage.open(origin + path)).status]).toEqual([path, 404]);
    expect((await stage.open("https://api.docs.example/v1/")).status).toBe(200);
  });

  test("an organization's host may have a port", async () => {
    const stage = await stageWith({ origin: "http://localhost:3000", sitesUrl: "http://*.localhost:3000" });
    expect(stage.url).toBe(`http://${stage.org.replace("_", "-")}.localhost:3000/docs`);
    expect(await stage.hasScript(`${stage.url}/one`)).toBe(true);
    expect((await stage.open(stage.url.replace(":3000", ""))).status).toBe(404);
    expect((await stage.open("http://localhost:3000/v1/")).status).toBe(200);
  });

  test("an organization's host cannot be claimed as a host name of the server, another organization's id or a homograph", async () => {
    const stage = await stageWith(WILDCARD);
    const { ask, org, otherOrg } = stage;
    const byId = stage.url;
    for (const hostname of ["api", otherOrg.replace("_", "-"), "org-somebody", "xn--80ak6aa92e", "ab--cd"]) {
      expect((await ask("admin", `PATCH /v1/orgs/${org}`, { hostname })).status, hostname).toBe(200);
      expect(await publishedAt(stage, stage.at), hostname).toBe(byId);
      expect((await stage.open(`https://${hostname}.docs.example/docs/one`)).status, hostname).toBe(404);
      const leads = await ask(
        "admin",
        `GET /v1/urls/content?url=${encodeURIComponent(`https://${hostname}.docs.example/docs/one`)}`,
      );
      expect(leads.status, hostname).toBe(404);
    }
  });

  test("an organization's host cannot be the host of a site", async () => {
    const stage = await stageWith(WILDCARD);
    for (const hostname of [`${stage.otherOrg.replace("_", "-")}.docs.example`, "any.docs.example", "api.docs.example"])
      for (const change of [{ hostname }, { proxy: `${hostname}/guide` }]) {
        const { status, body } = await stage.ask("admin", `PATCH ${stage.at}`, change);
        expect([status, body.error?.reason], hostname).toEqual([409, "site_host_taken"]);
      }
    const atPort = await stageWith({ ...WILDCARD, sitesUrl: "https://*.docs.example:8443" });
    expect((await atPort.ask("admin", `PATCH ${atPort.at}`, { hostname: "any.docs.example" })).status).toBe(409);
  });

  test("an organization's host has its own cookies", async () => {
    const stage = await stageWith(WILDCARD);
    const answer = await stage.open(`${stage.url}/one?visitor.plan=pro`);
    expect(answer.status).toBe(303);
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toContain("octavo-claims=");
    expect(cookie).toContain("; Secure");
    expect(cookie!.toLowerCase()).not.toContain("domain");
  });

  test.each([
    "https://*",
    "https://*.*.example",
    "https://a*.example",
    "https://a.*.example",
    "https://*.example/*",
    "https://x@*.example",
    "https://*.example?x",
    "https://*.example#x",
    "https://*.10.0.0.1",
  ])("%s is not a valid address of sites", async (sitesUrl) => {
    await expect(setUp(memoryStorage(), { sitesUrl })).rejects.toThrow("createDocsApi: `sitesUrl` must be a URL");
  });
});

describe("S44: credentials in addresses", () => {
  test("S44: credentials in the address are removed by a redirect to the same origin", async () => {
    const stage = await stageWith({});
    const { location } = Object.fromEntries((await stage.open(`${stage.url}/one?visitor.a=1&x=2`)).headers);
    expect(location).toBe(`${stage.url}/one?x=2`);
  });

  test.each(["//evil.example", "///evil.example", "/.//evil.example", "/one//evil.example", "/one//"])(
    "S44: %s is not found, and no one is redirected there",
    async (path) => {
      const stage = await stageWith({});
      await stage.ask("admin", `PATCH ${stage.at}`, { hostname: "docs.acme.example" });
      for (const base of ["https://docs.acme.example", stage.url]) {
        const { status, headers } = await stage.open(`${base}${path}?visitor.a=1`);
        expect([status, headers.get("location"), headers.getSetCookie()]).toEqual([404, null, []]);
      }
    },
  );
});
