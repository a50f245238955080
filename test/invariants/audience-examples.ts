// One good request for every operation on who sees a site, and what they see.

import type { Setting } from "../support/setting";
import { allow, type Example, type Matrix } from "./example";
import type { Cast } from "./examples";

const schema = {
  type: "object",
  properties: { isBeta: { type: "boolean", description: "Is in the beta" } },
  additionalProperties: false,
};

/** Makes what a site has for its audience: `gate` is a site whose visitors an integration signs in. */
export async function gatherAudience(
  { ask, org, otherOrg }: Setting,
  site: string,
  space: string,
  foreignSite: string,
) {
  const at = `/v1/orgs/${org}/sites/${site}`;
  const shareLink = (await ask("admin", `POST ${at}/share-links`, { name: "Friends" })).body.id as string;
  await ask("admin", `PUT ${at}/adaptive-schema`, { jsonSchema: schema });
  await ask("admin", `POST ${at}/publishing/auth/regenerate`);
  const shown: { id: string; space: { id: string } }[] = (await ask("admin", `GET ${at}/site-spaces`)).body.items;
  const theirs = await ask("rival", `GET /v1/orgs/${otherOrg}/sites/${foreignSite}/site-spaces`);
  await installGate({ ask, org });
  const [{ script }] = (await ask(null, `GET ${at}/published`)).body.scripts;
  return {
    shareLink,
    /** The path of a URL of a script that an integration brings to the site. */
    script: new URL(script).pathname,
    gate: await makeGate({ ask, org }),
    siteSpace: shown.find((it) => it.space.id === space)!.id,
    foreignSiteSpace: theirs.body.items[0].id as string,
  };
}

/** An integration of the organization that does all there is to do for its sites. */
async function installGate({ ask, org }: Pick<Setting, "ask" | "org">): Promise<void> {
  const scopes = ["site:script:inject", "site:visitor:auth", "site:views:read", "space:views:read"];
  await ask("admin", "POST /v1/integrations/acme-gate", { organization: org, scopes });
  await ask("admin", "PUT /v1/integrations/acme-gate/dev", { tunnelUrl: "https://gate.example" });
  const made = await ask("admin", "POST /v1/integrations/acme-gate/installations", { organization: org });
  const everywhere = { site_selection: "all", space_selection: "all" };
  await ask("admin", `PATCH /v1/integrations/acme-gate/installations/${made.body.id}`, everywhere);
}

async function makeGate({ ask, org }: Pick<Setting, "ask" | "org">): Promise<string> {
  const made = await ask("admin", `POST /v1/orgs/${org}/sites`, { title: "Gate", visibility: "visitor-auth" });
  const at = `/v1/orgs/${org}/sites/${made.body.id}`;
  await ask("admin", `POST ${at}/publish`);
  await ask("admin", `PATCH ${at}/publishing/auth`, { backend: "integration", integration: "acme-gate" });
  return made.body.id;
}

const everybody: Matrix = {};
const members: Matrix = { stranger: 404, rival: 404, guest: 404 };
const editors: Matrix = { ...members, read: 403, comment: 403, edit: 403, review: 403 };

const view = { url: "https://docs.example.com/start", visitor: { anonymousId: "a", userAgent: "Browser" } };

export function audienceExamples(cast: Cast) {
  const { org, site, space, foreignSpace, content, foreignContent, audience } = cast;
  const at = `/v1/orgs/${org}/sites/${site}`;
  const link = `${at}/share-links/${audience.shareLink}`;
  const pages = `${at}/site-spaces/${audience.siteSpace}`;
  const theirs = audience.foreignSiteSpace;
  const foreign = `${at}/site-spaces/${theirs}`;
  const asked = (where: object) => ({ query: "xylophone", ...where });
  return {
    getAdaptiveSchema: allow(`GET ${at}/adaptive-schema`, members),
    setAdaptiveSchema: allow(`PUT ${at}/adaptive-schema`, editors, { send: { jsonSchema: schema } }),
    listTemplateConditions: allow(`GET ${at}/adaptive-schema/template-conditions`, members),
    listShareLinks: allow(`GET ${at}/share-links`, editors),
    createShareLink: allow(`POST ${at}/share-links`, editors, { send: { name: "Press" } }),
    getShareLink: allow(`GET ${link}`, editors),
    updateShareLink: allow(`PATCH ${link}`, editors, { send: { active: false } }),
    regenerateShareLink: allow(`POST ${link}/regenerate`, editors),
    deleteShareLink: allow(`DELETE ${link}`, editors),
    getPublishingAuth: allow(`GET ${at}/publishing/auth`, editors),
    updatePublishingAuth: allow(`PATCH ${at}/publishing/auth`, editors, {
      send: { fallbackURL: "https://example.com/login" },
    }),
    regeneratePublishingAuth: allow(`POST ${at}/publishing/auth/regenerate`, editors),
    getPublishedSite: allow(`GET ${at}/published`, everybody),
    listPublishedPages: allow(`GET ${pages}/pages`, everybody, {
      foreign: [
        { at: "siteSpaceId", ask: `GET ${foreign}/pages` },
        { at: "along", ask: `GET ${pages}/pages?along=${foreignContent.page}` },
      ],
    }),
    getPublishedPage: allow(`GET ${pages}/page/${content.page}?references=true`, everybody, {
      foreign: [
        { at: "pageId", ask: `GET ${pages}/page/${foreignContent.page}` },
        { at: "siteSpaceId", ask: `GET ${foreign}/page/${foreignContent.page}` },
      ],
    }),
    fetchPublishedScript: allow(`GET ${audience.script}`, everybody, {
      foreign: [{ at: "space", ask: `GET ${audience.script}?space=${foreignSpace}` }],
    }),
    startVisitorLogin: allow(`GET /v1/orgs/${org}/sites/${audience.gate}/login?location=/start`, everybody),
    reportSiteView: allow(`POST ${at}/views`, editors, {
      send: { ...view, spaceId: space, pageId: content.page },
      foreign: [
        { at: "spaceId", send: { ...view, spaceId: foreignSpace } },
        { at: "pageId", send: { ...view, spaceId: space, pageId: foreignContent.page } },
      ],
    }),
    reportSiteEvents: allow(`POST ${at}/insights/events`, everybody, {
      send: { events: [{ type: "page_view", location: { url: view.url, siteSpace: audience.siteSpace } }] },
      foreign: [
        { at: "events.location.siteSpace", location: { siteSpace: audience.foreignSiteSpace } },
        { at: "events.location.space", location: { space: foreignSpace } },
        { at: "events.location.page", location: { siteSpace: audience.siteSpace, page: foreignContent.page } },
      ].map(({ at: path, location }) => ({
        at: path,
        send: { events: [{ type: "page_view", location }] },
        finds: "nothing" as const,
      })),
    }),
    aggregateSiteEvents: allow(`POST ${at}/insights/events/aggregate`, editors, {
      send: { groupBy: ["page"] },
      foreign: [
        { at: "filters.siteSpace", send: { filters: { siteSpace: audience.foreignSiteSpace } }, finds: "nothing" },
        { at: "filters.page", send: { filters: { page: foreignContent.page } }, finds: "nothing" },
      ],
    }),
    askSite: allow(`POST ${at}/ask`, everybody, {
      send: { question: "xylophone" },
      foreign: [
        { mode: "default", includedSiteSpaces: [theirs] },
        { mode: "default", currentSiteSpace: theirs },
        { mode: "specific", siteSpaceIds: [theirs] },
      ].map((scope) => ({ at: `scope.${Object.keys(scope)[1]}`, send: { question: "xylophone", scope } })),
    }),
    searchSite: allow(`POST ${at}/search`, everybody, {
      send: { query: "xylophone", scope: { mode: "specific", siteSpaceIds: [audience.siteSpace] } },
      foreign: [
        { at: "scope.includedSiteSpaces", send: asked({ scope: { mode: "default", includedSiteSpaces: [theirs] } }) },
        { at: "scope.currentSiteSpace", send: asked({ scope: { mode: "default", currentSiteSpace: theirs } }) },
        { at: "scope.siteSpaceIds", send: asked({ scope: { mode: "specific", siteSpaceIds: [theirs] } }) },
        { at: "siteSpaceId", send: asked({ mode: "current", siteSpaceId: theirs }) },
        { at: "siteSpaceIds", send: asked({ mode: "specific", siteSpaceIds: [theirs] }) },
      ],
    }),
  } satisfies Record<string, Example>;
}
