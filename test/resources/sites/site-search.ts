// Search over a site, as stories: where it looks, and what it refuses.

import { ask, defineStory, refuse, type Scene, type Story, send } from "../scenario";
import { site } from "./site-addresses";
import { condition, sectioned } from "./site-urls";

/** What a visitor finds: the titles of the spaces with those of their pages. */
const finds = (where: object, ...spaces: string[]): Scene =>
  ask(null, `POST ${site}/search`, 200, {
    send: { query: "about", ...where },
    see: {
      items: (items: { title: string; pages: { title: string }[] }[]) => {
        const found = items.map(({ title, pages }) => `${title}: ${pages.map((it) => it.title).sort()}`).sort();
        return found.join() === spaces.sort().join();
      },
    },
  });
const refuses = (where: object, path: string): Scene =>
  refuse(null, `POST ${site}/search`, path, { query: "about", ...where });

const guide = "Guide: Deep,Start";
const api = "API: Calls";
const news = "News: Today";

export const stories: Story[] = [
  defineStory("a search of a site looks into the site-spaces that it names, and answers by space", [
    ...sectioned,
    finds({}, guide, api, news),
    finds({ scope: { mode: "all" } }, guide, api, news),
    finds({ mode: "all" }, guide, api, news),
    finds({ scope: { mode: "default" } }, guide, news),
    finds({ scope: { mode: "default", includedSiteSpaces: ["{apiOnSite}"] } }, guide, api, news),
    // The site-space that the visitor is on takes the place of the default of its section.
    finds({ scope: { mode: "default", currentSiteSpace: "{apiOnSite}" } }, api, news),
    finds({ scope: { mode: "default", currentSiteSpace: "{guideOnSite}" } }, guide, news),
    finds({ scope: { mode: "specific", siteSpaceIds: ["{apiOnSite}", "{newsOnSite}"] } }, api, news),
    finds({ scope: { mode: "specific", siteSpaceIds: [] } }),
    finds({ mode: "current", siteSpaceId: "{apiOnSite}" }, api),
    finds({ mode: "specific", siteSpaceIds: ["{newsOnSite}"] }, news),
    ask(null, `POST ${site}/search?limit=2`, 200, {
      send: { query: "about" },
      see: { count: 3, items: [{}, {}] },
      keep: { next: "next.page" },
    }),
    ask(null, `POST ${site}/search?limit=2&page={next}`, 200, {
      send: { query: "about" },
      see: { next: undefined, items: (items: object[]) => items.length === 1 },
    }),
    send(null, `POST ${site}/search?limit=2&page={next}`, "400 invalid_cursor", { query: "zebra" }),
  ]),
  defineStory("a search of a site refuses what is not there and what is hidden in the same words", [
    ...sectioned,
    condition("sections/{second}", "visitor.claims.isStaff"),
    finds({}, guide, api),
    finds({ scope: { mode: "default" } }, guide),
    ...["{newsOnSite}", "ssp_none"].flatMap((id) => [
      refuses({ scope: { mode: "specific", siteSpaceIds: ["{apiOnSite}", id] } }, "body.scope.siteSpaceIds.1"),
      refuses({ scope: { mode: "default", includedSiteSpaces: [id] } }, "body.scope.includedSiteSpaces.0"),
      refuses({ scope: { mode: "default", currentSiteSpace: id } }, "body.scope.currentSiteSpace"),
      refuses({ mode: "current", siteSpaceId: id }, "body.siteSpaceId"),
      refuses({ mode: "specific", siteSpaceIds: [id] }, "body.siteSpaceIds.0"),
      ask("admin", `POST ${site}/search`, 400, {
        send: { query: "about", mode: "current", siteSpaceId: id },
        see: { error: { issues: [{ message: "Site-space not found on this site" }] } },
      }),
    ]),
    refuses({ mode: "current" }, "body.siteSpaceId"),
    refuses({ mode: "specific" }, "body.siteSpaceIds"),
    refuses({ siteSpaceId: "{apiOnSite}" }, "body.siteSpaceId"),
    refuses({ mode: "all", siteSpaceIds: [] }, "body.siteSpaceIds"),
    refuses({ scope: { mode: "all" }, mode: "all" }, "body.mode"),
    refuses({ scope: { mode: "near" } }, "body.scope.mode"),
    refuses({ scope: { mode: "specific" } }, "body.scope.siteSpaceIds"),
    refuses({ where: "here" }, "body.where"),
  ]),
];
