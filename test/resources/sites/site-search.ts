// Search over a site, as stories: where it looks, and what it refuses.

import type { Scene, Story } from "../scenario";
import { site } from "./site-addresses";
import { condition, sectioned } from "./site-urls";

/** What a visitor finds: the titles of the spaces with those of their pages. */
const finds = (where: object, ...spaces: string[]): Scene => ({
  as: null,
  ask: `POST ${site}/search`,
  send: { query: "about", ...where },
  expect: 200,
  see: {
    items: (items: { title: string; pages: { title: string }[] }[]) => {
      const found = items.map(({ title, pages }) => `${title}: ${pages.map((it) => it.title).sort()}`).sort();
      return found.join() === spaces.sort().join();
    },
  },
});
const refuses = (where: object, path: string): Scene => ({
  as: null,
  ask: `POST ${site}/search`,
  send: { query: "about", ...where },
  expect: 400,
  see: { error: { issues: [{ path }] } },
});

const guide = "Guide: Deep,Start";
const api = "API: Calls";
const news = "News: Today";

export const stories: Story[] = [
  {
    title: "a search of a site looks into the site-spaces that it names, and answers by space",
    scenes: [
      ...sectioned,
      finds({}, guide, api, news),
      finds({ scope: { mode: "all" } }, guide, api, news),
      finds({ mode: "all" }, guide, api, news),
      finds({ scope: { mode: "default" } }, guide, news),
      finds({ scope: { mode: "default", includedSiteSpaces: ["{apiOnSite}"] } }, guide, api, news),
      finds({ scope: { mode: "specific", siteSpaceIds: ["{apiOnSite}", "{newsOnSite}"] } }, api, news),
      finds({ scope: { mode: "specific", siteSpaceIds: [] } }),
      finds({ mode: "current", siteSpaceId: "{apiOnSite}" }, api),
      finds({ mode: "specific", siteSpaceIds: ["{newsOnSite}"] }, news),
      {
        as: null,
        ask: `POST ${site}/search?limit=2`,
        send: { query: "about" },
        expect: 200,
        see: { count: 3, items: [{}, {}] },
        keep: { next: "next.page" },
      },
      {
        as: null,
        ask: `POST ${site}/search?limit=2&page={next}`,
        send: { query: "about" },
        expect: 200,
        see: { next: undefined, items: (items: object[]) => items.length === 1 },
      },
      {
        as: null,
        ask: `POST ${site}/search?limit=2&page={next}`,
        send: { query: "zebra" },
        expect: 400,
        reason: "invalid_cursor",
      },
    ],
  },
  {
    title: "a search of a site refuses what is not there and what is hidden in the same words",
    scenes: [
      ...sectioned,
      condition("sections/{second}", "visitor.claims.isStaff"),
      finds({}, guide, api),
      finds({ scope: { mode: "default" } }, guide),
      ...["{newsOnSite}", "ssp_none"].flatMap((id) => [
        refuses({ scope: { mode: "specific", siteSpaceIds: ["{apiOnSite}", id] } }, "body.scope.siteSpaceIds.1"),
        refuses({ scope: { mode: "default", includedSiteSpaces: [id] } }, "body.scope.includedSiteSpaces.0"),
        refuses({ mode: "current", siteSpaceId: id }, "body.siteSpaceId"),
        refuses({ mode: "specific", siteSpaceIds: [id] }, "body.siteSpaceIds.0"),
        {
          as: "admin",
          ask: `POST ${site}/search`,
          send: { query: "about", mode: "current", siteSpaceId: id },
          expect: 400,
          see: { error: { issues: [{ message: "The site has no such site-space" }] } },
        } as const,
      ]),
      refuses({ mode: "current" }, "body.siteSpaceId"),
      refuses({ mode: "specific" }, "body.siteSpaceIds"),
      refuses({ siteSpaceId: "{apiOnSite}" }, "body.siteSpaceId"),
      refuses({ mode: "all", siteSpaceIds: [] }, "body.siteSpaceIds"),
      refuses({ scope: { mode: "all" }, mode: "all" }, "body.mode"),
      refuses({ scope: { mode: "near" } }, "body.scope.mode"),
      refuses({ scope: { mode: "specific" } }, "body.scope.siteSpaceIds"),
      refuses({ where: "here" }, "body.where"),
    ],
  },
];
