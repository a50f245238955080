// The insights of a site: events over time, and by page, search, rating and origin.

import { useState } from "preact/hooks";
import type { InsightsEventType } from "../../../../generated/resources";
import { useQueries, useQuery } from "../../api/queries";
import { Choice } from "../../components/field";
import { Loaded } from "../../components/loaded";
import { useMessages } from "../../messages/messages";
import { addresses } from "../../routes";
import { findById } from "../../space/tree-rows";
import { type OpenSite, SiteLayout, type SiteRoute } from "../site-layout";
import { collectSiteSpaces } from "../structure/structure-rows";
import { BarTable, type Share, TimePlot } from "./plot";
import { buildTimeSeries, getRecentDays, sortLargestFirst } from "./time-series";

export function InsightsPage(place: SiteRoute) {
  return <SiteLayout {...place}>{(open) => <Insights {...open} organization={place.organization} />}</SiteLayout>;
}

type Period = "7" | "30" | "90" | "365";

const MOST_SHOWN = 10;

function Insights({ params, organization }: OpenSite & { readonly organization: string }) {
  const messages = useMessages();
  const [period, setPeriod] = useState<Period>("30");
  const [type, setType] = useState<InsightsEventType>("page_view");
  const range = getRecentDays(Number(period));
  const by = period === "365" ? "month" : "day";
  const counts = useQuery("aggregateSiteEvents", {
    params,
    body: { select: [type], groupBy: [by], range, limit: 400 },
  });
  const ratings = useQuery("aggregateSiteEvents", {
    params,
    body: { select: ["page_post_feedback"], groupBy: ["rating"], range },
  });
  const ratingNames = {
    good: messages.insights.ratingGood,
    ok: messages.insights.ratingOk,
    bad: messages.insights.ratingBad,
  };
  const types: Readonly<Partial<Record<InsightsEventType, string>>> = {
    page_view: messages.insights.pageViews,
    search_type_query: messages.insights.searches,
    search_open_result: messages.insights.searchResults,
    page_post_feedback: messages.insights.feedback,
    ask_question: messages.insights.questions,
    link_click: messages.insights.linkClicks,
    api_client_open: messages.insights.apiTries,
  };
  return (
    <>
      <div class="choices">
        <Choice
          label={messages.insights.period}
          value={period}
          onChange={setPeriod}
          options={[
            ["7", messages.insights.lastWeek],
            ["30", messages.insights.lastMonth],
            ["90", messages.insights.lastQuarter],
            ["365", messages.insights.lastYear],
          ]}
        />
        <Choice
          label={messages.insights.whatIsCounted}
          value={type}
          onChange={setType}
          options={Object.entries(types) as [InsightsEventType, string][]}
        />
      </div>
      <Loaded of={counts}>
        {({ rows }) => <TimePlot title={types[type] ?? type} points={buildTimeSeries(rows, type, by, range)} />}
      </Loaded>
      <div class="grid-of-bars">
        <TopPages params={params} organization={organization} range={range} />
        <Top params={params} range={range} title={messages.insights.topSearches} type="search_type_query" by="query" />
        <Loaded of={ratings}>
          {({ rows }) => (
            <BarTable
              title={messages.insights.feedback}
              empty={messages.insights.nothingCounted}
              shares={(["good", "ok", "bad"] as const).flatMap((rating): Share[] => {
                const value = rows.find((row) => row.rating === rating)?.counts.page_post_feedback ?? 0;
                return value === 0 ? [] : [{ key: rating, name: ratingNames[rating], value, tone: tones[rating] }];
              })}
            />
          )}
        </Loaded>
        <Top params={params} range={range} title={messages.insights.topQuestions} type="ask_question" by="query" />
        <Top params={params} range={range} title={messages.insights.referrers} type="page_view" by="referrer" />
        <Top params={params} range={range} title={messages.insights.devices} type="page_view" by="device" />
        <Top params={params} range={range} title={messages.insights.browsers} type="page_view" by="browser" />
        <Top
          params={params}
          range={range}
          title={messages.insights.languagesOfVisitors}
          type="page_view"
          by="language"
        />
      </div>
      <p class="hint">{messages.insights.insightsWhy}</p>
    </>
  );
}

interface InsightsQuery {
  readonly params: OpenSite["params"];
  readonly range: { readonly from: string; readonly to: string };
}

function Top({
  params,
  range,
  title,
  type,
  by,
}: InsightsQuery & {
  readonly title: string;
  readonly type: InsightsEventType;
  readonly by: "query" | "referrer" | "device" | "browser" | "language";
}) {
  const messages = useMessages();
  const found = useQuery("aggregateSiteEvents", { params, body: { select: [type], groupBy: [by], range, limit: 50 } });
  const languages = new Intl.DisplayNames([messages.inLanguage], { type: "language" });
  const formatName = (name: string) => {
    if (by !== "language" || !/^[a-z]{2,3}$/.test(name)) return name === "(other)" ? messages.insights.allOthers : name;
    return languages.of(name) ?? name;
  };
  return (
    <Loaded of={found}>
      {({ rows }) => (
        <BarTable
          title={title}
          empty={messages.insights.nothingCounted}
          shares={sortLargestFirst(rows, type, (row) => row[by])
            .slice(0, MOST_SHOWN)
            .map(({ name, value }) => ({
              key: name ?? "",
              name: name === undefined ? messages.insights.rare : formatName(name),
              value,
            }))}
        />
      )}
    </Loaded>
  );
}

const tones = { good: "success", ok: "warning", bad: "danger" } as const;

/** Shows pages by their titles. A deleted page has none. */
function TopPages({ params, organization, range }: InsightsQuery & { readonly organization: string }) {
  const messages = useMessages();
  const type = "page_view";
  const found = useQuery("aggregateSiteEvents", {
    params,
    body: { select: [type], groupBy: ["page"], range, limit: 50 },
  });
  const structure = useQuery("getSiteStructure", { params });
  const spaces = structure.state === "loaded" ? collectSiteSpaces(structure.value) : [];
  const findSpaceId = (siteSpace: string | undefined) => spaces.find(({ id }) => id === siteSpace)?.space.id;
  const rows = found.state === "loaded" ? found.value.rows : [];
  const top = sortLargestFirst(rows, type, (row) => row.page).slice(0, MOST_SHOWN);
  const spaceIds = [...new Set(top.flatMap(({ row }) => findSpaceId(row.siteSpace) ?? []))];
  const trees = useQueries(
    "listPages",
    spaceIds.map((spaceId) => ({ params: { spaceId }, query: { metadata: "false" } })),
  );
  return (
    <Loaded of={found}>
      {() => (
        <section class="bars">
          <BarTable
            title={messages.insights.topPages}
            empty={messages.insights.nothingCounted}
            shares={top.map(({ name, row, value }) => {
              const space = findSpaceId(row.siteSpace);
              const tree = trees[spaceIds.indexOf(space ?? "")];
              const page = findById(tree?.state === "loaded" ? tree.value.pages : [], name ?? "");
              return {
                key: `${row.siteSpace} ${name}`,
                name:
                  page?.title ??
                  (name === undefined || name === "(other)" ? messages.insights.allOthers : messages.insights.goneItem),
                value,
                href:
                  page && space !== undefined ? addresses.page(organization, space, undefined, page.path) : undefined,
              };
            })}
          />
        </section>
      )}
    </Loaded>
  );
}
