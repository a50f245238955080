// The structure of sites as stories: sections, groups, site-spaces, their order and their defaults.

import type { Scene, Story } from "../scenario";
import { lineOf, type Shown } from "./site-shape";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

/** A site with spaces at its root, in the order given. */
export const makeSite = (...spaces: string[]): Scene[] => [
  ...spaces.map((name) => makeSpace(name, name[0]!.toUpperCase() + name.slice(1))),
  {
    as: "admin",
    ask: "POST /v1/orgs/{org}/sites",
    send: { title: "Docs", spaces: spaces.map((name) => `{${name}}`) },
    expect: 201,
    keep: { site: "id" },
  },
];

/** Adds a section with a new space, and keeps the section's id under the name. */
export const makeSection = (name: string): Scene[] => [
  makeSpace(`${name}Space`, name),
  {
    as: "create",
    ask: `POST ${at}/sections`,
    send: { spaceId: `{${name}Space}` },
    expect: 201,
    keep: { [name]: "id", [`${name}Item`]: "siteSpaces.0.id" },
  },
];

/** What the structure shows, as one line: groups with their sections, `*` behind what is default. */
export const looksLike = (line: string): Scene => ({
  as: "create",
  ask: `GET ${at}/structure`,
  expect: 200,
  see: (body: Shown) => lineOf(body) === line,
});

const keepItems: Scene = {
  as: "read",
  ask: `GET ${at}/site-spaces`,
  expect: 200,
  keep: { one: "items.0.id", two: "items.1.id" },
};

const refused = (scene: Omit<Scene, "expect" | "see">, path: string): Scene => ({
  ...scene,
  expect: 400,
  see: { error: { issues: [{ path }] } },
});

const siteSpaces: Story = {
  title: "spaces stand at the root of a site, each once, with a default and paths of their own",
  scenes: [
    ...makeSite("english", "french"),
    { as: "admin", ask: `POST ${at}/publish`, expect: 200 },
    looksLike("english* french"),
    {
      as: "read",
      ask: `GET ${at}/site-spaces`,
      expect: 200,
      see: {
        count: 2,
        items: [
          {
            object: "site-space",
            path: "english",
            title: "English",
            default: true,
            section: undefined,
            condition: undefined,
            space: { id: "{english}", permissions: { view: true, admin: false } },
            urls: { published: (url: string) => url.endsWith("/docs") },
          },
          { path: "french", default: false, urls: { published: (url: string) => url.endsWith("/docs/french") } },
        ],
      },
      keep: { one: "items.0.id", two: "items.1.id" },
    },
    makeSpace("again", "English"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{again}" },
      expect: 201,
      see: { path: "english-1", title: "English", default: false },
      keep: { three: "id" },
    },
    { as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "{again}" }, expect: 409, reason: "space_on_site" },
    refused({ as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "spc_none" } }, "body.spaceId"),
    refused(
      { as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "{again}", sectionId: "{one}" } },
      "body.sectionId",
    ),
    refused({ as: "create", ask: `POST ${at}/site-spaces`, send: {} }, "body.spaceId"),
    { as: "review", ask: `POST ${at}/site-spaces`, send: { spaceId: "{again}" }, expect: 403, reason: "forbidden" },
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { path: "uk", condition: "visitor.claims.uk" },
      expect: 200,
      see: { path: "uk", condition: "visitor.claims.uk" },
    },
    { as: "create", ask: `PATCH ${at}/site-spaces/{three}`, send: {}, expect: 200, see: { path: "uk" } },
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { condition: null },
      expect: 200,
      see: { condition: undefined },
    },
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { path: "french" },
      expect: 409,
      reason: "path_taken",
    },
    ...["a b", "a/b", "..", "-a", "a--b", "~a", "", "x".repeat(101)].map((path) =>
      refused({ as: "create", ask: `PATCH ${at}/site-spaces/{three}`, send: { path } }, "body.path"),
    ),
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { condition: "visitor.claims.(" },
      expect: 400,
      see: { error: { issues: [{ path: "body.condition", message: (text: string) => /\(at \d+\)$/.test(text) }] } },
    },
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { spaceId: "{french}" },
      expect: 409,
      reason: "space_on_site",
    },
    makeSpace("other", "Other"),
    {
      as: "create",
      ask: `PATCH ${at}/site-spaces/{three}`,
      send: { spaceId: "{other}" },
      expect: 200,
      see: { path: "uk", title: "Other", space: { id: "{other}" } },
    },
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{again}" },
      expect: 201,
      see: { path: "english-1" },
    },
    { as: "read", ask: `GET ${at}/site-spaces?default=true`, expect: 200, see: { count: 1, items: [{ id: "{one}" }] } },
    { as: "read", ask: `GET ${at}/site-spaces?default=false`, expect: 200, see: { count: 3 } },
    { as: "edit", ask: `DELETE ${at}/site-spaces/{one}`, expect: 403, reason: "forbidden" },
    { as: "create", ask: `DELETE ${at}/site-spaces/{one}`, expect: 204 },
    { as: "create", ask: `DELETE ${at}/site-spaces/{one}`, expect: 204 },
    looksLike("french* uk english-1"),
    {
      as: "read",
      ask: "GET /v1/orgs/{org}/sites/{site}",
      expect: 200,
      see: { siteSpaces: 3 },
    },
    { as: "create", ask: `PATCH ${at}/site-spaces/{one}`, send: {}, expect: 404, reason: "site_space_not_found" },
    { as: "read", ask: `PATCH ${at}/site-spaces/{one}`, send: {}, expect: 403, reason: "forbidden" },
    { as: "guest", ask: `PATCH ${at}/site-spaces/{two}`, send: {}, expect: 404, reason: "site_not_found" },
  ],
};

const sections: Story = {
  title: "the first section takes the spaces of the root along, and what is deleted leaves a default behind",
  scenes: [
    ...makeSite("english", "french"),
    keepItems,
    {
      as: "create",
      ask: `POST ${at}/sections`,
      send: { spaceId: "{french}", title: "Guides", icon: "book" },
      expect: 201,
      see: {
        object: "site-section",
        title: "Guides",
        path: "guides",
        icon: "book",
        default: true,
        sectionGroup: undefined,
        siteSpaces: [
          { id: "{one}", default: true, section: (id: string) => id.startsWith("sec_") },
          { id: "{two}", default: false },
        ],
      },
      keep: { guides: "id" },
    },
    makeSpace("reference", "Reference"),
    {
      as: "create",
      ask: `POST ${at}/sections`,
      send: { spaceId: "{reference}", title: null },
      expect: 201,
      see: {
        title: "Reference",
        path: "reference",
        default: false,
        siteSpaces: [{ default: true, path: "reference" }],
      },
      keep: { second: "id", third: "siteSpaces.0.id" },
    },
    looksLike("guides*(english* french) reference(reference*)"),
    { as: "create", ask: `POST ${at}/sections`, send: { spaceId: "{english}" }, expect: 409, reason: "space_on_site" },
    refused({ as: "create", ask: `POST ${at}/sections`, send: { spaceId: "spc_none" } }, "body.spaceId"),
    refused({ as: "create", ask: `POST ${at}/sections`, send: { spaceId: "{english}", title: "x" } }, "body.title"),
    { as: "edit", ask: `POST ${at}/sections`, send: { spaceId: "{english}" }, expect: 403, reason: "forbidden" },
    makeSpace("more", "More"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{more}" },
      expect: 201,
      see: { section: "{guides}" },
    },
    makeSpace("old", "Reference"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{old}", sectionId: "{second}" },
      expect: 201,
      see: { section: "{second}", path: "reference-1" },
      keep: { fourth: "id" },
    },
    {
      as: "create",
      ask: `PATCH ${at}/sections/{second}`,
      send: {
        title: "API",
        path: "api",
        defaultSiteSpace: "{fourth}",
        condition: "visitor.claims.dev",
        icon: "bolt",
        description: "Calls",
      },
      expect: 200,
      see: {
        title: "API",
        path: "api",
        condition: "visitor.claims.dev",
        icon: "bolt",
        description: "Calls",
        siteSpaces: [{ default: false }, { default: true }],
      },
    },
    {
      as: "create",
      ask: `PATCH ${at}/sections/{second}`,
      send: { condition: null, icon: null, description: null },
      expect: 200,
      see: { title: "API", condition: undefined, icon: undefined, description: undefined },
    },
    { as: "create", ask: `PATCH ${at}/sections/{second}`, send: { path: "guides" }, expect: 409, reason: "path_taken" },
    refused(
      { as: "create", ask: `PATCH ${at}/sections/{second}`, send: { defaultSiteSpace: "{one}" } },
      "body.defaultSiteSpace",
    ),
    refused({ as: "create", ask: `PATCH ${at}/sections/{second}`, send: { condition: "1 +" } }, "body.condition"),
    { as: "review", ask: `PATCH ${at}/sections/{second}`, send: {}, expect: 403, reason: "forbidden" },
    { as: "create", ask: `PATCH ${at}/sections/{one}`, send: {}, expect: 404, reason: "site_section_not_found" },
    { as: "create", ask: `DELETE ${at}/site-spaces/{fourth}`, expect: 204 },
    looksLike("guides*(english* french more) api(reference*)"),
    { as: "create", ask: `DELETE ${at}/site-spaces/{third}`, expect: 409, reason: "last_in_section" },
    { as: "comment", ask: `DELETE ${at}/sections/{guides}`, expect: 403, reason: "forbidden" },
    { as: "create", ask: `DELETE ${at}/sections/{guides}`, expect: 204 },
    { as: "create", ask: `DELETE ${at}/sections/{guides}`, expect: 204 },
    looksLike("api*(reference*)"),
    { as: "create", ask: `DELETE ${at}/sections/{second}`, expect: 204 },
    looksLike(""),
    { as: "create", ask: `POST ${at}/site-spaces`, send: { spaceId: "{more}" }, expect: 201, see: { default: true } },
    looksLike("more*"),
    { as: "rival", ask: `GET ${at}/structure`, expect: 404, reason: "organization_not_found" },
    { as: "guest", ask: `GET ${at}/structure`, expect: 404, reason: "site_not_found" },
  ],
};

const groups: Story = {
  title: "sections stand in groups, and where a group stood when it is deleted",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta", "gamma", "delta"].flatMap(makeSection),
    {
      as: "create",
      ask: `POST ${at}/section-groups`,
      send: { title: "Greek", icon: "star", sections: ["{gamma}", "{alpha}"] },
      expect: 201,
      see: {
        object: "site-section-group",
        title: "Greek",
        icon: "star",
        sections: [
          { id: "{gamma}", sectionGroup: (id: string) => id.startsWith("grp_") },
          { id: "{alpha}", default: true },
        ],
      },
      keep: { greek: "id" },
    },
    looksLike("beta(beta*) delta(delta*) Greek[gamma(gamma*) alpha*(alpha*)]"),
    refused(
      { as: "create", ask: `POST ${at}/section-groups`, send: { title: "x", sections: ["{beta}", "sec_none"] } },
      "body.sections.1",
    ),
    refused(
      { as: "create", ask: `POST ${at}/section-groups`, send: { title: "x", sections: ["{beta}", "{beta}"] } },
      "body.sections.1",
    ),
    refused({ as: "create", ask: `POST ${at}/section-groups`, send: {} }, "body.title"),
    { as: "read", ask: `POST ${at}/section-groups`, send: { title: "x" }, expect: 403, reason: "forbidden" },
    { as: "create", ask: `POST ${at}/section-groups`, send: { title: "Empty" }, expect: 201, keep: { empty: "id" } },
    {
      as: "create",
      ask: `PATCH ${at}/section-groups/{greek}`,
      send: { title: "Letters", icon: null },
      expect: 200,
      see: { title: "Letters", icon: undefined },
    },
    refused({ as: "create", ask: `PATCH ${at}/section-groups/{greek}`, send: { title: "" } }, "body.title"),
    {
      as: "create",
      ask: `PATCH ${at}/section-groups/{alpha}`,
      send: {},
      expect: 404,
      reason: "site_section_group_not_found",
    },
    {
      as: "create",
      ask: `GET ${at}/section-groups`,
      expect: 200,
      see: { count: 2, items: [{ id: "{greek}" }, { id: "{empty}" }] },
    },
    { as: "read", ask: `GET ${at}/section-groups`, expect: 200, see: { count: 1, items: [{ id: "{greek}" }] } },
    { as: "guest", ask: `GET ${at}/section-groups`, expect: 404, reason: "site_not_found" },
    {
      as: "create",
      ask: `POST ${at}/section-groups/{greek}/sections`,
      send: { sectionId: "{delta}" },
      expect: 201,
      see: { sections: [{ id: "{gamma}" }, { id: "{alpha}" }, { id: "{delta}" }] },
    },
    {
      as: "create",
      ask: `POST ${at}/section-groups/{greek}/sections`,
      send: { sectionId: "{gamma}" },
      expect: 201,
      see: { sections: [{ id: "{gamma}" }, { id: "{alpha}" }, { id: "{delta}" }] },
    },
    refused(
      { as: "create", ask: `POST ${at}/section-groups/{greek}/sections`, send: { sectionId: "{empty}" } },
      "body.sectionId",
    ),
    { as: "create", ask: `DELETE ${at}/section-groups/{greek}/sections/{alpha}`, expect: 204 },
    { as: "create", ask: `DELETE ${at}/section-groups/{greek}/sections/{alpha}`, expect: 204 },
    {
      as: "create",
      ask: `DELETE ${at}/section-groups/{beta}/sections/{alpha}`,
      expect: 404,
      reason: "site_section_group_not_found",
    },
    looksLike("beta(beta*) Letters[gamma(gamma*) delta(delta*)] alpha*(alpha*) Empty[]"),
    {
      as: "create",
      ask: `POST ${at}/section-groups/{greek}/move`,
      send: { position: { before: { type: "site-section", id: "{beta}" } } },
      expect: 200,
      see: { id: "{greek}" },
    },
    looksLike("Letters[gamma(gamma*) delta(delta*)] beta(beta*) alpha*(alpha*) Empty[]"),
    {
      as: "create",
      ask: `POST ${at}/section-groups/{greek}/move`,
      send: { position: { after: { type: "site-section-group", id: "{empty}" } } },
      expect: 200,
    },
    looksLike("beta(beta*) alpha*(alpha*) Empty[] Letters[gamma(gamma*) delta(delta*)]"),
    ...[
      { before: { type: "site-section", id: "{gamma}" } },
      { before: { type: "site-section-group", id: "{greek}" } },
      { before: { type: "site-section", id: "{empty}" } },
    ].map((position) =>
      refused(
        { as: "create", ask: `POST ${at}/section-groups/{greek}/move`, send: { position } },
        "body.position.before",
      ),
    ),
    {
      as: "create",
      ask: `POST ${at}/section-groups/{greek}/move`,
      send: { position: { before: { type: "site-section", id: "{beta}" } } },
      expect: 200,
    },
    { as: "edit", ask: `DELETE ${at}/section-groups/{greek}`, expect: 403, reason: "forbidden" },
    { as: "create", ask: `DELETE ${at}/section-groups/{greek}`, expect: 204 },
    { as: "create", ask: `DELETE ${at}/section-groups/{greek}`, expect: 204 },
    looksLike("gamma(gamma*) delta(delta*) beta(beta*) alpha*(alpha*) Empty[]"),
  ],
};

const beside = (side: "before" | "after", type: string, id: string, name = "id") => ({
  position: { [side]: { type, [name]: `{${id}}` } },
});

const moves: Story = {
  title: "one mechanism moves everything: beside a neighbour means where the neighbour stands",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta", "gamma"].flatMap(makeSection),
    makeSpace("extra", "Alpha"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces`,
      send: { spaceId: "{extra}", sectionId: "{beta}" },
      expect: 201,
      see: { path: "alpha" },
      keep: { extraItem: "id" },
    },
    {
      as: "create",
      ask: `POST ${at}/section-groups`,
      send: { title: "G", sections: ["{gamma}"] },
      expect: 201,
      keep: { group: "id" },
    },
    looksLike("alpha*(alpha*) beta(beta* alpha) G[gamma(gamma*)]"),
    {
      as: "create",
      ask: `POST ${at}/sections/{alpha}/move`,
      send: beside("after", "site-section", "beta", "siteSection"),
      expect: 200,
      see: { id: "{alpha}", default: true, sectionGroup: undefined },
    },
    looksLike("beta(beta* alpha) alpha*(alpha*) G[gamma(gamma*)]"),
    {
      as: "create",
      ask: `POST ${at}/sections/{beta}/move`,
      send: beside("before", "site-section", "gamma", "siteSection"),
      expect: 200,
      see: { sectionGroup: "{group}" },
    },
    looksLike("alpha*(alpha*) G[beta(beta* alpha) gamma(gamma*)]"),
    {
      as: "create",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("before", "site-section-group", "group") },
      expect: 200,
      see: (body: Shown) => lineOf(body) === "alpha*(alpha*) gamma(gamma*) G[beta(beta* alpha)]",
    },
    {
      as: "create",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section-group", id: "{group}" }, ...beside("before", "site-section", "alpha") },
      expect: 200,
      see: (body: Shown) => lineOf(body) === "G[beta(beta* alpha)] alpha*(alpha*) gamma(gamma*)",
    },
    {
      as: "create",
      ask: `POST ${at}/site-spaces/{extraItem}/move`,
      send: beside("before", "site-space", "betaItem", "siteSpace"),
      expect: 200,
      see: { id: "{extraItem}", section: "{beta}", default: false },
    },
    looksLike("G[beta(alpha beta*)] alpha*(alpha*) gamma(gamma*)"),
    {
      as: "create",
      ask: `POST ${at}/site-spaces/{extraItem}/move`,
      send: beside("after", "site-space", "alphaItem", "siteSpace"),
      expect: 409,
      reason: "path_taken",
    },
    {
      as: "create",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-space", id: "{betaItem}" }, ...beside("before", "site-space", "gammaItem") },
      expect: 200,
      see: (body: Shown) => lineOf(body) === "G[beta(alpha*)] alpha*(alpha*) gamma(beta gamma*)",
    },
    {
      as: "create",
      ask: `POST ${at}/site-spaces/{extraItem}/move`,
      send: beside("after", "site-space", "gammaItem", "siteSpace"),
      expect: 409,
      reason: "last_in_section",
    },
    ...(
      [
        ["sections/{alpha}", beside("before", "site-section", "alpha", "siteSection"), "body.position.before"],
        ["sections/{alpha}", beside("after", "site-section", "group", "siteSection"), "body.position.after"],
        ["sections/{alpha}", { position: {} }, "body.position"],
        ["sections/{alpha}", {}, "body.position"],
        ["site-spaces/{betaItem}", beside("after", "site-space", "beta", "siteSpace"), "body.position.after"],
        ["site-spaces/{betaItem}", beside("after", "site-space", "betaItem", "siteSpace"), "body.position.after"],
      ] as const
    ).map(([item, send, path]) => refused({ as: "create", ask: `POST ${at}/${item}/move`, send }, path)),
    refused(
      {
        as: "create",
        ask: `POST ${at}/sections/{alpha}/move`,
        send: {
          position: {
            before: { type: "site-section", siteSection: "{beta}" },
            after: { type: "site-section", siteSection: "{gamma}" },
          },
        },
      },
      "body.position",
    ),
    ...(
      [
        [{ type: "site-section", id: "{alpha}" }, beside("after", "site-space", "betaItem"), "body.position.after"],
        [{ type: "site-space", id: "{betaItem}" }, beside("after", "site-section", "alpha"), "body.position.after"],
        [
          { type: "site-section-group", id: "{group}" },
          beside("before", "site-section", "beta"),
          "body.position.before",
        ],
        [{ type: "site-section", id: "{betaItem}" }, beside("before", "site-section", "beta"), "body.item"],
        [{ type: "page", id: "{betaItem}" }, beside("before", "site-section", "beta"), "body.item.type"],
      ] as const
    ).map(([item, position, path]) =>
      refused({ as: "create", ask: `PATCH ${at}/structure/sort`, send: { item, ...position } }, path),
    ),
    {
      as: "review",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section", id: "{alpha}" }, ...beside("before", "site-section", "gamma") },
      expect: 403,
      reason: "forbidden",
    },
    {
      as: "review",
      ask: `POST ${at}/sections/{alpha}/move`,
      send: beside("after", "site-section", "gamma", "siteSection"),
      expect: 403,
    },
    {
      as: "review",
      ask: `POST ${at}/site-spaces/{betaItem}/move`,
      send: beside("after", "site-space", "gammaItem", "siteSpace"),
      expect: 403,
    },
    { as: "create", ask: `GET ${at}/structure`, expect: 200, keep: { tag: "etag" } },
    {
      as: "create",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("before", "site-section", "alpha") },
      headers: { "if-match": "{tag}" },
      expect: 200,
    },
    {
      as: "create",
      ask: `PATCH ${at}/structure/sort`,
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("after", "site-section", "alpha") },
      headers: { "if-match": "{tag}" },
      expect: 412,
      reason: "precondition_failed",
    },
  ],
};

const pages: Story = {
  title: "lists follow the order of the structure, page by page, whatever comes and goes between",
  scenes: [
    ...makeSite(),
    ...["alpha", "beta", "gamma", "delta"].flatMap(makeSection),
    {
      as: "create",
      ask: `POST ${at}/section-groups`,
      send: { title: "G", sections: ["{gamma}", "{beta}"] },
      expect: 201,
      keep: { group: "id" },
    },
    {
      as: "create",
      ask: `POST ${at}/section-groups/{group}/move`,
      send: beside("before", "site-section", "delta"),
      expect: 200,
    },
    {
      as: "read",
      ask: `GET ${at}/sections?limit=2`,
      expect: 200,
      see: { count: 4, items: [{ id: "{alpha}" }, { id: "{gamma}" }] },
      keep: { next: "next.page" },
    },
    { as: "create", ask: `DELETE ${at}/sections/{gamma}`, expect: 204 },
    ...makeSection("omega"),
    {
      as: "create",
      ask: `POST ${at}/sections/{omega}/move`,
      send: beside("before", "site-section", "alpha", "siteSection"),
      expect: 200,
    },
    {
      as: "read",
      ask: `GET ${at}/sections?limit=2&page={next}`,
      expect: 200,
      see: { count: 4, items: [{ id: "{beta}" }, { id: "{delta}" }], next: undefined },
    },
    {
      as: "read",
      ask: `GET ${at}/site-spaces?limit=3`,
      expect: 200,
      see: { count: 4, items: [{ id: "{omegaItem}" }, { id: "{alphaItem}" }, { id: "{betaItem}" }] },
      keep: { next: "next.page" },
    },
    {
      as: "read",
      ask: `GET ${at}/site-spaces?limit=3&page={next}`,
      expect: 200,
      see: { items: [{ id: "{deltaItem}" }], next: undefined },
    },
    { as: "read", ask: `GET ${at}/sections?page={next}`, expect: 400, reason: "invalid_cursor" },
  ],
};

export const stories: Story[] = [siteSpaces, sections, groups, moves, pages];
