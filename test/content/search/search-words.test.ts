// The words by which a text is found: spellings of one word, scripts without spaces, code, and typing errors.

import { describe, expect, test } from "vitest";
import { createSearchIndex } from "../../../src/content/search";
import { listInflections, parseQuery } from "../../../src/content/search/query";
import { analyzeRange, foldWord, MAX_WORD_LENGTH, type WordVisitor } from "../../../src/content/search/words";

function finds(text: string, query: string): boolean {
  const index = createSearchIndex();
  index.put({ id: "page", title: "Untitled", sections: [{ text }] });
  index.put({ id: "other", title: "Something else", sections: [{ text: "Nothing of this kind is here." }] });
  return index.search(query, 10).hits[0]?.id === "page";
}

function wordsIn(text: string): string[] {
  const words: string[] = [];
  const visitor: WordVisitor = {
    visitWord(parts, wholes) {
      words.push(...parts, ...wholes.map(({ term }) => `(${term})`));
    },
    visitRun: (characters) => words.push(`[${characters.join("|")}]`),
    visitSymbol: (sign) => words.push(`<${sign}>`),
  };
  analyzeRange(text, visitor, 0, text.length);
  return words;
}

describe("folding", () => {
  test.each([
    ["Crème Brûlée", "cremebrulee"],
    ["Straße", "strasse"],
    ["STRAẞE", "strasse"],
    ["İstanbul", "istanbul"],
    ["ılık", "ilik"],
    ["Ｆｕｌｌ", "full"],
    ["ﬁle", "file"],
    ["Œuvre", "oeuvre"],
    ["Ærø", "aero"],
    ["Łódź", "lodz"],
    ["Đà", "da"],
    ["Ὀδυσσεύς", "οδυσσευσ"],
    ["Ёлка", "елка"],
    ["Йод", "йод"],
    ["soft\u00adhyphen", "softhyphen"],
    ["e\u0301te\u0301", "ete"],
    ["𝐁𝐨𝐥𝐝", "bold"],
    ["مُحَمَّد", "محمد"],
    ["हिन्दी", "हिन्दी"],
    ["がぎぐ", "がぎぐ"],
  ])("%s and %s fold to the same word", (written, folded) => {
    expect(foldWord(written).replaceAll(" ", "")).toBe(folded);
  });
});

describe("words", () => {
  test.each([
    ["createDocsApi", ["create", "docs", "api", "(createdocsapi)"]],
    ["HTTPServer", ["http", "server", "(httpserver)"]],
    ["snake_case", ["snake", "case", "(snakecase)"]],
    ["SCREAMING_SNAKE", ["screaming", "snake", "(screamingsnake)"]],
    ["kebab-case", ["kebab", "case", "(kebabcase)"]],
    ["api.example.com", ["api", "example", "com", "(apiexamplecom)"]],
    ["client.listDocuments", ["client", "list", "documents", "(listdocuments)", "(clientlistdocuments)"]],
    ["v1.2.3", ["1.2.3", "(v1.2.3)"]],
    ["2024-01-15", ["2024.01.15"]],
    ["192.168.0.1", ["192.168.0.1"]],
    [
      "/orgs/{organizationId}/members?limit=5",
      ["orgs", "organization", "id", "(organizationid)", "members", "limit", "5"],
    ],
    ["l'API", ["api", "(lapi)"]],
    ["the page’s title", ["the", "page", "(pages)", "title"]],
    ["e-mail", ["mail", "(email)"]],
    ["C++ and C#", ["c", "(c++)", "and", "c", "(c#)"]],
    ["utf8 S3 x", ["utf8", "s3", "x"]],
    ["end. Next... --flag 'quoted'", ["end", "next", "flag", "quoted"]],
    ["API設定", ["api", "[設|定]"]],
    ["한국어 문서", ["[한|국|어]", "[문|서]"]],
    ["ﾄｰｸﾝ", ["[ト|ー|ク|ン]"]],
    ["\u1112\u1161\u11ab", ["[한]"]],
    ["𠮷野家", ["[𠮷|野|家]"]],
    ["\ud800 \u0301\u0302 ... 👨‍👩‍👧 ", []],
  ])("the words of %s are found", (text, words) => {
    expect(wordsIn(text)).toEqual(words);
  });

  test("a word that is too long is cut, and never within a character", () => {
    expect(wordsIn("a".repeat(1000))).toEqual(["a".repeat(MAX_WORD_LENGTH)]);
    const words = wordsIn(`a${"𐐨".repeat(100)}`);
    expect(words).toHaveLength(1);
    expect(words[0]!.length).toBeLessThanOrEqual(MAX_WORD_LENGTH);
    expect(words[0]).not.toMatch(/\p{Surrogate}/u);
  });
});

describe("long texts without spaces", () => {
  test.each([
    ["of common characters", 0x4e00],
    ["of characters that take two units", 0x20000],
  ])("%s is found by any two adjacent characters", (_, first) => {
    const characters = Array.from({ length: 1000 }, (_, at) => String.fromCodePoint(first + at));
    const index = createSearchIndex();
    index.put({ id: "page", title: "x", sections: [{ text: characters.join("") }] });
    const lost = characters
      .slice(1)
      .filter((character, at) => index.search(characters[at]! + character, 1).total === 0);
    expect(lost).toEqual([]);
  });
});

describe("spelling variants", () => {
  test.each([
    ["We serve crème brûlée.", "creme"],
    ["Die Größe der Straße", "GROSSE STRASSE"],
    ["Περί ασφάλειας", "ασφαλειας"],
    ["Всё ещё учёт", "учет"],
    ["İzmir", "izmir"],
    ["call createDocsApi(storage)", "docs"],
    ["call createDocsApi(storage)", "create docs"],
    ["call createDocsApi(storage)", "createDocsApi"],
    ["call createDocsApi(storage)", "createdocsapi"],
    ["call createDocsApi(storage)", "create_docs_api"],
    ["call create_docs_api", "createDocsApi"],
    ["max_page_size", "page-size"],
    ["see api.example.com", "example.com"],
    ["since v1.2.3", "1.2.3"],
    ["since 1.2.3", "v1.2.3"],
    ["GET /v1/orgs/{organizationId}/teams", "/orgs/{organizationId}/teams"],
    ["written in C++ mostly", "c++"],
    ["your e-mail address", "email"],
    ["your email address", "e-mail"],
    ["webhooks arrive", "web hook"],
    ["user's choice", "user"],
    ["全文検索エンジンを使う", "検索"],
    ["全文検索エンジンを使う", "エンジン"],
    ["全文検索エンジンを使う", "索"],
    ["数据库的备份", "备份"],
    ["数据库的备份", "库"],
    ["사용자문서를 검색합니다", "문서"],
    ["사용자문서를 검색합니다", "검색"],
    ["\u1106\u116e\u11ab\u1109\u1165", "문서"],
    ["ｶﾀｶﾅ", "カタカナ"],
    ["เอกสารประกอบ", "ประกอบ"],
    ["Full-width ＡＰＩ", "api"],
  ])("%s is found by %s", (text, query) => {
    expect(finds(text, query)).toBe(true);
  });
});

describe("incomplete and misspelled words", () => {
  test.each([
    ["configuration", "conf"],
    ["configuration", "c"],
    ["environment variables", "environment var"],
    ["environment variables", "env variables"],
    ["token", "tokn"],
    ["token", "tokken"],
    ["token", "tokem"],
    ["token", "tkoen"],
    ["email", "eamil"],
    ["kubernetes", "jubernetes"],
    ["authentication", "autentcation"],
    ["authentication", "authnetic"],
    ["documents", "document"],
    ["policy", "policies"],
    ["deploying", "deployed"],
    ["running", "run"],
  ])("%s is found by %s while it is typed or misspelled", (text, query) => {
    expect(finds(text, query)).toBe(true);
  });

  test.each([
    ["the word is short", "cat", "car"],
    ["two letters of a short word are wrong", "token", "tikan"],
    ["three letters of a long word are wrong", "authentication", "oothintication"],
    ["a number is another number", "2024", "2023"],
    ["a version is another version", "10.20.30", "10.20.31"],
    ["it ends alike", "documentation", "mentation"],
  ])("a misspelled word is not found when %s", (_, text, query) => {
    expect(finds(text, query)).toBe(false);
  });

  test("word forms are found only for English words", () => {
    expect(listInflections("token")).toContain("tokens");
    expect(listInflections("policies")).toContain("policy");
    expect(listInflections("stopped")).toEqual(expect.arrayContaining(["stop", "stops", "stopping"]));
    expect(listInflections("created")).toEqual(expect.arrayContaining(["create", "creating"]));
    expect(listInflections("классы")).toEqual([]);
    expect(listInflections("v2")).toEqual([]);
  });
});

describe("queries", () => {
  test("at most sixteen terms of the first 512 characters count", () => {
    expect(parseQuery(Array.from({ length: 50 }, (_, index) => `word${index}`).join(" "))).toHaveLength(16);
    expect(parseQuery(`${" ".repeat(512)}word`)).toEqual([]);
  });

  test("stop words count only if there are no other words", () => {
    const needed = (query: string) =>
      parseQuery(query)
        .filter((wanted) => wanted.isRequired)
        .map(({ term }) => term);
    expect(needed("how do I rotate the token")).toEqual(["rotate", "token"]);
    expect(needed("who is it")).toEqual(["who", "is", "it"]);
    expect(needed("データベースの設定")).not.toContain("スの");
  });

  test("a query without words finds nothing", () => {
    const index = createSearchIndex();
    index.put({ id: "page", title: "Page", sections: [] });
    for (const query of ["", "   ", "…!?", "\u0000", "\ud800", "👍"]) {
      expect(index.search(query, 10)).toMatchObject({ total: 0, hits: [] });
    }
  });
});
