// What visitors of a site do, counted: over time, and by page, search, rating and where they come from.

import { useState } from "preact/hooks";
import type { InsightsEventType, InsightsRow } from "../../../../generated/resources";
import { useRead, useReads } from "../../calls/reads";
import { Choice } from "../../parts/field";
import { Shown } from "../../parts/shown";
import { addresses } from "../../routes";
import type { PageInTree } from "../../space/place";
import { findById } from "../../space/tree";
import { useWords, type Words } from "../../words/words";
import { InSite, type OpenSite, type SitePlace } from "../in-site";
import { siteSpacesIn } from "../structure/rows";
import { largest, lastDays, pointsOf } from "./counts";
import { BarTable, type Share, TimePlot } from "./plot";

export function InsightsPage(place: SitePlace) {
  return <InSite {...place}>{(open) => <Insights {...open} organization={place.organization} />}</InSite>;
}

type Period = "7" | "30" | "90" | "365";

const MOST_SHOWN = 10;

function Insights({ params, organization }: OpenSite & { readonly organization: string }) {
  const words = useWords();
  const [period, setPeriod] = useState<Period>("30");
  const [type, setType] = useState<InsightsEventType>("page_view");
  const range = lastDays(Number(period));
  const by = period === "365" ? "month" : "day";
  const counts = useRead("aggregateSiteEvents", {
    params,
    body: { select: [type], groupBy: [by], range, limit: 400 },
  });
  const types = typeWords(words);
  return (
    <>
      <div class="choices">
        <Choice
          label={words.period}
          value={period}
          onChange={setPeriod}
          options={[
            ["7", words.lastWeek],
            ["30", words.lastMonth],
            ["90", words.lastQuarter],
            ["365", words.lastYear],
          ]}
        />
        <Choice
          label={words.whatIsCounted}
          value={type}
          onChange={setType}
          options={Object.entries(types) as [InsightsEventType, string][]}
        />
      </div>
      <Shown of={counts}>
        {({ rows }) => <TimePlot title={types[type] ?? type} points={pointsOf(rows, type, by, range)} />}
      </Shown>
      <div class="grid-of-bars">
        <TopPages params={params} organization={organization} range={range} />
        <Top params={params} range={range} title={words.topSearches} type="search_type_query" by="query" />
        <Ratings params={params} range={range} />
        <Top params={params} range={range} title={words.topQuestions} type="ask_question" by="query" />
        <Top params={params} range={range} title={words.referrers} type="page_view" by="referrer" />
        <Top params={params} range={range} title={words.devices} type="page_view" by="device" />
        <Top params={params} range={range} title={words.browsers} type="page_view" by="browser" />
        <Top params={params} range={range} title={words.languagesOfVisitors} type="page_view" by="language" />
      </div>
      <p class="hint">{words.insightsWhy}</p>
    </>
  );
}

/** What can be counted over time. */
function typeWords(words: Words): Readonly<Partial<Record<InsightsEventType, string>>> {
  return {
    page_view: words.pageViews,
    search_type_query: words.searches,
    search_open_result: words.searchResults,
    page_post_feedback: words.feedback,
    ask_question: words.questions,
    link_click: words.linkClicks,
    api_client_open: words.apiTries,
  };
}

interface Asked {
  readonly params: OpenSite["params"];
  readonly range: { readonly from: string; readonly to: string };
}

function Top({
  params,
  range,
  title,
  type,
  by,
}: Asked & {
  readonly title: string;
  readonly type: InsightsEventType;
  readonly by: "query" | "referrer" | "device" | "browser" | "language";
}) {
  const words = useWords();
  const found = useRead("aggregateSiteEvents", { params, body: { select: [type], groupBy: [by], range, limit: 50 } });
  const languages = new Intl.DisplayNames([words.inLanguage], { type: "language" });
  const nameOf = (name: string) => {
    if (by !== "language" || !/^[a-z]{2,3}$/.test(name)) return name === "(other)" ? words.allOthers : name;
    return languages.of(name) ?? name;
  };
  return (
    <Shown of={found}>
      {({ rows }) => (
        <BarTable
          title={title}
          empty={words.nothingCounted}
          shares={largest(rows, type, (row) => row[by])
            .slice(0, MOST_SHOWN)
            .map(({ name, value }) => ({
              key: name ?? "",
              name: name === undefined ? words.rare : nameOf(name),
              value,
            }))}
        />
      )}
    </Shown>
  );
}

const tones = { good: "success", ok: "warning", bad: "danger" } as const;

function Ratings({ params, range }: Asked) {
  const words = useWords();
  const type = "page_post_feedback";
  const found = useRead("aggregateSiteEvents", { params, body: { select: [type], groupBy: ["rating"], range } });
  const names: Readonly<Record<string, string>> = { good: words.ratingGood, ok: words.ratingOk, bad: words.ratingBad };
  return (
    <Shown of={found}>
      {({ rows }) => (
        <BarTable
          title={words.feedback}
          empty={words.nothingCounted}
          shares={(["good", "ok", "bad"] as const).flatMap((rating): Share[] => {
            const value = rows.find((row) => row.rating === rating)?.counts[type] ?? 0;
            return value === 0 ? [] : [{ key: rating, name: names[rating]!, value, tone: tones[rating] }];
          })}
        />
      )}
    </Shown>
  );
}

function TopPages({ params, organization, range }: Asked & { readonly organization: string }) {
  const words = useWords();
  const type = "page_view";
  const found = useRead("aggregateSiteEvents", {
    params,
    body: { select: [type], groupBy: ["page"], range, limit: 50 },
  });
  const structure = useRead("getSiteStructure", { params });
  const spaces = structure.state === "had" ? siteSpacesIn(structure.value) : [];
  return (
    <Shown of={found}>
      {({ rows }) => {
        const top = largest(rows, type, (row) => row.page).slice(0, MOST_SHOWN);
        return (
          <section class="bars">
            {top.length === 0 ? (
              <BarTable title={words.topPages} empty={words.nothingCounted} shares={[]} />
            ) : (
              <NamedPages organization={organization} top={top} spaces={spaces} />
            )}
          </section>
        );
      }}
    </Shown>
  );
}

/** Pages have titles in their spaces; a page that is gone has none. */
function NamedPages({
  organization,
  top,
  spaces,
}: {
  readonly organization: string;
  readonly top: readonly { readonly name: string | undefined; readonly row: InsightsRow; readonly value: number }[];
  readonly spaces: ReturnType<typeof siteSpacesIn>;
}) {
  const words = useWords();
  const spaceOf = (siteSpace: string | undefined) => spaces.find(({ id }) => id === siteSpace)?.space.id;
  const wanted = [...new Set(top.flatMap(({ row }) => spaceOf(row.siteSpace) ?? []))];
  const trees = useReads(
    "listPages",
    wanted.map((spaceId) => ({ params: { spaceId }, query: { metadata: "false" } })),
  );
  const pagesOf = (space: string | undefined): readonly PageInTree[] => {
    const tree = trees[wanted.indexOf(space ?? "")];
    return tree?.state === "had" ? tree.value.pages : [];
  };
  return (
    <BarTable
      title={words.topPages}
      empty={words.nothingCounted}
      shares={top.map(({ name, row, value }) => {
        const space = spaceOf(row.siteSpace);
        const page = findById(pagesOf(space), name ?? "");
        return {
          key: `${row.siteSpace} ${name}`,
          name: page?.title ?? (name === undefined || name === "(other)" ? words.allOthers : words.goneItem),
          value,
          href: page && space !== undefined ? addresses.page(organization, space, undefined, page.path) : undefined,
        };
      })}
    />
  );
}
