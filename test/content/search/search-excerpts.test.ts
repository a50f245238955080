// The sections that a hit shows, and the excerpts of their text.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSearchIndex, type SearchSection, type SectionHit } from "../../../src/content/search";
import { isCutAllowed } from "../../../src/content/search/excerpts";

function sectionsFor(query: string, ...sections: readonly SearchSection[]): SectionHit[] {
  const index = createSearchIndex();
  index.put({ id: "page", title: "Page", sections });
  return index.search(query, 1).findSections(sections);
}

const prose = "Nothing to be seen here but some words that go on for a while. ".repeat(20);

describe("sections", () => {
  test("matching sections come best first with their anchors and titles, and others are omitted", () => {
    const shown = sectionsFor(
      "rusty anchor",
      { text: "An anchor, at first." },
      { anchor: "b", title: "Elsewhere", text: "Nothing." },
      { anchor: "c", title: "Both", text: "A rusty old anchor." },
      { anchor: "d", title: "Anchor", text: "Made of iron." },
    );
    expect(shown).toEqual([
      { anchor: "c", title: "Both", excerpt: "A rusty old anchor." },
      { anchor: "d", title: "Anchor", excerpt: "Made of iron." },
      { excerpt: "An anchor, at first." },
    ]);
  });

  test("at most five sections are shown", () => {
    const many = Array.from({ length: 12 }, (_, at) => ({ anchor: `${at}`, text: "an anchor" }));
    expect(sectionsFor("anchor", ...many).map(({ anchor }) => anchor)).toEqual(["0", "1", "2", "3", "4"]);
  });

  test("a page that matches only in its title shows no section", () => {
    expect(sectionsFor("page", { text: "Something." })).toEqual([]);
  });

  test("a section that matches in its title shows how its text begins", () => {
    const [shown] = sectionsFor("anchor", { title: "Anchor", text: prose });
    expect(shown!.excerpt).toMatch(/^Nothing to be seen here.*…$/);
  });

  test.each([
    ["a prefix", "anch", "the anchorage"],
    ["a slip of the pen", "ancohrage", "the anchorage"],
    ["another form", "anchors", "the anchor"],
    ["a part of a compound", "docs", "the createDocsApi"],
    ["another spelling", "uber", "the über"],
    ["characters without spaces", "检索", "全文检索引擎"],
  ])("%s is found in the text as in the index", (_, query, words) => {
    const [shown] = sectionsFor(query, { text: `${prose}${words} ${prose}` });
    expect(shown!.excerpt).toContain(words);
  });

  test("only the beginning of a very long page is scanned", () => {
    const far = { anchor: "far", text: "An anchor." };
    expect(sectionsFor("anchor", { text: "word ".repeat(10_000) }, far)).toHaveLength(1);
    expect(sectionsFor("anchor", { text: "word ".repeat(30_000) }, far)).toHaveLength(0);
  });
});

describe("excerpts", () => {
  test("an excerpt surrounds the place where most of the words are", () => {
    const [shown] = sectionsFor("rusty anchor", { text: `An anchor. ${prose}A rusty iron anchor lay there. ${prose}` });
    expect(shown!.excerpt).toContain("A rusty iron anchor lay there.");
  });

  test("an excerpt has about 200 characters, whole words, and an ellipsis where text is omitted", () => {
    const text = `${prose}An anchor lay there. ${prose}`;
    const { excerpt } = sectionsFor("anchor", { text })[0]!;
    expect(excerpt.length).toBeGreaterThan(150);
    expect(excerpt.length).toBeLessThanOrEqual(202);
    expect(excerpt).toMatch(/^….*…$/);
    const words = excerpt.slice(1, -1).split(" ");
    expect(text.split(" ")).toEqual(expect.arrayContaining(words));
  });

  test("a short text is its own excerpt on one line", () => {
    expect(sectionsFor("anchor", { text: "  An\n\n\tanchor  " })[0]!.excerpt).toBe("An anchor");
  });

  test("an excerpt is cut between characters where there are no spaces", () => {
    const text = `${"人工知能の研究".repeat(50)}全文検索${"人工知能の研究".repeat(50)}`;
    const { excerpt } = sectionsFor("検索", { text })[0]!;
    expect(excerpt).toContain("全文検索");
    expect(excerpt.length).toBeGreaterThan(150);
    expect(excerpt.length).toBeLessThanOrEqual(202);
  });

  test("an excerpt never splits a grapheme", () => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    const family = fc.constantFrom(..."👨‍👩‍👧‍👦 🇩🇪 🇫🇷 👍🏽 각 가 ᄒ ᆫ ｶﾞ กำ é が क् क्ष ш 語 z 🏴󠁧󠁢󠁥󠁮󠁧󠁿 1️⃣ \r\n 𠮷 مُ".split(" "));
    fc.assert(
      fc.property(fc.array(family, { minLength: 120, maxLength: 250 }), fc.nat(), (characters, seed) => {
        const at = seed % characters.length;
        const text = [...characters.slice(0, at), " anchor ", ...characters.slice(at)].join("");
        const excerpt = sectionsFor("anchor", { text })[0]!.excerpt;
        const whole = Array.from(graphemes.segment(text.replace(/\s+/g, " ")), ({ segment }) => segment);
        const shown = Array.from(graphemes.segment(excerpt.replaceAll("…", "")), ({ segment }) => segment);
        expect(excerpt).toContain("anchor");
        expect(excerpt).not.toMatch(/\p{Surrogate}/u);
        // The first and the last one are where it was cut.
        expect(whole).toContain(shown[0]);
        expect(whole).toContain(shown.at(-1));
      }),
    );
  });

  test("an excerpt may be cut between letters but not before a combining mark", () => {
    const places = (text: string) => Array.from(text, (_, at) => at).filter((at) => isCutAllowed(text, at));
    expect(places("abc")).toEqual([0, 1, 2]);
    expect(places("ae\u0301x")).toEqual([0, 1, 3]);
    expect(places("a👍🏽")).toEqual([0, 1]);
    expect(places("a\r\nb")).toEqual([0, 1, 3]);
  });
});
