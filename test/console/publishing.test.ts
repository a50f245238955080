// What the pages about publishing work out before they ask the API: where parts of a site go, what is sent of a look, and how
// numbers become points.

import { describe, expect, test } from "vitest";
import { buildRepositoryUrl, toBranchName, toBranchRef } from "../../src/console/app/git/repository";
import { buildPageInsertion, deriveTitle, detectTextKind } from "../../src/console/app/imports/sources";
import {
  diffLooks,
  getLookValue,
  setLookValue,
  toSiteCustomization,
} from "../../src/console/app/sites/appearance/change-look";
import type { SiteLook } from "../../src/console/app/sites/appearance/settings";
import { fromLink, fromRedirect, toLink, toRedirect } from "../../src/console/app/sites/chosen-target";
import {
  buildTimeSeries,
  getRecentDays,
  roundTop,
  sortLargestFirst,
} from "../../src/console/app/sites/insights/time-series";
import { parseRedirectLines } from "../../src/console/app/sites/parse-redirect-lines";
import {
  collectSiteSpaces,
  listStructureRows,
  moveBeside,
  moveByStep,
} from "../../src/console/app/sites/structure/structure-rows";
import { getSpecState, suggestSlug } from "../../src/console/app/specifications/spec-state";
import { fromDocument, toDocument } from "../../src/console/app/translations/instructions";
import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from "../../src/generated/resources";
import { splitIntoChunks } from "../../src/utils/chunks";

const siteSpace = (id: string) => ({ object: "site-space", id, title: id, space: { id: `spc_${id}` } }) as SiteSpace;
const section = (id: string, ...spaces: string[]) =>
  ({ object: "site-section", id, title: id, siteSpaces: spaces.map(siteSpace) }) as unknown as SiteSection;
const group = (id: string, ...sections: SiteSection[]) =>
  ({ object: "site-section-group", id, title: id, sections }) as unknown as SiteSectionGroup;

describe("the structure of a site", () => {
  const structure = {
    type: "sections",
    structure: [section("a", "a1", "a2"), group("g", section("b", "b1")), section("c", "c1")],
  } as SiteStructure;
  const rows = listStructureRows(structure);
  const row = (id: string) => rows.find(({ item }) => item.id === id)!;

  test("the structure of a site is a list of rows in order", () => {
    expect(rows.map(({ depth, item }) => `${depth}${item.id}`)).toEqual([
      "0a",
      "1a1",
      "1a2",
      "0g",
      "1b",
      "2b1",
      "0c",
      "1c1",
    ]);
    expect(collectSiteSpaces(structure).map(({ id }) => id)).toEqual(["a1", "a2", "b1", "c1"]);
  });

  test.each([
    ["a", "up", undefined],
    ["a", "down", { after: { type: "site-section-group", id: "g" } }],
    ["c", "up", { before: { type: "site-section-group", id: "g" } }],
    ["a2", "up", { before: { type: "site-space", id: "a1" } }],
    ["a2", "down", undefined],
    ["b", "down", undefined],
  ] as const)("moving %s by a step goes %s", (id, by, position) => {
    expect(moveByStep(rows, row(id), by)?.position).toEqual(position);
  });

  test("spaces nest only in groups or sections, and groups do not nest", () => {
    expect(moveBeside(row("a1"), row("c1"), "after")?.position).toEqual({ after: { type: "site-space", id: "c1" } });
    expect(moveBeside(row("a1"), row("c"), "after")).toBeUndefined();
    expect(moveBeside(row("c"), row("a1"), "after")).toBeUndefined();
    expect(moveBeside(row("c"), row("b"), "before")?.position).toEqual({ before: { type: "site-section", id: "b" } });
    expect(moveBeside(row("g"), row("b"), "before")).toBeUndefined();
    expect(moveBeside(row("a"), row("a"), "before")).toBeUndefined();
  });
});

describe("customization", () => {
  const look = {
    title: "Docs",
    styling: {
      theme: "clean",
      tint: { color: { light: "#111", dark: "#222" } },
      font: { id: "fon_1", fontFamily: "A" },
    },
    favicon: {},
    header: {
      preset: "default",
      logo: { light: "https://a/l", dark: "https://a/d" },
      links: [{ title: "A", to: { kind: "url", url: "https://a" }, url: "https://seen", style: "link", links: [] }],
    },
    footer: { groups: [] },
    socialPreview: { url: "https://a/p.png" },
  } as unknown as SiteLook;

  test("customization values are read by their paths", () => {
    expect(getLookValue(look, ["styling", "tint", "color"])).toEqual({ light: "#111", dark: "#222" });
    expect(getLookValue(look, ["announcement", "message"])).toBeUndefined();
    expect(setLookValue(look, ["styling", "tint", "color"], undefined).styling).not.toHaveProperty("tint");
    expect(setLookValue(look, ["announcement", "message"], "Hi").announcement).toEqual({ message: "Hi" });
    expect(getLookValue(look, ["title"])).toBe("Docs");
  });

  test("customization is sent without the fields that only responses have", () => {
    const { header, styling } = toSiteCustomization(look);
    expect(header?.links).toEqual([{ title: "A", to: { kind: "url", url: "https://a" }, style: "link", links: [] }]);
    expect(styling?.font).toEqual({ id: "fon_1" });
    const untyped = setLookValue(look, ["header", "links"], [{ title: "B", to: { kind: "url", url: " " }, links: [] }]);
    expect(toSiteCustomization(untyped).header?.links?.[0]?.to).toBeNull();
  });

  test("customization of a space is sent as a difference, and null removes a value", () => {
    expect(diffLooks(look, look)).toEqual({});
    const after = setLookValue(setLookValue(look, ["styling", "theme"], "bold"), ["header", "logo"], undefined);
    expect(diffLooks(look, after)).toEqual({ styling: { theme: "bold" }, header: { logo: null } });
    expect(diffLooks(look, setLookValue(look, ["title"], undefined))).toEqual({ title: null });
    expect(diffLooks(look, setLookValue(look, ["socialPreview", "url"], undefined))).toEqual({ socialPreview: null });
    const sign = { ...look, favicon: { emoji: "📘" } } as SiteLook;
    expect(diffLooks(look, sign)).toEqual({ favicon: { emoji: "📘" } });
  });
});

describe("link targets", () => {
  const spaces = [siteSpace("one")];

  test("two forms of the same link are the same target", () => {
    const page = { kind: "page", space: "spc_one", page: "pag_1" } as const;
    expect(toLink(fromLink(page, spaces), spaces)).toEqual(page);
    expect(fromLink(null, spaces)).toEqual({ kind: "url", url: "" });
    const anchor = { kind: "anchor", space: "spc_one", page: "pag_1", anchor: "x" } as const;
    expect(toLink(fromLink(anchor, spaces), spaces)).toEqual(anchor);
    expect(toLink(fromLink({ ...page, space: "spc_gone" }, spaces), spaces)).toEqual({ ...page, space: "spc_gone" });
  });

  test("two forms of the same redirect are the same target, and nothing chosen is no target", () => {
    const page = { kind: "page", siteSpaceId: "one", pageId: "pag_1" } as const;
    expect(toRedirect(fromRedirect(page))).toEqual(page);
    expect(toRedirect(fromRedirect({ kind: "page", pageId: "pag_1" }))).toBeUndefined();
    expect(toRedirect({ kind: "url", url: " " })).toBeUndefined();
  });
});

test("redirects are parsed in the forms that people write", () => {
  const text =
    "# old ones\n/a https://x.example/1 301\nb,/2\n/c\t/3\n\n/d -> https://x.example/4\nalone\n/e //other.example\n";
  expect(parseRedirectLines(text, "https://docs.example/")).toEqual({
    redirects: [
      { source: "/a", url: "https://x.example/1" },
      { source: "/b", url: "https://docs.example/2" },
      { source: "/c", url: "https://docs.example/3" },
      { source: "/d", url: "https://x.example/4" },
    ],
    wrong: [7, 8],
  });
  expect(parseRedirectLines("/a /b", undefined).wrong).toEqual([1]);
  expect(splitIntoChunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
});

test("days and months without events are filled with zeros", () => {
  const range = getRecentDays(3, new Date("2026-03-01T12:00:00Z"));
  expect(range).toEqual({ from: "2026-02-27", to: "2026-03-01" });
  const rows = [{ day: "2026-02-28", counts: { page_view: 5 } }];
  expect(buildTimeSeries(rows, "page_view", "day", range).map(({ value }) => value)).toEqual([0, 5, 0]);
  const months = buildTimeSeries([{ month: "2026-01", counts: { page_view: 2 } }], "page_view", "month", {
    from: "2025-11-15",
    to: "2026-02-01",
  });
  expect(months).toEqual([
    { at: "2025-11", value: 0 },
    { at: "2025-12", value: 0 },
    { at: "2026-01", value: 2 },
    { at: "2026-02", value: 0 },
  ]);
  expect([0, 4, 5, 11, 50, 51, 999].map(roundTop)).toEqual([4, 4, 5, 20, 50, 80, 1000]);
  const named = sortLargestFirst(
    [
      { counts: { q: 9 } },
      { query: "b", counts: { q: 1 } },
      { query: "a", counts: { q: 3 } },
      { query: "z", counts: {} },
    ],
    "q",
    ({ query }) => query,
  );
  expect(named.map(({ name }) => name)).toEqual(["a", "b", undefined]);
});

describe("translation instructions", () => {
  test("translation instructions round-trip through their document", () => {
    const said = { text: "Be formal.\n\nUse short words.", glossary: [{ term: "space", translation: "Bereich" }] };
    expect(fromDocument(toDocument(said))).toEqual(said);
    expect(toDocument({ text: " \n", glossary: [{ term: "", translation: "x" }] })).toBeUndefined();
    expect(fromDocument(undefined)).toEqual({ text: "", glossary: [] });
  });
});

test("repositories and branches are named as Git names them", () => {
  expect([toBranchRef("main"), toBranchRef(" refs/heads/x "), toBranchName("refs/heads/a/b")]).toEqual([
    "refs/heads/main",
    "refs/heads/x",
    "a/b",
  ]);
  expect(buildRepositoryUrl(" https://g.example/a.git ", "", "")).toBe("https://g.example/a.git");
  const login = new URL(buildRepositoryUrl("https://g.example/a.git", "", "p@s/w:d%"));
  expect([login.username, decodeURIComponent(login.password)]).toEqual(["git", "p@s/w:d%"]);
  expect(buildRepositoryUrl("not an address", "a", "b")).toBe("not an address");
});

test("files become pages with titles", () => {
  expect(deriveTitle("a.md", "---\n# not this\n---\n\n# *The* title #\n")).toBe("The title");
  expect(deriveTitle("a-b.md", "no heading")).toBe("a-b");
  expect(deriveTitle("x.html", "<TITLE>Two</TITLE>")).toBe("Two");
  expect(detectTextKind("x.exe")).toBeUndefined();
  expect(buildPageInsertion("a.md", "# A")).toMatchObject({ document: { markdown: "# A" } });
  expect(buildPageInsertion("a.html", "<p>")).toMatchObject({ document: { markdown: "" } });
});

test("specifications have a name and a state", () => {
  expect(suggestSlug("https://x.example/v1/Pet%20Store.yaml?x=1")).toBe("pet-20store");
  expect(suggestSlug("Pet Store.json")).toBe("pet-store");
  expect(suggestSlug("")).toBe("");
  expect(getSpecState({ processingState: "progress" } as never)).toBe("working");
  expect(getSpecState({ processingState: "complete", lastProcessErrorCode: "PARSE_ERROR" } as never)).toBe("failed");
  expect(getSpecState({ processingState: "complete" } as never)).toBe("ready");
});
