// The schemas of visitors' events, and of requests for their counts. Nothing that could identify a person is stored: of a session, only
// the classes in `visitor-traits.ts` are counted.

import * as v from "valibot";
import {
  Id,
  listSchema,
  maxJsonSize,
  namedObject,
  recordSchema,
  textSchema,
  WebUrl,
} from "../../../operation/common-schemas";

/** The types of events. Each is counted on its own. */
export const eventTypes = [
  "page_view",
  "page_post_feedback",
  "search_open",
  "search_type_query",
  "search_open_result",
  "ask_question",
  "link_click",
  "api_client_open",
  "ad_display",
  "ad_click",
] as const;
export type EventType = (typeof eventTypes)[number];

export const EventTypeName = v.pipe(
  v.picklist(eventTypes, `Expected one of ${eventTypes.join(", ")}`),
  v.title("InsightsEventType"),
);

/** The ratings of a page, the worst first. Some renderers send their numbers. */
export const ratings = ["bad", "ok", "good"] as const;
export type Rating = (typeof ratings)[number];

const RatingInput = v.pipe(
  v.union([v.picklist(ratings), v.picklist([1, 2, 3])], "Expected bad, ok or good, or 1, 2 or 3"),
  v.transform((rating): Rating => (typeof rating === "number" ? ratings[rating - 1]! : rating)),
);

const MAX_COOKIES = 100;
/** The limit of characters of all cookies, names and values. */
const MAX_COOKIE_TEXT = 8192;

export const Cookies = v.pipe(
  recordSchema(textSchema(1, 256), textSchema(0, 4096), MAX_COOKIES, `Expected at most ${MAX_COOKIES} cookies`),
  v.check(
    (cookies) => JSON.stringify(cookies).length <= MAX_COOKIE_TEXT,
    `Expected at most ${MAX_COOKIE_TEXT} characters altogether`,
  ),
  v.description("Sent only to integrations with the scope for cookies. Defaults to none."),
);

export const IpAddress = v.pipe(
  v.string("Expected an address"),
  v.check((address) => v.IP_REGEX.test(address), "Expected an IPv4 or IPv6 address"),
);

const noEffect = "Has no effect here.";
/** An id that is accepted and ignored. */
const unusedId = v.optional(v.pipe(v.nullable(textSchema(1, 64)), v.description(noEffect)));
/** An object that is accepted and ignored. */
const unusedObject = v.optional(
  v.pipe(recordSchema(textSchema(1, 64), v.unknown(), 20), maxJsonSize(4096), v.description(noEffect)),
);

const Session = v.pipe(
  v.strictObject({
    visitorId: v.optional(
      v.pipe(textSchema(1, 256), v.description("Not stored. Sent to integrations as `anonymousId`.")),
    ),
    sessionId: v.optional(v.pipe(textSchema(1, 256), v.description("Not stored."))),
    userAgent: v.optional(
      v.pipe(textSchema(0, 1024), v.description("Not stored. Only the device type and the browser family are stored.")),
    ),
    language: v.optional(
      v.pipe(v.nullable(textSchema(1, 64)), v.description("Counted without its region: `de-AT` is `de`.")),
    ),
    referrer: v.optional(v.pipe(v.nullable(textSchema(0, 2048)), v.description("Only its host is counted."))),
    cookies: v.optional(Cookies),
    ip: v.optional(
      v.pipe(
        IpAddress,
        v.description("Not stored. Sent to integrations that receive page views if an editor of the site reports it."),
      ),
    ),
    visitorAuthToken: v.optional(v.pipe(v.nullable(textSchema(0, 8192)), v.description(noEffect))),
  }),
  v.title("InsightsSession"),
);

const Location = v.pipe(
  v.strictObject({
    url: v.optional(v.pipe(WebUrl, v.description("Not stored. Sent to integrations that receive page views."))),
    siteSpace: v.optional(v.pipe(v.nullable(Id), v.description("The ID of the site-space of the page."))),
    space: v.optional(v.pipe(v.nullable(Id), v.description("The ID of the space, if `siteSpace` isn't provided."))),
    page: v.optional(v.pipe(v.nullable(Id), v.description("The ID of the page in the space."))),
    siteSection: unusedId,
    siteShareLink: unusedId,
    siteShareKey: v.optional(v.pipe(v.nullable(textSchema(0, 256)), v.description("Not stored."))),
    revision: unusedId,
    displayContext: unusedId,
  }),
  v.check(({ page, siteSpace, space }) => !page || !!siteSpace || !!space, "A page needs `siteSpace` or `space`"),
  v.title("InsightsLocation"),
);

export const SiteEvent = v.pipe(
  v.strictObject({
    type: EventTypeName,
    location: v.optional(Location),
    session: v.optional(Session),
    query: v.optional(
      v.pipe(textSchema(0, 512), v.description("The search query or question. Counted as text; see the operation.")),
    ),
    feedback: v.optional(
      v.strictObject({
        rating: v.pipe(RatingInput, v.description("The rating of the page.")),
        comment: v.optional(
          v.pipe(textSchema(0, 2048), v.description("Not stored, because free text can contain personal data.")),
        ),
      }),
    ),
    result: unusedObject,
    link: unusedObject,
    ad: unusedObject,
    operation: unusedObject,
    timestamp: v.optional(
      v.pipe(
        textSchema(1, 64),
        v.description("Has no effect: events are counted on the day on which they are received."),
      ),
    ),
  }),
  v.title("InsightsEvent"),
);

/** The limit of events in a request. */
const MAX_EVENTS = 100;

export const SiteEvents = v.strictObject({
  events: v.pipe(
    listSchema(SiteEvent, MAX_EVENTS, `Expected at most ${MAX_EVENTS} events`),
    v.minLength(1, "Expected at least one event"),
  ),
});

const Day = v.pipe(
  v.string("Expected a day"),
  v.regex(/^20\d\d-[01]\d-[0-3]\d$/, "Expected a day, such as 2026-03-01"),
  v.check((day) => {
    const time = Date.parse(`${day}T00:00:00Z`);
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  }, "There is no such day"),
);

/** The values that counts can be grouped by, besides time. */
export const groups = ["siteSpace", "page", "rating", "device", "browser", "language", "referrer", "query"] as const;
export type EventGroup = (typeof groups)[number];
export const times = ["day", "month"] as const;
export type Time = (typeof times)[number];

export const EventsAggregateRequest = v.strictObject({
  select: v.optional(
    v.pipe(
      listSchema(
        v.pipe(
          v.union([EventTypeName, v.strictObject({ column: EventTypeName })], "Expected a type of event, or {column}"),
          v.transform((item) => (typeof item === "string" ? item : item.column)),
        ),
        eventTypes.length,
      ),
      v.minLength(1, "Expected at least one type of event"),
      v.description("The event types to count, each by its name or as `column`. Defaults to `page_view`."),
    ),
  ),
  groupBy: v.optional(
    v.pipe(
      listSchema(v.picklist([...times, ...groups], `Expected one of ${[...times, ...groups].join(", ")}`), 2),
      v.check((names) => {
        const timeCount = names.filter((name) => (times as readonly string[]).includes(name)).length;
        return timeCount <= 1 && names.length - timeCount <= 1;
      }, "Expected at most one of day and month, and at most one of the others"),
      v.description(
        "One of `day` and `month`, one of the other fields, or both. By default, a single row is returned.",
      ),
    ),
  ),
  range: v.optional(
    v.pipe(
      v.strictObject({ from: Day, to: Day }),
      v.check(({ from, to }) => from <= to, "Expected `to` not to be before `from`"),
      v.description("A range of days in UTC, inclusive. Defaults to the last 30 days."),
    ),
  ),
  filters: v.optional(
    v.pipe(
      v.strictObject({
        siteSpace: v.optional(Id),
        page: v.optional(Id),
        rating: v.optional(v.picklist(ratings, "Expected bad, ok or good")),
        device: v.optional(textSchema(1, 64)),
        browser: v.optional(textSchema(1, 64)),
        language: v.optional(textSchema(1, 64)),
        referrer: v.optional(textSchema(1, 255)),
        query: v.optional(textSchema(1, 512)),
      }),
      v.description("Counts only events with these values. For the allowed combinations, see the operation."),
    ),
  ),
  limit: v.optional(
    v.pipe(
      v.number("Expected a number"),
      v.integer("Expected a whole number"),
      v.minValue(1, "At least 1"),
      v.maxValue(1000, "At most 1000"),
      v.description("The maximum number of rows. Defaults to 100."),
    ),
  ),
});
export type EventsAggregateRequest = v.InferOutput<typeof EventsAggregateRequest>;

const Counts = v.pipe(
  v.record(v.string(), v.number()),
  v.description("The number of events by type: one field for each type in `select`."),
);

export const EventsAggregate = namedObject("InsightsAggregate", {
  object: v.literal("insights-aggregate"),
  range: v.object({ from: v.string(), to: v.string() }),
  total: Counts,
  rows: v.array(
    v.pipe(
      v.object({
        day: v.optional(v.string()),
        month: v.optional(v.string()),
        siteSpace: v.optional(v.string()),
        page: v.optional(v.string()),
        rating: v.optional(v.string()),
        device: v.optional(v.string()),
        browser: v.optional(v.string()),
        language: v.optional(v.string()),
        referrer: v.optional(v.string()),
        query: v.optional(v.string()),
        counts: Counts,
      }),
      v.title("InsightsRow"),
    ),
  ),
  isCut: v.pipe(v.boolean(), v.description("Whether there are more rows than `limit`.")),
});
