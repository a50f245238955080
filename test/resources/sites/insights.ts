// What visitors do on a site, as stories: events are reported, counted and asked for.

import { ask, create, defineStory, refuse, type Scene, type Story, send } from "../scenario";

const site = "/v1/orgs/{org}/sites/{site}";
const events = `${site}/insights/events`;
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
const report = (sent: readonly object[], as: Scene["as"] = null): Scene =>
  send(as, `POST ${events}`, 204, { events: sent });
const asked = (send: object, see: object): Scene => ask("create", `POST ${events}/aggregate`, 200, { send, see });
const refused = (send: object, path: string): Scene => refuse("create", `POST ${events}/aggregate`, path, send);

/** A site with a space on it. */
function published(visibility: string): Scene[] {
  return [
    create("admin", "POST /v1/orgs/{org}/spaces", "space", { title: "Guide" }),
    create("admin", "POST /v1/orgs/{org}/spaces", "off", { title: "Off" }),
    ask("admin", "POST /v1/spaces/{space}/content", 200, {
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
      keep: { page: (body) => body.changes[0].page.id, hidden: (body) => body.changes[1].page.id },
    }),
    create("admin", "POST /v1/orgs/{org}/sites", "site", { title: "Docs", visibility, spaces: ["{space}"] }),
    ask("admin", `POST ${site}/publish`, 200),
    ask("admin", `GET ${site}/site-spaces`, 200, { keep: { siteSpace: (body) => body.items[0].id } }),
  ];
}

export const stories: readonly Story[] = [
  defineStory("visitors report what they do, and editors ask for the counts", [
    ...published("public"),
    report([view, view, { type: "page_view", session: { ...session, userAgent: iphone, language: "en" } }]),
    report([{ ...view, location: { space: "{space}", page: "{page}" } }], "create"),
    report([rated("good"), rated(3), rated("bad")]),
    report([{ type: "search_open", location: { ...location, siteShareKey: null, siteShareLink: null } }]),
    report([{ type: "api_client_open", location: { siteShareKey: "k" }, operation: { method: "get", path: "/pets" } }]),
    asked(
      { select: [{ column: "search_open" }, "api_client_open"] },
      { total: { search_open: 1, api_client_open: 1 } },
    ),
    refused({ select: [{ column: "sleep" }] }, "body.select.0.column"),
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
  ]),
  defineStory("searches are counted as texts, where those name nobody and are not rare", [
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
  ]),
  defineStory("an event about what the caller does not see is not counted", [
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
  ]),
  defineStory("events come from those who see the site, and counts go to those who edit it", [
    ...published("share-link"),
    send(null, `POST ${events}`, "404 site_not_found", { events: [view] }),
    send("stranger", `POST ${events}`, "404 site_not_found", { events: [view] }),
    ask("create", `POST ${site}/share-links`, 201, {
      send: { name: "Press" },
      keep: {
        key: (body) => new URL(body.urls.published).searchParams.get("key") ?? body.urls.published.split("/").at(-1)!,
      },
    }),
    send(null, `POST ${events}?shareKey={key}`, 204, { events: [view] }),
    report([view], "read"),
    asked({}, { total: { page_view: 2 } }),
    ask("admin", `DELETE ${site}`, 204),
    send("create", `POST ${events}`, "404 site_not_found", { events: [view] }),
  ]),
  defineStory("what nobody knows is refused", [
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
    ).map(([sent, path]): Scene => refuse(null, `POST ${events}`, path, { events: sent })),
    refused({ groupBy: ["day", "month"] }, "body.groupBy"),
    refused({ groupBy: ["page", "device"] }, "body.groupBy"),
    refused({ groupBy: ["device"], filters: { page: "{page}" } }, "body.filters"),
    refused({ filters: { device: "mobile", browser: "firefox" } }, "body.filters"),
    refused({ range: { from: "2026-03-02", to: "2026-03-01" } }, "body.range"),
    refused({ range: { from: "2026-02-30", to: "2026-03-01" } }, "body.range.from"),
    refused({ select: ["sneeze"] }, "body.select.0"),
    refused({ filters: { ip: "127.0.0.1" } }, "body.filters.ip"),
    refused({ limit: 1001 }, "body.limit"),
  ]),
];
