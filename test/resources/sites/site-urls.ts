// URLs on a site with sections, conditions and share links, and what visitors are given of how it looks, as stories.

import { ask, create, defineStory, get, refuse, type Scene, type Story, send } from "../scenario";
import { base, leads, nothing, page, published, rest, shows, site, write } from "./site-addresses";
import { makeSpace } from "./sites";

/** The published site with two sections: `first` with `guide` (the default) and `api`, and `second` with `news`. */
export const sectioned: Scene[] = [
  ...published,
  makeSpace("news", "News"),
  write("news", "today", page("Today")),
  create("create", `POST ${site}/sections`, "first", { spaceId: "{guide}", title: "First" }),
  create("create", `POST ${site}/sections`, "second", { spaceId: "{news}", title: "Second" }),
  ask("create", `GET ${site}/site-spaces`, 200, {
    see: { count: 3 },
    keep: {
      guideOnSite: (body) => body.items[0].id,
      apiOnSite: (body) => body.items[1].id,
      newsOnSite: (body) => body.items[2].id,
    },
  }),
];
export const condition = (what: string, text: string | null): Scene =>
  send("create", `PATCH ${site}/${what}`, 200, { condition: text });

export const stories: Story[] = [
  defineStory("URLs name sections and their site-spaces, the defaults in the short form", [
    ...sectioned,
    shows(base, { siteSection: "{first}", siteSpace: "{guideOnSite}", page: "{start}" }),
    shows(`${base}/start`, { siteSection: "{first}", page: "{start}" }),
    shows(`${base}/api`, {
      ...{ siteSection: "{first}", siteSpace: "{apiOnSite}", space: "{api}" },
      ...{ basePath: "/sites/{org}/docs/api/", complete: true },
    }),
    shows(`${base}/api/calls`, { page: "{calls}" }),
    shows(`${base}/second`, { siteSection: "{second}", space: "{news}", page: "{today}" }),
    // The URLs that the site-spaces of the default section had before still lead there.
    leads(`${base}/first/api`, `${base}/api`),
    leads(`${base}/first/api/calls`, `${base}/api/calls`),
    leads(`${base}/guide`, base),
    leads(`${base}/guide/start`, `${base}/start`),
    get("create", `${site}/site-spaces`, {
      items: [
        { urls: { published: base } },
        { urls: { published: `${base}/api` } },
        { urls: { published: `${base}/second` } },
      ],
    }),
    shows(`${base}/second/today`, { page: "{today}" }),
    leads(`${base}/first`, base),
    leads(`${base}/first/guide/start`, `${base}/start`),
    leads(`${base}/second/news/today`, `${base}/second/today`),
    rest(`${base}/api/none`, "/none"),
    rest(`${base}/third`, "/third"),
    refuse("create", `PATCH ${site}`, "body.defaultSiteSpace", { defaultSiteSpace: "{newsOnSite}" }),
    send("create", `PATCH ${site}`, 200, { defaultSiteSpace: "{apiOnSite}" }),
    shows(base, { siteSection: "{first}", siteSpace: "{apiOnSite}" }),
    send("create", `PATCH ${site}`, 200, { defaultSiteSection: "{second}", defaultSiteSpace: "{newsOnSite}" }),
    shows(base, { siteSection: "{second}", siteSpace: "{newsOnSite}" }),
    shows(`${base}/first`, { siteSection: "{first}", siteSpace: "{apiOnSite}" }),
    shows(`${base}/first/guide`, { siteSection: "{first}", siteSpace: "{guideOnSite}" }),
    // A redirect to a section and to a site-space leads to where they are now.
    send("create", `POST ${site}/redirects`, 201, {
      source: "/intro",
      destination: { kind: "site-section", siteSectionId: "{first}" },
    }),
    send("create", `POST ${site}/redirects`, 201, {
      source: "/howto",
      destination: { kind: "site-space", siteSpaceId: "{guideOnSite}" },
    }),
    leads(`${base}/intro`, `${base}/first`),
    leads(`${base}/howto`, `${base}/first/guide`),
    send("create", `PATCH ${site}/sections/{first}`, 200, { path: "one" }),
    leads(`${base}/intro`, `${base}/one`),
    leads(`${base}/howto`, `${base}/one/guide`),
    refuse("create", `POST ${site}/redirects`, "body.destination.siteSectionId", {
      source: "/x",
      destination: { kind: "site-section", siteSectionId: "{guideOnSite}" },
    }),
  ]),
  defineStory("a path of a site is complete where nothing of the structure can follow that the visitor sees", [
    ...published,
    shows(base, { complete: false, basePath: "/sites/{org}/docs/", pathname: "/" }),
    shows(`${base}/start`, { complete: false, page: "{start}", pathname: "/start" }),
    shows(`${base}/none`, { complete: false, page: undefined, pathname: "/none" }),
    shows(`${base}/api`, { complete: true, pathname: "/" }),
    shows(`${base}/api/none`, { complete: true, page: undefined, pathname: "/none" }),
    condition("site-spaces/{apiOnSite}", "visitor.claims.isStaff"),
    shows(`${base}/start`, { complete: true }),
    condition("site-spaces/{apiOnSite}", null),
    makeSpace("news", "News"),
    makeSpace("old", "Old"),
    write("news", "today", page("Today")),
    create("create", `POST ${site}/sections`, "first", { spaceId: "{guide}", title: "First" }),
    create("create", `POST ${site}/sections`, "second", { spaceId: "{news}", title: "Second" }),
    shows(`${base}/start`, { complete: false }),
    shows(`${base}/api/calls`, { complete: true }),
    shows(`${base}/second/today`, { complete: true }),
    create("create", `POST ${site}/site-spaces`, "oldOnSite", { spaceId: "{old}", sectionId: "{second}" }),
    shows(`${base}/second/today`, { complete: false }),
    shows(`${base}/second/old`, { complete: true, siteSpace: "{oldOnSite}" }),
    condition("site-spaces/{oldOnSite}", "visitor.claims.isStaff"),
    shows(`${base}/second/today`, { complete: true }),
  ]),
  defineStory("a site-space of the default section stands below its section while another section has its path", [
    ...sectioned,
    send("create", `PATCH ${site}/sections/{second}`, 200, { path: "api" }),
    shows(`${base}/first/api`, { siteSpace: "{apiOnSite}", complete: true }),
    shows(`${base}/api`, { siteSpace: "{newsOnSite}" }),
    send("create", `PATCH ${site}/sections/{second}`, 200, { path: "second" }),
    // A page that had the path at the root before the site-space did is found in the longer form.
    write("guide", "shadowed", page("API")),
    write("guide", "inside", page("Inside", { into: "{shadowed}" })),
    shows(`${base}/api`, { siteSpace: "{apiOnSite}" }),
    leads(`${base}/api/inside`, `${base}/first/guide/api/inside`),
    shows(`${base}/first/guide/api/inside`, { page: "{inside}" }),
    rest(`${base}/api/none`, "/none"),
  ]),
  defineStory("S30: what a condition hides has no URL, and no redirect tells of it", [
    ...sectioned,
    send("create", `POST ${site}/redirects`, 201, {
      source: "/go",
      destination: { kind: "site-section", siteSectionId: "{second}" },
    }),
    leads(`${base}/go`, `${base}/second`),
    condition("sections/{second}", "visitor.claims.isStaff"),
    rest(`${base}/second`, "/second"),
    rest(`${base}/second/today`, "/second/today"),
    rest(`${base}/second/news`, "/second/news"),
    rest(`${base}/go`, "/go"),
    ask("admin", `GET ${site}/redirect?source=%2Fgo`, "404 redirect_not_found"),
    condition("site-spaces/{apiOnSite}", "visitor.claims.isStaff"),
    rest(`${base}/api`, "/api"),
    rest(`${base}/api/calls`, "/api/calls"),
    rest(`${base}/first/api`, "/api"),
    rest(`${base}/first/api/calls`, "/api/calls"),
    shows(`${base}/start`, { page: "{start}" }),
    // The first that a visitor sees stands in for a default that they do not.
    condition("site-spaces/{apiOnSite}", null),
    condition("site-spaces/{guideOnSite}", "visitor.claims.isStaff"),
    leads(base, `${base}/api`),
    leads(`${base}/first`, `${base}/api`),
    nothing(`${base}/start`),
    condition("sections/{first}", "visitor.claims.isStaff"),
    nothing(base),
    condition("sections/{second}", null),
    leads(base, `${base}/second`),
  ]),
  defineStory("a site with share links resolves behind a key, and URLs carry it on", [
    ...published,
    send("create", `PATCH ${site}`, 200, { visibility: "share-link" }),
    ask("create", `POST ${site}/share-links`, 201, { send: { name: "Press" }, keep: { key: "key", link: "id" } }),
    shows(`${base}/{key}`, { space: "{guide}", urls: { published: `${base}/{key}` } }),
    shows(`${base}/{key}/start`, { page: "{start}", urls: { published: `${base}/{key}/start` } }),
    leads(`${base}/{key}/guide/start`, `${base}/{key}/start`),
    nothing(base),
    nothing(`${base}/start`),
    nothing(`${base}/{key}x/start`),
    send("create", `PATCH ${site}/share-links/{link}`, 200, { active: false }),
    nothing(`${base}/{key}/start`),
  ]),
  defineStory("visitors are given how a site looks, without links to what they do not see", [
    ...sectioned,
    condition("sections/{second}", "visitor.claims.isStaff"),
    ask("create", `PUT ${site}/customization`, 200, {
      send: {
        themes: { default: "dark" },
        header: {
          links: [
            { title: "Start", to: { kind: "page", space: "{guide}", page: "{deep}" } },
            { title: "News", to: { kind: "site-section", siteSection: "{second}" } },
            { title: "Hidden", to: { kind: "page", space: "{guide}", page: "{below}" } },
            {
              title: "More",
              links: [
                { title: "API", to: { kind: "site-space", siteSpace: "{apiOnSite}" } },
                { title: "Today", to: { kind: "page", space: "{news}", page: "{today}" } },
              ],
            },
          ],
        },
        announcement: { enabled: true, link: { title: "News", to: { kind: "space", space: "{news}" } } },
      },
      see: { header: { links: [{}, { title: "News" }, {}, {}] } },
    }),
    ...["{apiOnSite}", "{newsOnSite}"].map(
      (siteSpace): Scene =>
        send("create", `PATCH ${site}/site-spaces/${siteSpace}/customization`, 200, { title: "Mine" }),
    ),
    get(null, `${site}/published`, {
      customizations: {
        site: {
          title: "Docs",
          themes: { default: "dark" },
          header: {
            links: [
              { title: "Start", to: { kind: "page", page: "{deep}" }, url: `${base}/start/deep`, links: [] },
              {
                title: "More",
                to: null,
                url: undefined,
                // What only a site has becomes an address.
                links: [{ title: "API", to: { kind: "url", url: `${base}/api` }, url: `${base}/api` }],
              },
            ],
          },
          announcement: { enabled: true, message: "", link: undefined },
        },
        // The guide looks as the site does; what is hidden has no look.
        siteSpaces: (byId: Record<string, { title: string; themes: { default: string } }>) =>
          Object.values(byId)
            .map(({ title, themes }) => `${title} ${themes.default}`)
            .join() === "Docs dark,Mine dark",
      },
    }),
    // What was set for a site-space goes with it.
    ask("create", `DELETE ${site}/site-spaces/{apiOnSite}`, 204),
    get(null, `${site}/published`, {
      customizations: { siteSpaces: (byId: object) => Object.keys(byId).length === 1 },
    }),
  ]),
];
