// One ranking: a site, a space and an organization give the same pages in the same order for the same words, as one index with all
// pages would; and what a visitor does not see changes nothing. The pages are the documentation of installed packages.

import { memoryStorage } from "octavo/memory";
import { beforeAll, describe, expect, test } from "vitest";
import { createSearchIndex, sumStatistics } from "../../../src/content/search";
import { engines } from "../../bench/relevance/engines";
import { loadInstalledPages } from "../../bench/relevance/packages";
import { measureQuality, placeAnswers, questions } from "../../bench/relevance/questions";
import { type Setting, setUp } from "../../support/setting";

const pages = loadInstalledPages();
const ids = new Set(pages.map(({ id }) => id));
const asked = questions.filter(({ pages }) => pages.every((id) => ids.has(id)));

describe("relevance on the documentation of npm packages", () => {
  test("relevant pages rank high, and higher than with other engines", () => {
    expect(pages.length).toBeGreaterThan(90);
    expect(asked.length).toBeGreaterThan(35);
    const qualities = Object.entries(engines).map(([name, engine]) => ({
      name,
      ...measureQuality(placeAnswers(engine, new Map([["en", pages]]), asked)),
    }));
    const [ours, ...others] = qualities;
    expect(ours!.reciprocal).toBeGreaterThan(0.88);
    for (const { name, reciprocal, third } of others) {
      expect(ours!.reciprocal, name).toBeGreaterThanOrEqual(reciprocal);
      expect(ours!.third, name).toBeGreaterThanOrEqual(third);
    }
  });

  test("several indexes rank like one with all their pages", () => {
    const whole = createSearchIndex();
    const parts = [createSearchIndex(), createSearchIndex(), createSearchIndex()];
    for (const [i, page] of pages.entries()) {
      whole.put(page);
      parts[i % 3]!.put(page);
    }
    for (const { query } of asked) {
      const statistics = sumStatistics(parts.map((part) => part.collectStatistics(query)));
      const together = parts
        .flatMap((part) => part.search(query, 20, 0, { statistics }).hits)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, 20)
        .map(({ id, score }) => ({ id, score: expect.closeTo(score, 9) }));
      expect(whole.search(query, 20).hits, query).toEqual(together);
    }
  });
});

describe("site search", () => {
  let setting: Setting;
  let space: string;
  let site: string;
  const send = async (route: string, body?: unknown) => {
    const answer = await setting.ask("admin", route, body);
    expect(answer.status, `${route} ${JSON.stringify(answer.body).slice(0, 300)}`).toBeLessThan(300);
    return answer.body;
  };
  const insert = (title: string, markdown: string, more = {}) => ({
    ...{ operation: "insert_page", title, document: { markdown } },
    ...more,
  });
  const onSite = async (query: string) => {
    const { status, body } = await setting.ask(null, `POST ${site}/search`, { query });
    expect(status).toBe(200);
    return body.items.flatMap((item: { pages: object[] }) => item.pages) as {
      title: string;
      path: string;
      sections: object[];
    }[];
  };
  const inSpace = async (query: string) =>
    (await send(`GET /v1/spaces/${space}/search?query=${encodeURIComponent(query)}`)).items as { path: string }[];

  beforeAll(async () => {
    setting = await setUp(memoryStorage());
    space = (await send(`POST /v1/orgs/${setting.org}/spaces`, { title: "Docs" })).id;
    // Pages whose text may be another one for each reader are ranked by what this reader reads.
    const alike = pages.filter(({ markdown }) => !markdown.includes("{%"));
    expect(alike.length).toBeGreaterThan(80);
    // Elements and words that expressions are written with make no page another one.
    const changes = alike.map(({ title, markdown }, i) =>
      insert(title, i % 3 === 0 ? `${markdown}\n\nAn expression in <code>code</code>.` : markdown),
    );
    for (let at = 0; at < changes.length; at += 50)
      await send(`POST /v1/spaces/${space}/content`, { changes: changes.slice(at, at + 50) });
    const made = { title: "Docs", visibility: "public", spaces: [space] };
    site = `/v1/orgs/${setting.org}/sites/${(await send(`POST /v1/orgs/${setting.org}/sites`, made)).id}`;
    await send(`POST ${site}/publish`);
  });

  test("site search ranks the pages of a space like space search and organization search", async () => {
    for (const { query } of asked) {
      const paths = (await inSpace(query)).map(({ path }) => path);
      expect(
        (await onSite(query)).map(({ path }) => path),
        query,
      ).toEqual(paths.slice(0, 20));
      const route = `GET /v1/orgs/${setting.org}/search?query=${encodeURIComponent(query)}`;
      const [found] = (await send(route)).items as { pages: { path: string }[] }[];
      expect(found?.pages.map(({ path }) => path) ?? [], query).toEqual(paths.slice(0, 10));
    }
  });

  test("site search responds with at most 20 KB, with sections for the top results", async () => {
    for (const { query } of asked) {
      const answer = await setting.ask(null, `POST ${site}/search`, { query });
      expect(JSON.stringify(answer.body).length, query).toBeLessThanOrEqual(20_000);
      const found = await onSite(query);
      expect(found.length).toBeLessThanOrEqual(20);
      for (const [place, { sections }] of found.entries())
        expect(sections.length, query).toBeLessThanOrEqual(place < 3 ? 3 : place < 10 ? 1 : 0);
    }
  });

  test("site search repeats its response to a question until something changes", async () => {
    const query = "graceful quokka";
    const before = await onSite(query);
    expect(await onSite(query)).toEqual(before);
    const added = await send(`POST /v1/spaces/${space}/content`, { changes: [insert("Graceful quokka", "A quokka.")] });
    expect((await onSite(query)).map(({ title }) => title)[0]).toBe("Graceful quokka");
    await send(`POST /v1/spaces/${space}/content`, {
      changes: [{ operation: "delete_page", page: added.changes[0].page.id }],
    });
    expect(await onSite(query)).toEqual(before);
  });

  test("site search gives the same responses whatever invisible pages and passages contain", async () => {
    const queries = ["heading level", "plugin hooks", "trailing whitespace", "schema validation error"];
    const varied = (hidden: string) =>
      `A plugin heading.\n\n{% if visitor.claims.isStaff %}\n\n${hidden}\n\n{% endif %}\n`;
    const made = await send(`POST /v1/spaces/${space}/content`, {
      changes: [
        insert("Varied", varied("Nothing.")),
        insert("Hidden", "Nothing.", { hidden: true }),
        insert("Closed", "Nothing.", { condition: "visitor.claims.isStaff" }),
      ],
    });
    const [one, two, three] = made.changes.map((change: { page: { id: string } }) => change.page.id);
    const answers = async () => Promise.all(queries.map(onSite));
    const before = await answers();
    const words = "heading level plugin hooks trailing whitespace schema validation error ".repeat(50);
    const write = (page: string, markdown: string) => ({ operation: "update_page", page, document: { markdown } });
    await send(`POST /v1/spaces/${space}/content`, {
      changes: [write(one, varied(words)), write(two, words), write(three, words)],
    });
    expect(await answers()).toEqual(before);
  });
});
