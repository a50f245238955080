// URLs on a site with sections, conditions and share links, and what visitors are given of how it looks, as stories.

import type { Scene, Story } from "../scenario";
import { base, leads, nothing, page, published, rest, shows, site, write } from "./site-addresses";
import { makeSpace } from "./sites";

/** The published site with two sections: `first` with `guide` (the default) and `api`, and `second` with `news`. */
export const sectioned: Scene[] = [
  ...published,
  makeSpace("news", "News"),
  write("news", "today", page("Today")),
  {
    as: "create",
    ask: `POST ${site}/sections`,
    send: { spaceId: "{guide}", title: "First" },
    expect: 201,
    keep: { first: "id" },
  },
  {
    as: "create",
    ask: `POST ${site}/sections`,
    send: { spaceId: "{news}", title: "Second" },
    expect: 201,
    keep: { second: "id" },
  },
  {
    as: "create",
    ask: `GET ${site}/site-spaces`,
    expect: 200,
    see: { count: 3 },
    keep: {
      guideOnSite: (body) => body.items[0].id,
      apiOnSite: (body) => body.items[1].id,
      newsOnSite: (body) => body.items[2].id,
    },
  },
];
export const condition = (what: string, text: string | null): Scene => ({
  as: "create",
  ask: `PATCH ${site}/${what}`,
  send: { condition: text },
  expect: 200,
});

export const stories: Story[] = [
  {
    title: "URLs name sections and their site-spaces, the defaults in the short form",
    scenes: [
      ...sectioned,
      shows(base, { siteSection: "{first}", siteSpace: "{guideOnSite}", page: "{start}" }),
      shows(`${base}/start`, { siteSection: "{first}", page: "{start}" }),
      shows(`${base}/first/api`, { siteSection: "{first}", siteSpace: "{apiOnSite}", space: "{api}" }),
      shows(`${base}/first/api/calls`, { page: "{calls}" }),
      shows(`${base}/second`, { siteSection: "{second}", space: "{news}", page: "{today}" }),
      shows(`${base}/second/today`, { page: "{today}" }),
      leads(`${base}/first`, base),
      leads(`${base}/first/guide/start`, `${base}/start`),
      leads(`${base}/second/news/today`, `${base}/second/today`),
      rest(`${base}/api/calls`, "/api/calls"),
      rest(`${base}/third`, "/third"),
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { defaultSiteSpace: "{newsOnSite}" },
        expect: 400,
        see: { error: { issues: [{ path: "body.defaultSiteSpace" }] } },
      },
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { defaultSiteSpace: "{apiOnSite}" },
        expect: 200,
      },
      shows(base, { siteSection: "{first}", siteSpace: "{apiOnSite}" }),
      {
        as: "create",
        ask: `PATCH ${site}`,
        send: { defaultSiteSection: "{second}", defaultSiteSpace: "{newsOnSite}" },
        expect: 200,
      },
      shows(base, { siteSection: "{second}", siteSpace: "{newsOnSite}" }),
      shows(`${base}/first`, { siteSection: "{first}", siteSpace: "{apiOnSite}" }),
      // A redirect to a section and to a site-space leads to where they are now.
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/intro", destination: { kind: "site-section", siteSectionId: "{first}" } },
        expect: 201,
      },
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/howto", destination: { kind: "site-space", siteSpaceId: "{guideOnSite}" } },
        expect: 201,
      },
      leads(`${base}/intro`, `${base}/first`),
      leads(`${base}/howto`, `${base}/first/guide`),
      { as: "create", ask: `PATCH ${site}/sections/{first}`, send: { path: "one" }, expect: 200 },
      leads(`${base}/intro`, `${base}/one`),
      leads(`${base}/howto`, `${base}/one/guide`),
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/x", destination: { kind: "site-section", siteSectionId: "{guideOnSite}" } },
        expect: 400,
        see: { error: { issues: [{ path: "body.destination.siteSectionId" }] } },
      },
    ],
  },
  {
    title: "S30: what a condition hides has no URL, and no redirect tells of it",
    scenes: [
      ...sectioned,
      {
        as: "create",
        ask: `POST ${site}/redirects`,
        send: { source: "/go", destination: { kind: "site-section", siteSectionId: "{second}" } },
        expect: 201,
      },
      leads(`${base}/go`, `${base}/second`),
      condition("sections/{second}", "visitor.claims.isStaff"),
      rest(`${base}/second`, "/second"),
      rest(`${base}/second/today`, "/second/today"),
      rest(`${base}/second/news`, "/second/news"),
      rest(`${base}/go`, "/go"),
      { as: "admin", ask: `GET ${site}/redirect?source=%2Fgo`, expect: 404, reason: "redirect_not_found" },
      condition("site-spaces/{apiOnSite}", "visitor.claims.isStaff"),
      rest(`${base}/first/api`, "/api"),
      rest(`${base}/first/api/calls`, "/api/calls"),
      shows(`${base}/start`, { page: "{start}" }),
      // The first that a visitor sees stands in for a default that they do not.
      condition("site-spaces/{apiOnSite}", null),
      condition("site-spaces/{guideOnSite}", "visitor.claims.isStaff"),
      leads(base, `${base}/first/api`),
      leads(`${base}/first`, `${base}/first/api`),
      nothing(`${base}/start`),
      condition("sections/{first}", "visitor.claims.isStaff"),
      nothing(base),
      condition("sections/{second}", null),
      leads(base, `${base}/second`),
    ],
  },
  {
    title: "a site with share links resolves behind a key, and URLs carry it on",
    scenes: [
      ...published,
      { as: "create", ask: `PATCH ${site}`, send: { visibility: "share-link" }, expect: 200 },
      {
        as: "create",
        ask: `POST ${site}/share-links`,
        send: { name: "Press" },
        expect: 201,
        keep: { key: "key", link: "id" },
      },
      shows(`${base}/{key}`, { space: "{guide}", urls: { published: `${base}/{key}` } }),
      shows(`${base}/{key}/start`, { page: "{start}", urls: { published: `${base}/{key}/start` } }),
      leads(`${base}/{key}/guide/start`, `${base}/{key}/start`),
      nothing(base),
      nothing(`${base}/start`),
      nothing(`${base}/{key}x/start`),
      { as: "create", ask: `PATCH ${site}/share-links/{link}`, send: { active: false }, expect: 200 },
      nothing(`${base}/{key}/start`),
    ],
  },
  {
    title: "visitors are given how a site looks, without links to what they do not see",
    scenes: [
      ...sectioned,
      condition("sections/{second}", "visitor.claims.isStaff"),
      {
        as: "create",
        ask: `PUT ${site}/customization`,
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
        expect: 200,
        see: { header: { links: [{}, { title: "News" }, {}, {}] } },
      },
      ...["{apiOnSite}", "{newsOnSite}"].map(
        (siteSpace): Scene => ({
          as: "create",
          ask: `PATCH ${site}/site-spaces/${siteSpace}/customization`,
          send: { title: "Mine" },
          expect: 200,
        }),
      ),
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: {
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
                    links: [{ title: "API", to: { kind: "url", url: `${base}/first/api` }, url: `${base}/first/api` }],
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
        },
      },
      // What was set for a site-space goes with it.
      { as: "create", ask: `DELETE ${site}/site-spaces/{apiOnSite}`, expect: 204 },
      {
        as: null,
        ask: `GET ${site}/published`,
        expect: 200,
        see: { customizations: { siteSpaces: (byId: object) => Object.keys(byId).length === 1 } },
      },
    ],
  },
];
