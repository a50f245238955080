// Who sees what of a site's structure, as stories: people of the organization, visitors, and what becomes of spaces that go.

import type { Scene, Story } from "../scenario";
import { looksLike, makeSection, makeSite } from "./site-structure";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

const closed: Story = {
  title: "what is in a space that somebody may not read is not on their site, unless they edit it",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta"].flatMap(makeSection),
    { as: "admin", ask: `POST ${at}/section-groups`, send: { title: "G", sections: ["{beta}"] }, expect: 201 },
    { as: "admin", ask: "PATCH /v1/spaces/{betaSpace}", send: { defaultLevel: null }, expect: 200 },
    { as: "read", ask: `GET ${at}/sections`, expect: 200, see: { count: 1, items: [{ id: "{alpha}" }] } },
    { as: "read", ask: `GET ${at}/site-spaces`, expect: 200, see: { count: 1, items: [{ id: "{alphaItem}" }] } },
    { as: "read", ask: `GET ${at}/section-groups`, expect: 200, see: { count: 0, items: [] } },
    { as: "read", ask: `GET ${at}/structure`, expect: 200, see: { type: "sections", structure: [{ id: "{alpha}" }] } },
    looksLike("alpha*(alpha*) G[beta(beta*)]"),
    {
      as: "create",
      ask: `GET ${at}/site-spaces`,
      expect: 200,
      see: {
        items: [
          { space: { id: "{alphaSpace}", permissions: { view: true, admin: true } } },
          { space: { id: "{betaSpace}", defaultLevel: null, permissions: { view: false, admin: false } } },
        ],
      },
    },
    makeSpace("free", "Free"),
    { as: "admin", ask: "PATCH /v1/spaces/{free}", send: { defaultLevel: "review" }, expect: 200 },
    { as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "{free}" }, expect: 403, reason: "forbidden" },
    { as: "create", ask: `POST ${at}/sections`, send: { spaceId: "{free}" }, expect: 403, reason: "forbidden" },
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{alphaItem}`,
      send: { spaceId: "{free}" },
      expect: 403,
      reason: "forbidden",
    },
    { as: "admin", ask: "PATCH /v1/spaces/{free}", send: { defaultLevel: null }, expect: 200 },
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{free}" },
      expect: 400,
      see: { error: { issues: [{ path: "body.spaceId" }] } },
    },
  ],
};

const visitors = (as: Scene["as"]): Scene[] => [
  {
    as,
    ask: `GET ${at}/sections`,
    expect: 200,
    see: {
      count: 1,
      items: [
        {
          id: "{alpha}",
          condition: undefined,
          urls: { published: (url: string) => url.endsWith("/docs") },
          siteSpaces: [
            {
              id: "{alphaItem}",
              space: {
                comments: 0,
                changeRequests: 0,
                changeRequestsOpen: 0,
                parent: undefined,
                gitSync: undefined,
                defaultLevel: null,
                permissions: { view: true, access: false, admin: false, edit: false, comment: false },
              },
            },
          ],
        },
      ],
    },
  },
  { as, ask: `GET ${at}/site-spaces`, expect: 200, see: { count: 1, items: [{ id: "{alphaItem}" }] } },
  { as, ask: `GET ${at}/site-spaces?default=false`, expect: 200, see: { count: 0 } },
];

const audience: Story = {
  title: "visitors see what conditions let them see, and nothing of how the organization works",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta"].flatMap(makeSection),
    makeSpace("inner", "Inner"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{inner}", sectionId: "{alpha}" },
      expect: 201,
      keep: { innerItem: "id" },
    },
    { as: "admin", ask: "POST /v1/spaces/{alphaSpace}/change-requests", send: { subject: "x" }, expect: 201 },
    { as: null, ask: `GET ${at}/sections`, expect: 404, reason: "site_not_found" },
    { as: "guest", ask: `GET ${at}/site-spaces`, expect: 404, reason: "site_not_found" },
    { as: "admin", ask: `POST ${at}/publish`, expect: 200 },
    { as: null, ask: `GET ${at}/site-spaces`, expect: 200, see: { count: 3 } },
    { as: "create", ask: `PATCH ${at}/sections/{beta}`, send: { condition: "visitor.claims.beta" }, expect: 200 },
    { as: "create", ask: `PATCH ${at}/sections/{alpha}`, send: { condition: "!visitor.claims.beta" }, expect: 200 },
    { as: "create", ask: `PATCH ${at}/site-spaces/{innerItem}`, send: { condition: "false" }, expect: 200 },
    ...visitors(null),
    ...visitors("stranger"),
    ...visitors("guest"),
    {
      as: "read",
      ask: `GET ${at}/sections`,
      expect: 200,
      see: {
        count: 2,
        items: [
          { condition: "!visitor.claims.beta", siteSpaces: [{}, { condition: "false" }] },
          { id: "{beta}", condition: "visitor.claims.beta" },
        ],
      },
    },
    { as: "stranger", ask: `GET ${at}/structure`, expect: 404, reason: "organization_not_found" },
    {
      as: null,
      ask: `GET ${at}/sections?unsignedClaims=x`,
      expect: 400,
      see: { error: { issues: [{ path: "query.unsignedClaims" }] } },
    },
    { as: "admin", ask: `POST ${at}/unpublish`, expect: 200 },
    { as: null, ask: `GET ${at}/sections`, expect: 404, reason: "site_not_found" },
    { as: "read", ask: `GET ${at}/sections`, expect: 200, see: { items: [{ urls: { published: undefined } }, {}] } },
  ],
};

const gone: Story = {
  title: "a space in the trash is shown to those who edit the site alone",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta"].flatMap(makeSection),
    makeSpace("second", "Second"),
    { as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "{second}", sectionId: "{beta}" }, expect: 201 },
    { as: "admin", ask: `POST ${at}/publish`, expect: 200 },
    { as: "admin", ask: "DELETE /v1/spaces/{alphaSpace}", expect: 204 },
    { as: "admin", ask: "DELETE /v1/spaces/{betaSpace}", expect: 204 },
    looksLike("alpha*(alpha*) beta(beta* second)"),
    {
      as: "create",
      ask: `GET ${at}/site-spaces`,
      expect: 200,
      see: {
        items: [
          { space: { id: "{alphaSpace}", deletedAt: (time: string) => time.startsWith("2026-") } },
          { space: { id: "{betaSpace}", deletedAt: (time: string) => time.startsWith("2026-") } },
          { space: { id: "{second}", deletedAt: undefined } },
        ],
      },
    },
    ...([null, "read", "review"] as const).map(
      (as): Scene => ({
        as,
        ask: `GET ${at}/sections`,
        expect: 200,
        see: { count: 1, items: [{ id: "{beta}", siteSpaces: [{ path: "second", default: false }] }] },
      }),
    ),
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{betaItem}`,
      send: { spaceId: "{alphaSpace}" },
      expect: 400,
      see: { error: { issues: [{ path: "body.spaceId" }] } },
    },
    { as: "admin", ask: "POST /v1/spaces/{alphaSpace}/restore", expect: 200 },
    { as: null, ask: `GET ${at}/sections`, expect: 200, see: { count: 2 } },
  ],
};

export const stories: Story[] = [closed, audience, gone];
