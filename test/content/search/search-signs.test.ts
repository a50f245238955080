// Operators and flags: they are words where they stand in code, and nowhere else.

import { describe, expect, test } from "vitest";
import { readSectionsInSteps } from "../../../src/content/markdown/read";
import { createSearchIndex } from "../../../src/content/search";
import { createSectionFinder } from "../../../src/content/search/excerpts";
import { parseQuery } from "../../../src/content/search/query";
import { runStepsSync } from "../../../src/utils/concurrency/steps";

const fence = "```";
const texts = {
  equality: `Compare with \`===\` and never with \`==\`.`,
  inequality: `${fence}js\nif (a!==b) return;\n${fence}`,
  arrows: `${fence}js\nconst f = () => { g(); };\n${fence}`,
  logic: `${fence}js\nif (a && b) c();\n${fence}`,
  spread: `${fence}js\nf(...args);\n${fence}`,
  nullish: `Assign with \`??=\`.`,
  chain: `${fence}js\na?.b;\n${fence}`,
  short: `Run \`tool -c file.json\`.`,
  long: `Run \`tool --fix\`.`,
  several: `Run \`tool --no-color\`.`,
  interpolation: "Write `#{}` around it.",
  prose: "Wait... a -> b, c && d, and fix what the category of candles is.",
};

function indexOfTexts() {
  const index = createSearchIndex();
  for (const [id, text] of Object.entries(texts))
    index.put({ id, title: `Page ${id}`, sections: runStepsSync(readSectionsInSteps(text)) });
  return index;
}

describe("operators", () => {
  const index = indexOfTexts();
  const find = (query: string) => index.search(query, 20).hits.map(({ id }) => id);

  test.each([
    ["===", "equality"],
    ["!==", "inequality"],
    ["=>", "arrows"],
    ["&&", "logic"],
    ["...", "spread"],
    ["??=", "nullish"],
    ["?.", "chain"],
    ["#{}", "interpolation"],
    ["-c", "short"],
  ])("%s finds only the page that contains it in code", (query, page) => {
    expect(find(query)).toEqual([page]);
  });

  test("a flag ranks above the word without its dashes, which is found too", () => {
    expect(find("--fix").slice(0, 2)).toEqual(["long", "prose"]);
    expect(find("--no-color")[0]).toBe("several");
    expect(find("fix").sort()).toEqual(["long", "prose"]);
  });

  test("a word beside an operator is found as before", () => {
    expect(find("compare ===")[0]).toBe("equality");
    expect(parseQuery("a === b").map(({ term }) => term)).toEqual(["a", "===", "b"]);
    expect(parseQuery("what is this?").map(({ term }) => term)).not.toContain("?");
  });

  test("an excerpt shows the place of the operator", () => {
    const sections = runStepsSync(
      readSectionsInSteps(`${"Much else is said here. ".repeat(40)}\n\nThen \`??=\` comes.`),
    );
    const [hit] = index.search("??=", 1).findSections(sections);
    expect(hit!.excerpt).toContain("??=");
  });
});

describe("excerpts", () => {
  const matches = [{ weight: 1, terms: new Map([["needle", 1]]) }];
  const stepsFor = (text: string) => {
    const steps = createSectionFinder(matches)([{ text }]);
    let count = 0;
    for (let next = steps.next(); !next.done; next = steps.next()) count++;
    return count;
  };

  test("only the text around the matches of a long text is analyzed", () => {
    const hay = "hay ".repeat(20_000);
    expect(stepsFor(`${hay} needle`)).toBeLessThanOrEqual(3);
    // The control: a text whose letters are folded is read as a whole.
    expect(stepsFor(`${hay} é needle`)).toBeGreaterThan(6);
  });

  test.each([
    "a Needle in hay",
    "the needle-like thing",
    "hayNeedle() is called",
    "`--needle`",
    "針 needle 干し草",
    "in (needle), and NEEDLE",
  ])("excerpts are the same however the text is read: %s", (text) => {
    const found = (section: string) => runStepsSync(createSectionFinder(matches)([{ text: section }])).length;
    expect(found(text)).toBe(1);
    expect(found(`${text} é`)).toBe(1);
  });
});
