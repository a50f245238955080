// The structure of sites as stories: sections, groups, site-spaces, their order and their defaults.

import { ask, create, defineStory, get, list, refuse, type Scene, type Story, send } from "../scenario";
import { lineOf, type Shown } from "./site-shape";
import { makeSpace } from "./sites";

const at = "/v1/orgs/{org}/sites/{site}";

/** A site with spaces at its root, in the order given. */
export const makeSite = (...spaces: string[]): Scene[] => [
  ...spaces.map((name) => makeSpace(name, name[0]!.toUpperCase() + name.slice(1))),
  create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", spaces: spaces.map((name) => `{${name}}`) }),
];

/** Adds a section with a new space, and keeps the section's id under the name. */
export const makeSection = (name: string): Scene[] => [
  makeSpace(`${name}Space`, name),
  ask("create", `POST ${at}/sections`, 201, {
    send: { spaceId: `{${name}Space}` },
    keep: { [name]: "id", [`${name}Item`]: "siteSpaces.0.id" },
  }),
];

/** What the structure shows, as one line: groups with their sections, `*` behind what is default. */
export const looksLike = (line: string): Scene =>
  get("create", `${at}/structure`, (body: Shown) => lineOf(body) === line);

const keepItems: Scene = ask("read", `GET ${at}/site-spaces`, 200, { keep: { one: "items.0.id", two: "items.1.id" } });

const siteSpaces: Story = defineStory(
  "spaces stand at the root of a site, each once, with a default and paths of their own",
  [
    ...makeSite("english", "french"),
    ask("admin", `POST ${at}/publish`, 200),
    looksLike("english* french"),
    ask("read", `GET ${at}/site-spaces`, 200, {
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
    }),
    makeSpace("again", "English"),
    ask("create", `POST ${at}/site-spaces`, 201, {
      send: { spaceId: "{again}" },
      see: { path: "english-1", title: "English", default: false },
      keep: { three: "id" },
    }),
    send("create", `POST ${at}/site-spaces`, "409 space_on_site", { spaceId: "{again}" }),
    refuse("create", `POST ${at}/site-spaces`, "body.spaceId", { spaceId: "spc_none" }),
    refuse("create", `POST ${at}/site-spaces`, "body.sectionId", { spaceId: "{again}", sectionId: "{one}" }),
    refuse("create", `POST ${at}/site-spaces`, "body.spaceId", {}),
    ask("create", `PATCH ${at}/site-spaces/{three}`, 200, {
      send: { path: "uk", condition: "visitor.claims.uk" },
      see: { path: "uk", condition: "visitor.claims.uk" },
    }),
    ask("create", `PATCH ${at}/site-spaces/{three}`, 200, { send: {}, see: { path: "uk" } }),
    ask("create", `PATCH ${at}/site-spaces/{three}`, 200, { send: { condition: null }, see: { condition: undefined } }),
    send("create", `PATCH ${at}/site-spaces/{three}`, "409 path_taken", { path: "french" }),
    ...["a b", "a/b", "..", "-a", "a--b", "~a", "", "x".repeat(101)].map((path) =>
      refuse("create", `PATCH ${at}/site-spaces/{three}`, "body.path", { path }),
    ),
    ask("create", `PATCH ${at}/site-spaces/{three}`, 400, {
      send: { condition: "visitor.claims.(" },
      see: { error: { issues: [{ path: "body.condition", message: (text: string) => /\(at \d+\)$/.test(text) }] } },
    }),
    send("create", `PATCH ${at}/site-spaces/{three}`, "409 space_on_site", { spaceId: "{french}" }),
    makeSpace("other", "Other"),
    ask("create", `PATCH ${at}/site-spaces/{three}`, 200, {
      send: { spaceId: "{other}" },
      see: { path: "uk", title: "Other", space: { id: "{other}" } },
    }),
    ask("create", `POST ${at}/site-spaces`, 201, { send: { spaceId: "{again}" }, see: { path: "english-1" } }),
    list("read", `${at}/site-spaces?default=true`, [{ id: "{one}" }]),
    get("read", `${at}/site-spaces?default=false`, { count: 3 }),
    ask("create", `DELETE ${at}/site-spaces/{one}`, 204),
    ask("create", `DELETE ${at}/site-spaces/{one}`, 204),
    looksLike("french* uk english-1"),
    get("read", "/v1/orgs/{org}/sites/{site}", { siteSpaces: 3 }),
    send("create", `PATCH ${at}/site-spaces/{one}`, "404 site_space_not_found", {}),
  ],
);

const sections: Story = defineStory(
  "the first section takes the spaces of the root along, and what is deleted leaves a default behind",
  [
    ...makeSite("english", "french"),
    keepItems,
    ask("create", `POST ${at}/sections`, 201, {
      send: { spaceId: "{french}", title: "Guides", icon: "book" },
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
    }),
    makeSpace("reference", "Reference"),
    ask("create", `POST ${at}/sections`, 201, {
      send: { spaceId: "{reference}", title: null },
      see: {
        title: "Reference",
        path: "reference",
        default: false,
        siteSpaces: [{ default: true, path: "reference" }],
      },
      keep: { second: "id", third: "siteSpaces.0.id" },
    }),
    looksLike("guides*(english* french) reference(reference*)"),
    send("create", `POST ${at}/sections`, "409 space_on_site", { spaceId: "{english}" }),
    refuse("create", `POST ${at}/sections`, "body.spaceId", { spaceId: "spc_none" }),
    refuse("create", `POST ${at}/sections`, "body.title", { spaceId: "{english}", title: "x" }),
    makeSpace("more", "More"),
    ask("create", `POST ${at}/site-spaces`, 201, { send: { spaceId: "{more}" }, see: { section: "{guides}" } }),
    makeSpace("old", "Reference"),
    ask("create", `POST ${at}/site-spaces`, 201, {
      send: { spaceId: "{old}", sectionId: "{second}" },
      see: { section: "{second}", path: "reference-1" },
      keep: { fourth: "id" },
    }),
    ask("create", `PATCH ${at}/sections/{second}`, 200, {
      send: {
        title: "API",
        path: "api",
        defaultSiteSpace: "{fourth}",
        condition: "visitor.claims.dev",
        icon: "bolt",
        description: "Calls",
      },
      see: {
        title: "API",
        path: "api",
        condition: "visitor.claims.dev",
        icon: "bolt",
        description: "Calls",
        siteSpaces: [{ default: false }, { default: true }],
      },
    }),
    ask("create", `PATCH ${at}/sections/{second}`, 200, {
      send: { condition: null, icon: null, description: null },
      see: { title: "API", condition: undefined, icon: undefined, description: undefined },
    }),
    send("create", `PATCH ${at}/sections/{second}`, "409 path_taken", { path: "guides" }),
    refuse("create", `PATCH ${at}/sections/{second}`, "body.defaultSiteSpace", { defaultSiteSpace: "{one}" }),
    refuse("create", `PATCH ${at}/sections/{second}`, "body.condition", { condition: "1 +" }),
    send("create", `PATCH ${at}/sections/{one}`, "404 site_section_not_found", {}),
    ask("create", `DELETE ${at}/site-spaces/{fourth}`, 204),
    looksLike("guides*(english* french more) api(reference*)"),
    ask("create", `DELETE ${at}/site-spaces/{third}`, "409 last_in_section"),
    ask("comment", `DELETE ${at}/sections/{guides}`, "403 forbidden"),
    ask("create", `DELETE ${at}/sections/{guides}`, 204),
    ask("create", `DELETE ${at}/sections/{guides}`, 204),
    looksLike("api*(reference*)"),
    ask("create", `DELETE ${at}/sections/{second}`, 204),
    looksLike(""),
    ask("create", `POST ${at}/site-spaces`, 201, { send: { spaceId: "{more}" }, see: { default: true } }),
    looksLike("more*"),
  ],
);

const groups: Story = defineStory("sections stand in groups, and where a group stood when it is deleted", [
  ...makeSite(),
  ...["alpha", "beta", "gamma", "delta"].flatMap(makeSection),
  ask("create", `POST ${at}/section-groups`, 201, {
    send: { title: "Greek", icon: "star", sections: ["{gamma}", "{alpha}"] },
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
  }),
  looksLike("beta(beta*) delta(delta*) Greek[gamma(gamma*) alpha*(alpha*)]"),
  refuse("create", `POST ${at}/section-groups`, "body.sections.1", { title: "x", sections: ["{beta}", "sec_none"] }),
  refuse("create", `POST ${at}/section-groups`, "body.sections.1", { title: "x", sections: ["{beta}", "{beta}"] }),
  refuse("create", `POST ${at}/section-groups`, "body.title", {}),
  create("create", `POST ${at}/section-groups`, "empty", { title: "Empty" }),
  ask("create", `PATCH ${at}/section-groups/{greek}`, 200, {
    send: { title: "Letters", icon: null },
    see: { title: "Letters", icon: undefined },
  }),
  refuse("create", `PATCH ${at}/section-groups/{greek}`, "body.title", { title: "" }),
  send("create", `PATCH ${at}/section-groups/{alpha}`, "404 site_section_group_not_found", {}),
  list("create", `${at}/section-groups`, [{ id: "{greek}" }, { id: "{empty}" }]),
  list("read", `${at}/section-groups`, [{ id: "{greek}" }]),
  ask("guest", `GET ${at}/section-groups`, "404 site_not_found"),
  ask("create", `POST ${at}/section-groups/{greek}/sections`, 201, {
    send: { sectionId: "{delta}" },
    see: { sections: [{ id: "{gamma}" }, { id: "{alpha}" }, { id: "{delta}" }] },
  }),
  ask("create", `POST ${at}/section-groups/{greek}/sections`, 201, {
    send: { sectionId: "{gamma}" },
    see: { sections: [{ id: "{gamma}" }, { id: "{alpha}" }, { id: "{delta}" }] },
  }),
  refuse("create", `POST ${at}/section-groups/{greek}/sections`, "body.sectionId", { sectionId: "{empty}" }),
  ask("create", `DELETE ${at}/section-groups/{greek}/sections/{alpha}`, 204),
  ask("create", `DELETE ${at}/section-groups/{greek}/sections/{alpha}`, 204),
  ask("create", `DELETE ${at}/section-groups/{beta}/sections/{alpha}`, "404 site_section_group_not_found"),
  looksLike("beta(beta*) Letters[gamma(gamma*) delta(delta*)] alpha*(alpha*) Empty[]"),
  ask("create", `POST ${at}/section-groups/{greek}/move`, 200, {
    send: { position: { before: { type: "site-section", id: "{beta}" } } },
    see: { id: "{greek}" },
  }),
  looksLike("Letters[gamma(gamma*) delta(delta*)] beta(beta*) alpha*(alpha*) Empty[]"),
  send("create", `POST ${at}/section-groups/{greek}/move`, 200, {
    position: { after: { type: "site-section-group", id: "{empty}" } },
  }),
  looksLike("beta(beta*) alpha*(alpha*) Empty[] Letters[gamma(gamma*) delta(delta*)]"),
  ...[
    { before: { type: "site-section", id: "{gamma}" } },
    { before: { type: "site-section-group", id: "{greek}" } },
    { before: { type: "site-section", id: "{empty}" } },
  ].map((position) => refuse("create", `POST ${at}/section-groups/{greek}/move`, "body.position.before", { position })),
  send("create", `POST ${at}/section-groups/{greek}/move`, 200, {
    position: { before: { type: "site-section", id: "{beta}" } },
  }),
  ask("edit", `DELETE ${at}/section-groups/{greek}`, "403 forbidden"),
  ask("create", `DELETE ${at}/section-groups/{greek}`, 204),
  ask("create", `DELETE ${at}/section-groups/{greek}`, 204),
  looksLike("gamma(gamma*) delta(delta*) beta(beta*) alpha*(alpha*) Empty[]"),
]);

const copies: Story = defineStory(
  "a copy of a site-space stands behind it, in a section of its own if the original is alone in its section",
  [
    ...makeSite("english", "french"),
    ask("read", `GET ${at}/site-spaces`, 200, { keep: { one: "items.0.id", two: "items.1.id" } }),
    send("create", `PATCH ${at}/site-spaces/{one}`, 200, { condition: "visitor.claims.beta" }),
    ask("admin", `POST ${at}/publish`, 200),
    ask("create", `POST ${at}/site-spaces/{one}/duplicate`, 201, {
      see: {
        object: "site-space",
        title: "English",
        path: "english-1",
        condition: "visitor.claims.beta",
        default: false,
        space: { permissions: { admin: true } },
      },
      keep: { copy: "id", copied: "space.id" },
    }),
    looksLike("english* english-1 french"),
    get("create", "/v1/spaces/{copied}", { title: "English" }),
    ask("create", `POST ${at}/sections`, 201, {
      send: { spaceId: "{english}", title: "Guides", icon: "book" },
      keep: { guides: "id" },
    }),
    ...makeSection("beta"),
    create("create", `POST ${at}/section-groups`, "group", { title: "G", sections: ["{beta}"] }),
    send("create", `PATCH ${at}/sections/{beta}`, 200, { condition: "visitor.claims.beta", description: "New" }),
    looksLike("guides*(english* english-1 french) G[beta(beta*)]"),
    ask("create", `POST ${at}/site-spaces/{betaItem}/duplicate`, 201, {
      see: { path: "beta", default: true },
      keep: { copiedSection: "section" },
    }),
    looksLike("guides*(english* english-1 french) G[beta(beta*) beta-1(beta*)]"),
    get("create", `${at}/sections`, {
      items: [
        {},
        { id: "{beta}" },
        {
          id: "{copiedSection}",
          title: "beta",
          condition: "visitor.claims.beta",
          description: "New",
          sectionGroup: "{group}",
        },
      ],
    }),
    ask("create", `POST ${at}/site-spaces/{two}/duplicate`, 201, { see: { path: "french-1", section: "{guides}" } }),
    looksLike("guides*(english* english-1 french french-1) G[beta(beta*) beta-1(beta*)]"),
    ask("review", `POST ${at}/site-spaces/{two}/duplicate`, "403 forbidden"),
    ask("guest", `POST ${at}/site-spaces/{two}/duplicate`, "404 site_not_found"),
    ask("create", `POST ${at}/site-spaces/{guides}/duplicate`, "404 site_space_not_found"),

    // The space decides, too: whoever may not manage it makes no copy, and one in the trash or hidden is not there.
    send("admin", "PATCH /v1/spaces/{french}", 200, { defaultLevel: "review" }),
    ask("create", `POST ${at}/site-spaces/{two}/duplicate`, "403 forbidden"),
    send("admin", "PATCH /v1/spaces/{french}", 200, { defaultLevel: null }),
    ask("create", `POST ${at}/site-spaces/{two}/duplicate`, "404 space_not_found"),
    ask("admin", `POST ${at}/site-spaces/{two}/duplicate`, 201),
    ask("admin", "DELETE /v1/spaces/{french}", 204),
    ask("admin", `POST ${at}/site-spaces/{two}/duplicate`, "404 space_not_found"),
  ],
);

const forum = { title: "Forum", url: "https://forum.example.com/?a=1" };

const links: Story = defineStory(
  "external links stand beside sections and in groups, move like them, and open nothing of the site",
  [
    ...makeSite("english"),
    send("create", `POST ${at}/external-links`, "412 no_sections", forum),
    ask("create", `POST ${at}/sections`, 201, {
      send: { spaceId: "{english}", title: "Guides" },
      keep: { guides: "id" },
    }),
    ...makeSection("beta"),
    create("create", `POST ${at}/section-groups`, "group", { title: "G", sections: ["{beta}"] }),
    ask("create", `POST ${at}/external-links`, 201, {
      send: { ...forum, description: "Ask others", icon: "comments" },
      see: {
        object: "site-external-link",
        ...forum,
        description: "Ask others",
        icon: "comments",
        draft: false,
        condition: undefined,
        sectionGroup: undefined,
      },
      keep: { forum: "id" },
    }),
    ask("create", `POST ${at}/external-links`, 201, {
      send: { title: "Status", url: "http://status.example.com", parent: "{group}", draft: true },
      see: { draft: true, sectionGroup: "{group}", url: "http://status.example.com" },
      keep: { status: "id" },
    }),
    looksLike("guides*(english*) G[beta(beta*) @Status] @Forum"),
    ask("create", `PATCH ${at}/structure/sort`, 200, {
      send: {
        item: { type: "site-external-link", id: "{status}" },
        position: { before: { type: "site-section", id: "{beta}" } },
      },
      see: {
        structure: [
          { id: "{guides}" },
          {
            id: "{group}",
            sections: [{ id: "{beta}" }],
            children: [{ id: "{status}" }, { id: "{beta}", siteSpaces: [{ id: "{betaItem}" }] }],
          },
          { id: "{forum}" },
        ],
      },
    }),
    ask("create", `PATCH ${at}/external-links/{forum}`, 200, {
      send: { parent: "{group}", title: "Community", description: null, icon: null },
      see: { title: "Community", url: forum.url, sectionGroup: "{group}", description: undefined, icon: undefined },
    }),
    looksLike("guides*(english*) G[@Status beta(beta*) @Community]"),
    ask("create", `PATCH ${at}/external-links/{forum}`, 200, { send: {}, see: { sectionGroup: "{group}" } }),
    ask("create", `PATCH ${at}/external-links/{forum}`, 200, {
      send: { parent: null, condition: "visitor.claims.beta" },
      see: { sectionGroup: undefined, condition: "visitor.claims.beta" },
    }),
    send("create", `POST ${at}/section-groups/{group}/move`, 200, {
      position: { after: { type: "site-external-link", id: "{forum}" } },
    }),
    looksLike("guides*(english*) @Community G[@Status beta(beta*)]"),
    ...(
      [
        ["body.url", { ...forum, url: "/forum" }],
        ["body.url", { ...forum, url: "javascript:alert(1)" }],
        ["body.url", { ...forum, url: `https://a.example/${"x".repeat(2048)}` }],
        ["body.url", { title: "Forum" }],
        ["body.title", { ...forum, title: "F" }],
        ["body.condition", { ...forum, condition: "1 +" }],
        ["body.parent", { ...forum, parent: "{guides}" }],
        ["body.parent", { ...forum, parent: "grp_none" }],
        ["body.path", { ...forum, path: "forum" }],
      ] as const
    ).map(([path, body]) => refuse("create", `POST ${at}/external-links`, path, body)),
    refuse("create", `PATCH ${at}/external-links/{forum}`, "body.parent", { parent: "{beta}" }),
    refuse("create", `PATCH ${at}/external-links/{forum}`, "body.url", { url: null }),
    refuse("create", `PATCH ${at}/structure/sort`, "body.position.after", {
      item: { type: "site-external-link", id: "{forum}" },
      position: { after: { type: "site-space", id: "{betaItem}" } },
    }),
    send("create", `PATCH ${at}/external-links/{guides}`, "404 site_external_link_not_found", {}),
    send("review", `POST ${at}/external-links`, "403 forbidden", forum),
    send("review", `PATCH ${at}/external-links/{forum}`, "403 forbidden", { title: "Mine" }),
    ask("review", `DELETE ${at}/external-links/{forum}`, "403 forbidden"),
    send("guest", `POST ${at}/external-links`, "404 site_not_found", forum),

    // A visitor sees no draft, and a link only if its condition is met. A group of drafts alone isn't shown.
    ask("admin", `POST ${at}/publish`, 200),
    get(
      "stranger",
      `${at}/published`,
      (body: { structure: Shown }) => lineOf(body.structure) === "guides*(english*) G[beta(beta*)]",
    ),
    send("create", `PATCH ${at}/external-links/{status}`, 200, { draft: false }),
    send("create", `PATCH ${at}/external-links/{forum}`, 200, { condition: "!visitor.claims.beta" }),
    ask("stranger", `GET ${at}/published`, 200, {
      see: {
        structure: {
          structure: [
            { id: "{guides}" },
            { id: "{forum}", url: forum.url, condition: undefined },
            { id: "{group}", children: [{ id: "{status}" }, { id: "{beta}" }] },
          ],
        },
      },
    }),

    ask("create", `DELETE ${at}/section-groups/{group}`, 204),
    looksLike("guides*(english*) @Community @Status beta(beta*)"),
    ask("create", `DELETE ${at}/external-links/{status}`, 204),
    ask("create", `DELETE ${at}/external-links/{status}`, 204),
    ask("create", `DELETE ${at}/sections/{beta}`, 204),
    ask("create", `DELETE ${at}/sections/{guides}`, 204),
    get("create", `${at}/structure`, { type: "siteSpaces", structure: [] }),
    send("create", `PATCH ${at}/external-links/{forum}`, 200, { title: "Still here" }),
    ask("admin", `DELETE ${at}`, 204),
    send("create", `PATCH ${at}/external-links/{forum}`, "404 site_not_found", {}),
  ],
);

const beside = (side: "before" | "after", type: string, id: string, name = "id") => ({
  position: { [side]: { type, [name]: `{${id}}` } },
});

const moves: Story = defineStory(
  "one mechanism moves everything: beside a neighbour means where the neighbour stands",
  [
    ...makeSite(),
    ...["alpha", "beta", "gamma"].flatMap(makeSection),
    makeSpace("extra", "Alpha"),
    ask("create", `POST ${at}/site-spaces`, 201, {
      send: { spaceId: "{extra}", sectionId: "{beta}" },
      see: { path: "alpha" },
      keep: { extraItem: "id" },
    }),
    create("create", `POST ${at}/section-groups`, "group", { title: "G", sections: ["{gamma}"] }),
    looksLike("alpha*(alpha*) beta(beta* alpha) G[gamma(gamma*)]"),
    ask("create", `POST ${at}/sections/{alpha}/move`, 200, {
      send: beside("after", "site-section", "beta", "siteSection"),
      see: { id: "{alpha}", default: true, sectionGroup: undefined },
    }),
    looksLike("beta(beta* alpha) alpha*(alpha*) G[gamma(gamma*)]"),
    ask("create", `POST ${at}/sections/{beta}/move`, 200, {
      send: beside("before", "site-section", "gamma", "siteSection"),
      see: { sectionGroup: "{group}" },
    }),
    looksLike("alpha*(alpha*) G[beta(beta* alpha) gamma(gamma*)]"),
    ask("create", `PATCH ${at}/structure/sort`, 200, {
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("before", "site-section-group", "group") },
      see: (body: Shown) => lineOf(body) === "alpha*(alpha*) gamma(gamma*) G[beta(beta* alpha)]",
    }),
    ask("create", `PATCH ${at}/structure/sort`, 200, {
      send: { item: { type: "site-section-group", id: "{group}" }, ...beside("before", "site-section", "alpha") },
      see: (body: Shown) => lineOf(body) === "G[beta(beta* alpha)] alpha*(alpha*) gamma(gamma*)",
    }),
    ask("create", `POST ${at}/site-spaces/{extraItem}/move`, 200, {
      send: beside("before", "site-space", "betaItem", "siteSpace"),
      see: { id: "{extraItem}", section: "{beta}", default: false },
    }),
    looksLike("G[beta(alpha beta*)] alpha*(alpha*) gamma(gamma*)"),
    send(
      "create",
      `POST ${at}/site-spaces/{extraItem}/move`,
      "409 path_taken",
      beside("after", "site-space", "alphaItem", "siteSpace"),
    ),
    ask("create", `PATCH ${at}/structure/sort`, 200, {
      send: { item: { type: "site-space", id: "{betaItem}" }, ...beside("before", "site-space", "gammaItem") },
      see: (body: Shown) => lineOf(body) === "G[beta(alpha*)] alpha*(alpha*) gamma(beta gamma*)",
    }),
    send(
      "create",
      `POST ${at}/site-spaces/{extraItem}/move`,
      "409 last_in_section",
      beside("after", "site-space", "gammaItem", "siteSpace"),
    ),
    ...(
      [
        ["sections/{alpha}", beside("before", "site-section", "alpha", "siteSection"), "body.position.before"],
        ["sections/{alpha}", beside("after", "site-section", "group", "siteSection"), "body.position.after"],
        ["sections/{alpha}", { position: {} }, "body.position"],
        ["sections/{alpha}", {}, "body.position"],
        ["site-spaces/{betaItem}", beside("after", "site-space", "beta", "siteSpace"), "body.position.after"],
        ["site-spaces/{betaItem}", beside("after", "site-space", "betaItem", "siteSpace"), "body.position.after"],
      ] as const
    ).map(([item, send, path]) => refuse("create", `POST ${at}/${item}/move`, path, send)),
    refuse("create", `POST ${at}/sections/{alpha}/move`, "body.position", {
      position: {
        before: { type: "site-section", siteSection: "{beta}" },
        after: { type: "site-section", siteSection: "{gamma}" },
      },
    }),
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
    ).map(([item, position, path]) => refuse("create", `PATCH ${at}/structure/sort`, path, { item, ...position })),
    send("review", `PATCH ${at}/structure/sort`, "403 forbidden", {
      item: { type: "site-section", id: "{alpha}" },
      ...beside("before", "site-section", "gamma"),
    }),
    send(
      "review",
      `POST ${at}/site-spaces/{betaItem}/move`,
      403,
      beside("after", "site-space", "gammaItem", "siteSpace"),
    ),
    ask("create", `GET ${at}/structure`, 200, { keep: { tag: "etag" } }),
    ask("create", `PATCH ${at}/structure/sort`, 200, {
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("before", "site-section", "alpha") },
      headers: { "if-match": "{tag}" },
    }),
    ask("create", `PATCH ${at}/structure/sort`, "412 precondition_failed", {
      send: { item: { type: "site-section", id: "{gamma}" }, ...beside("after", "site-section", "alpha") },
      headers: { "if-match": "{tag}" },
    }),
  ],
);

const pages: Story = defineStory(
  "lists follow the order of the structure, page by page, whatever comes and goes between",
  [
    ...makeSite(),
    ...["alpha", "beta", "gamma", "delta"].flatMap(makeSection),
    create("create", `POST ${at}/section-groups`, "group", { title: "G", sections: ["{gamma}", "{beta}"] }),
    send("create", `POST ${at}/section-groups/{group}/move`, 200, beside("before", "site-section", "delta")),
    ask("read", `GET ${at}/sections?limit=2`, 200, {
      see: { count: 4, items: [{ id: "{alpha}" }, { id: "{gamma}" }] },
      keep: { next: "next.page" },
    }),
    ask("create", `DELETE ${at}/sections/{gamma}`, 204),
    ...makeSection("omega"),
    send("create", `POST ${at}/sections/{omega}/move`, 200, beside("before", "site-section", "alpha", "siteSection")),
    get("read", `${at}/sections?limit=2&page={next}`, {
      count: 4,
      items: [{ id: "{beta}" }, { id: "{delta}" }],
      next: undefined,
    }),
    ask("read", `GET ${at}/site-spaces?limit=3`, 200, {
      see: { count: 4, items: [{ id: "{omegaItem}" }, { id: "{alphaItem}" }, { id: "{betaItem}" }] },
      keep: { next: "next.page" },
    }),
    get("read", `${at}/site-spaces?limit=3&page={next}`, { items: [{ id: "{deltaItem}" }], next: undefined }),
    ask("read", `GET ${at}/sections?page={next}`, "400 invalid_cursor"),
  ],
);

export const stories: Story[] = [siteSpaces, sections, groups, links, copies, moves, pages];
