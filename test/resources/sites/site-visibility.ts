// Who sees what of a site's structure, as stories: people of the organization, visitors, and what becomes of spaces that go.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";
import { looksLike, makeSection, makeSite } from "./site-structure";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

const closed: Story = defineStory(
  "what is in a space that somebody may not read is not on their site, unless they edit it",
  [
    ...makeSite(),
    ...["alpha", "beta"].flatMap(makeSection),
    send("admin", `POST ${at}/section-groups`, 201, { title: "G", sections: ["{beta}"] }),
    send("admin", "PATCH /v1/spaces/{betaSpace}", 200, { defaultLevel: null }),
    list("read", `${at}/sections`, [{ id: "{alpha}" }]),
    list("read", `${at}/site-spaces`, [{ id: "{alphaItem}" }]),
    list("read", `${at}/section-groups`, []),
    get("read", `${at}/structure`, { type: "sections", structure: [{ id: "{alpha}" }] }),
    looksLike("alpha*(alpha*) G[beta(beta*)]"),
    get("create", `${at}/site-spaces`, {
      items: [
        { space: { id: "{alphaSpace}", permissions: { view: true, admin: true } } },
        { space: { id: "{betaSpace}", defaultLevel: null, permissions: { view: false, admin: false } } },
      ],
    }),
    makeSpace("free", "Free"),
    send("admin", "PATCH /v1/spaces/{free}", 200, { defaultLevel: "review" }),
    send("create", `POST ${at}/site-spaces`, "403 forbidden", { spaceId: "{free}" }),
    send("create", `POST ${at}/sections`, "403 forbidden", { spaceId: "{free}" }),
    send("create", `PATCH ${at}/site-spaces/{alphaItem}`, "403 forbidden", { spaceId: "{free}" }),
    send("admin", "PATCH /v1/spaces/{free}", 200, { defaultLevel: null }),
    refuse("create", `POST ${at}/site-spaces`, "body.spaceId", { spaceId: "{free}" }),
  ],
);

const visitors = (as: Scene["as"]): Scene[] => [
  list(as, `${at}/sections`, [
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
  ]),
  list(as, `${at}/site-spaces`, [{ id: "{alphaItem}" }]),
  get(as, `${at}/site-spaces?default=false`, { count: 0 }),
];

const audience: Story = defineStory(
  "visitors see what conditions let them see, and nothing of how the organization works",
  [
    ...makeSite(),
    ...["alpha", "beta"].flatMap(makeSection),
    makeSpace("inner", "Inner"),
    create("create", `POST ${at}/site-spaces`, "innerItem", { spaceId: "{inner}", sectionId: "{alpha}" }),
    send("admin", "POST /v1/spaces/{alphaSpace}/change-requests", 201, { subject: "x" }),
    ask(null, `GET ${at}/sections`, "404 site_not_found"),
    ask("guest", `GET ${at}/site-spaces`, "404 site_not_found"),
    ask("admin", `POST ${at}/publish`, 200),
    get(null, `${at}/site-spaces`, { count: 3 }),
    send("create", `PATCH ${at}/sections/{beta}`, 200, { condition: "visitor.claims.beta" }),
    send("create", `PATCH ${at}/sections/{alpha}`, 200, { condition: "!visitor.claims.beta" }),
    send("create", `PATCH ${at}/site-spaces/{innerItem}`, 200, { condition: "false" }),
    ...visitors(null),
    ...visitors("stranger"),
    ...visitors("guest"),
    list("read", `${at}/sections`, [
      { condition: "!visitor.claims.beta", siteSpaces: [{}, { condition: "false" }] },
      { id: "{beta}", condition: "visitor.claims.beta" },
    ]),
    ask("stranger", `GET ${at}/structure`, "404 organization_not_found"),
    refuse(null, `GET ${at}/sections?unsignedClaims=x`, "query.unsignedClaims"),
    ask("admin", `POST ${at}/unpublish`, 200),
    ask(null, `GET ${at}/sections`, "404 site_not_found"),
    get("read", `${at}/sections`, { items: [{ urls: { published: undefined } }, {}] }),
  ],
);

const gone: Story = defineStory("a space in the trash is shown to those who edit the site alone", [
  ...makeSite(),
  ...["alpha", "beta"].flatMap(makeSection),
  makeSpace("second", "Second"),
  send("create", `POST ${at}/site-spaces`, 201, { spaceId: "{second}", sectionId: "{beta}" }),
  ask("admin", `POST ${at}/publish`, 200),
  ask("admin", "DELETE /v1/spaces/{alphaSpace}", 204),
  ask("admin", "DELETE /v1/spaces/{betaSpace}", 204),
  looksLike("alpha*(alpha*) beta(beta* second)"),
  get("create", `${at}/site-spaces`, {
    items: [
      { space: { id: "{alphaSpace}", deletedAt: (time: string) => time.startsWith("2026-") } },
      { space: { id: "{betaSpace}", deletedAt: (time: string) => time.startsWith("2026-") } },
      { space: { id: "{second}", deletedAt: undefined } },
    ],
  }),
  ...([null, "read", "review"] as const).map(
    (as): Scene => list(as, `${at}/sections`, [{ id: "{beta}", siteSpaces: [{ path: "second", default: false }] }]),
  ),
  refuse("create", `PATCH ${at}/site-spaces/{betaItem}`, "body.spaceId", { spaceId: "{alphaSpace}" }),
  ask("admin", "POST /v1/spaces/{alphaSpace}/restore", 200),
  get(null, `${at}/sections`, { count: 2 }),
]);

export const stories: Story[] = [closed, audience, gone];
