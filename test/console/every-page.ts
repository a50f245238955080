// Every page that the application has an address for. A route that is not in this table, or that nothing was made for, fails
// and is named: a page that is added is looked at.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import type { Page } from "playwright-core";
import { console as words } from "../../src/locales/en.json";

/** What the parameters of routes stand for. */
export type Things = Readonly<Record<string, string>>;

const TITLES = { collection: "Workshop", provider: "Company", integration: "Bell", site: "Engines for all" };

/** The heading of the page that each route opens, where everything is as `makeThings` and the play leave it. */
export const headings: Readonly<Record<string, string>> = {
  "/": words.home.chooseOrganization,
  "/o/:organization": words.layout.library,
  "/o/:organization/c/:collection": TITLES.collection,
  "/account": "Admin",
  "/o/:organization/people": words.layout.people,
  "/o/:organization/people/invites": words.layout.people,
  "/o/:organization/people/teams": words.layout.people,
  "/o/:organization/people/members/:user": "Grace",
  "/o/:organization/settings": words.layout.settings,
  "/o/:organization/settings/sign-in": words.layout.settings,
  "/o/:organization/settings/sign-in/:provider": TITLES.provider,
  "/o/:organization/settings/directory": words.layout.settings,
  "/o/:organization/audit": words.layout.auditLog,
  "/o/:organization/integrations": words.layout.integrations,
  "/o/:organization/integrations/:integration": TITLES.integration,
  "/integrations/:integration": TITLES.integration,
  "/integrations/:integration/edit": TITLES.integration,
  "/integrations/:integration/events": TITLES.integration,
  "/o/:organization/c/:collection/settings": TITLES.collection,
  "/o/:organization/c/:collection/access": TITLES.collection,
  "/o/:organization/s/:space/~/settings": "Engines",
  "/o/:organization/s/:space/~/access": "Engines",
  "/o/:organization/sites": words.layout.sites,
  "/o/:organization/sites/:site": TITLES.site,
  "/o/:organization/sites/:site/structure": TITLES.site,
  "/o/:organization/sites/:site/look": TITLES.site,
  "/o/:organization/sites/:site/audience": TITLES.site,
  "/o/:organization/sites/:site/redirects": TITLES.site,
  "/o/:organization/sites/:site/insights": TITLES.site,
  "/o/:organization/openapi": words.layout.specifications,
  "/o/:organization/openapi/:spec": "lathes",
  "/o/:organization/translations": words.layout.translations,
  "/o/:organization/jobs": words.jobs.jobs,
  "/o/:organization/s/:space/~/git": words.git.git,
  "/o/:organization/s/:space/~/import": words.imports.importHead,
  "/o/:organization/changes": words.layout.changeRequests,
  "/o/:organization/trash": words.trash.trash,
  "/o/:organization/s/:space/~/variables": words.variables.variables,
  "/o/:organization/s/:space/~/history": words.space.history,
  "/o/:organization/s/:space/~/history/:page": words.history.historyOf.replace("{title}", "Care"),
  "/o/:organization/s/:space/~/revisions/:revision": words.space.history,
  "/o/:organization/s/:space/~/changes": words.layout.changeRequests,
  "/o/:organization/s/:space/~/changes/:changeRequest": "Rest at night",
  "/o/:organization/s/:space/~/changes/:changeRequest/:pagePath+": "Care",
  "/o/:organization/s/:space/:pagePath*": "Care",
};

/** Addresses that lead nowhere. */
const nowhere = ["/o/:organization/nothing/here", "/o/:organization/s/spc_nothing", "/o/:organization/c/col_nothing"];

/** The routes of the application, as its source has them. */
export function routesOfConsole(): readonly string[] {
  const source = readFileSync(new URL("../../src/console/app/app.tsx", import.meta.url), "utf8");
  return [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path!);
}

export interface PageOfRoute {
  readonly name: string;
  readonly path: string;
  readonly heading: string;
}

/** A page for each of these routes. Fails with the names of those that cannot be opened with these things. */
export function everyPage(things: Things, routes = routesOfConsole()): readonly PageOfRoute[] {
  const unknown = routes.filter((route) => headings[route] === undefined);
  assert.deepEqual(unknown, [], "These routes are not in the table of the play (test/console/every-page.ts).");
  const pathOf = (route: string) => route.replace(/:(\w+)[+*]?/g, (whole, name: string) => things[name] ?? whole);
  const unmade = routes.filter((route) => pathOf(route).includes(":"));
  assert.deepEqual(unmade, [], "The play makes nothing that these routes show (test/console/every-page.ts).");
  const nameOf = (route: string) => {
    const name = route.replace("/o/:organization", "o").replace(/^\W+|\W+$/g, "");
    return `all-${name.replace(/\W+/g, "-") || "home"}`;
  };
  return [
    ...routes.map((route) => ({ name: nameOf(route), path: pathOf(route), heading: headings[route]! })),
    ...nowhere.map((route) => ({ name: nameOf(route), path: pathOf(route), heading: words.general.notFound })),
  ];
}

/** Opens a page, and waits until all of it is there. */
export async function openPage(page: Page, origin: string, { name, path, heading }: PageOfRoute): Promise<void> {
  // The home page opens a single organization at once, unless somebody asks for the list.
  await page.goto(origin + (path === "/" ? "/?all" : path));
  const title = page.locator("h1").first();
  await title.waitFor();
  for (let i = 0; i < 600 && (await page.locator(".waiting").count()) > 0; i++) await wait(50);
  assert.equal((await title.textContent())?.trim(), heading, `${name} is not at ${path}.`);
}

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Lathes", version: "1" },
  paths: { "/lathes": { get: { operationId: "listLathes", responses: { 200: { description: "Lathes" } } } } },
};

const SCRIPT = `export default {
  async fetch(request) {
    console.log("heard", request.url);
    return new Response("fine");
  },
};`;

/** Makes what the play does not come by, as the person of the page. */
export async function makeThings(page: Page, origin: string, known: Things): Promise<Things> {
  const { organization, space } = known;
  const orgs = `/orgs/${organization}`;
  async function ask<Answer>(method: "GET" | "POST" | "PUT", path: string, data?: object): Promise<Answer> {
    const options = { method, headers: { origin }, ...(data ? { data } : {}) };
    const answer = await page.request.fetch(`${origin}/v1${path}`, options);
    assert.ok(answer.ok(), `${method} ${path}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }
  type Made = { readonly id: string };
  type Listed<Item> = { readonly items: readonly Item[] };
  const collection = await ask<Made>("POST", `${orgs}/collections`, { title: TITLES.collection });
  await ask("POST", `${orgs}/spaces`, { title: "Tools", parent: collection.id });
  const provider = await ask<Made>("POST", `${orgs}/saml`, { label: TITLES.provider });
  await ask("PUT", `${orgs}/openapi/lathes`, { source: { text: JSON.stringify(SPEC) } });
  for (let i = 0; i < 600; i++) {
    const { processingState } = await ask<{ processingState: string }>("GET", `${orgs}/openapi/lathes`);
    if (processingState === "complete") break;
    await wait(100);
  }
  const configurations = {
    account: { properties: { tone: { type: "string", title: "Tone" }, loud: { type: "boolean", title: "Loud" } } },
  };
  const definition = {
    title: TITLES.integration,
    description: "Rings when something was published.",
    organization,
    scopes: ["space:content:read", "space:metadata:read"],
    configurations,
    script: SCRIPT,
  };
  await ask("POST", "/integrations/bell", definition);
  await ask("POST", "/integrations/bell/installations", { organization });
  const { items: sites } = await ask<Listed<Made>>("GET", `${orgs}/sites`);
  const { items: members } = await ask<Listed<{ id: string; user: { email: string } }>>("GET", `${orgs}/members`);
  const { pages } = await ask<{ pages: { id: string; path: string }[] }>("GET", `/spaces/${space}/content/pages`);
  const { items: revisions } = await ask<Listed<Made>>("GET", `/spaces/${space}/revisions`);
  return {
    ...known,
    changeRequest: "1",
    pagePath: "care",
    collection: collection.id,
    provider: provider.id,
    spec: "lathes",
    integration: "bell",
    site: sites[0]!.id,
    user: members.find(({ user }) => user.email === "grace@example.com")!.id,
    page: pages.find(({ path }) => path === "care")!.id,
    revision: revisions[0]!.id,
  };
}
