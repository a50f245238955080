// Which addresses the patterns of a block fit.

import { describe, expect, test } from "vitest";
import { matchesUnfurlPattern } from "../../../src/resources/integrations/embeds/unfurl";

const fits = (pattern: string, url: string) => matchesUnfurlPattern([pattern], new URL(url));

describe("URL patterns", () => {
  test.each([
    ["https://cards.example", "https://cards.example/"],
    ["https://cards.example", "https://cards.example/a/b?c=d"],
    ["https://cards.example/", "https://cards.example/a"],
    ["https://Cards.example/A", "https://cards.example/A"],
    ["https://cards.example/a", "https://cards.example/a/b"],
    ["https://cards.example/a", "https://cards.example/a?b"],
    ["https://cards.example/a?id=", "https://cards.example/a?id=7"],
    ["cards.example/a", "http://cards.example/a"],
    ["cards.example:8080", "http://cards.example:8080/a"],
    ["https://*.cards.example/*", "https://my.cards.example/x"],
    ["https://*.cards.example/**", "https://my.own.cards.example/x/y"],
    ["https://cards.example/*/issues/*", "https://cards.example/acme/issues/7"],
    ["*", "https://cards.example/"],
  ])("the pattern %s matches %s", (pattern, url) => {
    expect(fits(pattern, url)).toBe(true);
  });

  test.each([
    ["https://cards.example", "http://cards.example/"],
    ["https://cards.example", "https://cards.example.evil.example/"],
    ["https://cards.example", "https://evil-cards.example/"],
    ["https://cards.example", "https://cards.example:8080/"],
    ["https://cards.example/a", "https://cards.example/ab"],
    ["https://cards.example/a", "https://cards.example/A"],
    ["https://*.cards.example/*", "https://cards.example/x"],
    ["https://*.cards.example/*", "https://evil.example/.cards.example/x"],
    ["https://cards.example/*/issues/*", "https://cards.example/acme/pulls/7"],
    ["https://cards.example/ab*ba", "https://cards.example/aba"],
    ["https://cards.example/a/../b", "https://cards.example/b"],
    ["", "https://cards.example/"],
  ])("the pattern %s does not match %s", (pattern, url) => {
    expect(fits(pattern, url)).toBe(false);
  });
});

test("S39: the maximum number of patterns of an integration costs little, whatever they are", () => {
  const url = new URL(`https://a.example/${"a".repeat(2000)}b`);
  const hostile = ["*a".repeat(250), `*${"a".repeat(250)}c*`, `${"*aaaaaaaab".repeat(50)}`, "a*".repeat(250)];
  const patternsOf = (parts: readonly string[]) =>
    Array.from({ length: 1000 }, (_, i) => `https://a.example/${parts[i % parts.length]}!`);
  const costOf = (patterns: readonly string[]) => {
    const { user } = process.cpuUsage();
    expect(matchesUnfurlPattern(patterns, url)).toBe(false);
    return (process.cpuUsage().user - user) / 1000;
  };
  // Patterns of the same length with one part are read and compared once. Those that go back would take minutes.
  const harmless = costOf(patternsOf(["a".repeat(500)]));
  expect(costOf(patternsOf(hostile))).toBeLessThan(200 * Math.max(harmless, 10));
});
