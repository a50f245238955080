// What visitors do on a site, as stories: events are reported, counted and asked for.

import type { Scene, Story } from "../scenario";

const site = "/v1/orgs/{org}/sites/{site}";
const events = `${site}/insights/events`;
const isNowhere = { expect: 404, reason: "site_not_found" } as const;
const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1";
const location = { url: "https://docs.example.com/one", siteSpace: "{siteSpace}", page: "{page}" };
const session = {
  visitorId: "v",
  sessionId: "s",
  userAgent: firefox,
  language: "de-AT",
  referrer: "https://search.example/?q=who",
  cookies: { _id: "1" },
};
const view = { type: "page_view", location, session };
const rated = (rating: unknown) => ({ type: "page_post_feedback", location, feedback: { rating, comment: "By Ann." } });
const searched = (query: string) => ({ type: "search_type_query", query });
const report = (sent: readonly object[], as: Scene["as"] = null): Scene => ({
  as,
  ask: `POST ${events}`,
  send: { events: sent },
  expect: 204,
});
const asked = (send: object, see: object): Scene => ({
  as: "create",
  ask: `POST ${events}/aggregate`,
  send,
  expect: 200,
  see,
});
const refused = (send: object, path: string): Scene => ({
  as: "create",
  ask: `POST ${events}/aggregate`,
  send,
  expect: 400,
  see: { error: { issues: [{ path }] } },
});

/** A site with a space on it. */
function published(visibility: string): Scene[] {
  return [
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Guide" }, expect: 201, keep: { space: "id" } },
    { as: "admin", ask: "POST /v1/orgs/{org}/spaces", send: { title: "Off" }, expect: 201, keep: { off: "id" } },
    {
      as: "admin",
      ask: "POST /v1/spaces/{space}/content",
      send: {
        changes: [
          { operation: "insert_page", title: "One", document: { markdown: "Text." } },
          {
            operation: "insert_page",
            title: "Two",
            document: { markdown: '---\nif: visitor.claims.unsigned.plan == "pro"\n---\n\nText.' },
          },
        ],
      },
      expect: 200,
      keep: { page: (body) => body.changes[0].page.id, hidden: (body) => body.changes[1].page.id },
    },
    {
      as: "admin",
      ask: "POST /v1/orgs/{org}/sites",
      send: { title: "Docs", visibility, spaces: ["{space}"] },
      expect: 201,
      keep: { site: "id" },
    },
    { as: "admin", ask: `POST ${site}/publish`, expect: 200 },
    {
      as: "admin",
      ask: `GET ${site}/site-spaces`,
      expect: 200,
      keep: { siteSpace: (body) => body.items[0].id },
    },
  ];
}

export const stories: readonly Story[] = [
  {
    title: "visitors report what they do, and editors ask for the counts",
    scenes: [
      ...published("public"),
      report([view, view, { type: "page_view", session: { ...session, userAgent: iphone, language: "en" } }]),
      report([{ ...view, location: { space: "{space}", page: "{page}" } }], "create"),
      report([rated("good"), rated(3), rated("bad")]),
      asked({}, { object: "insights-aggregate", total: { page_view: 4 }, rows: [{ counts: { page_view: 4 } }] }),
      asked(
        { groupBy: ["page"] },
        {
          isCut: false,
          rows: [{ siteSpace: "{siteSpace}", page: "{page}", counts: { page_view: 3 } }, { counts: { page_view: 1 } }],
        },
      ),
      asked(
        { groupBy: ["day", "device"] },
        {
          rows: [
            { day: "2026-03-01", device: "desktop", counts: { page_view: 3 } },
            { day: "2026-03-01", device: "mobile", counts: { page_view: 1 } },
          ],
        },
      ),
      asked({ groupBy: ["browser"], filters: { browser: "safari" } }, { total: { page_view: 1 } }),
      asked({ groupBy: ["language"] }, { rows: [{ language: "de" }, { language: "en" }] }),
      asked({ groupBy: ["referrer"] }, { rows: [{ referrer: "search.example", counts: { page_view: 4 } }] }),
      asked(
        { select: ["page_post_feedback"], groupBy: ["rating"], filters: { page: "{page}" } },
        {
          rows: [
            { rating: "good", counts: { page_post_feedback: 2 } },
            { rating: "bad", counts: { page_post_feedback: 1 } },
          ],
        },
      ),
      asked({ groupBy: ["month"], limit: 1 }, { rows: [{ month: "2026-03", counts: { page_view: 4 } }] }),
      asked({ range: { from: "2025-01-01", to: "2025-12-31" } }, { total: { page_view: 0 } }),
    ],
  },
  {
    title: "searches are counted as texts, where those name nobody and are not rare",
    scenes: [
      ...published("public"),
      report([searched("How to  Install"), searched("how to install"), searched(" HOW TO INSTALL ")]),
      report([searched("ann@example.com"), searched("+43 660 123 45 67"), searched("x".repeat(81)), searched("rare")]),
      asked(
        { select: ["search_type_query"], groupBy: ["query"] },
        {
          total: { search_type_query: 7 },
          rows: [{ counts: { search_type_query: 4 } }, { query: "how to install", counts: { search_type_query: 3 } }],
        },
      ),
    ],
  },
  {
    title: "an event about what the caller does not see is not counted",
    scenes: [
      ...published("public"),
      report([
        { type: "page_view", location: { space: "{off}" } },
        { type: "page_view", location: { space: "{off}", siteSpace: "{siteSpace}" } },
        { type: "page_view", location: { siteSpace: "{siteSpace}", page: "{space}" } },
        { type: "page_view", location: { siteSpace: "{siteSpace}", page: "{hidden}" } },
      ]),
      asked({}, { total: { page_view: 0 } }),
      report([{ type: "page_view", location: { siteSpace: "{siteSpace}", page: "{hidden}" } }], "create"),
      asked({}, { total: { page_view: 1 } }),
    ],
  },
  {
    title: "events come from those who see the site, and counts go to those who edit it",
    scenes: [
      ...published("share-link"),
      { as: null, ask: `POST ${events}`, send: { events: [view] }, ...isNowhere },
      { as: "stranger", ask: `POST ${events}`, send: { events: [view] }, ...isNowhere },
      {
        as: "create",
        ask: `POST ${site}/share-links`,
        send: { name: "Press" },
        expect: 201,
        keep: {
          key: (body) => new URL(body.urls.published).searchParams.get("key") ?? body.urls.published.split("/").at(-1)!,
        },
      },
      { as: null, ask: `POST ${events}?shareKey={key}`, send: { events: [view] }, expect: 204 },
      report([view], "read"),
      asked({}, { total: { page_view: 2 } }),
      { as: "review", ask: `POST ${events}/aggregate`, send: {}, expect: 403, reason: "forbidden" },
      { as: "stranger", ask: `POST ${events}/aggregate`, send: {}, expect: 404, reason: "organization_not_found" },
      { as: null, ask: `POST ${events}/aggregate`, send: {}, expect: 401 },
      { as: "admin", ask: `DELETE ${site}`, expect: 204 },
      { as: "create", ask: `POST ${events}`, send: { events: [view] }, ...isNowhere },
    ],
  },
  {
    title: "what nobody knows is refused",
    scenes: [
      ...published("public"),
      ...(
        [
          [[], "body.events"],
          [Array.from({ length: 101 }, () => view), "body.events"],
          [[{ type: "sneeze" }], "body.events.0.type"],
          [[{ ...view, name: "Ann" }], "body.events.0.name"],
          [[{ ...view, session: { ...session, email: "a@b.example" } }], "body.events.0.session.email"],
          [[{ type: "page_view", location: { page: "{page}" } }], "body.events.0.location"],
          [[rated(4)], "body.events.0.feedback.rating"],
          [[{ type: "page_view", link: { deep: "x".repeat(5000) } }], "body.events.0.link"],
        ] as const
      ).map(
        ([sent, path]): Scene => ({
          as: null,
          ask: `POST ${events}`,
          send: { events: sent },
          expect: 400,
          see: { error: { issues: [{ path }] } },
        }),
      ),
      refused({ groupBy: ["day", "month"] }, "body.groupBy"),
      refused({ groupBy: ["page", "device"] }, "body.groupBy"),
      refused({ groupBy: ["device"], filters: { page: "{page}" } }, "body.filters"),
      refused({ filters: { device: "mobile", browser: "firefox" } }, "body.filters"),
      refused({ range: { from: "2026-03-02", to: "2026-03-01" } }, "body.range"),
      refused({ range: { from: "2026-02-30", to: "2026-03-01" } }, "body.range.from"),
      refused({ select: ["sneeze"] }, "body.select.0"),
      refused({ filters: { ip: "127.0.0.1" } }, "body.filters.ip"),
      refused({ limit: 1001 }, "body.limit"),
    ],
  },
];
