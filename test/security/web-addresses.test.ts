// URLs of others are parsed within bounds, wherever they come from: a long host takes a runtime the square of its length.

import { readdir, readFile } from "node:fs/promises";
import * as v from "valibot";
import { beforeAll, describe, expect, test } from "vitest";
import { urlSchema, WebUrl } from "../../src/operation/common-schemas";
import { MAX_HOST_LENGTH, MAX_URL_LENGTH, parseUrl, tryParseUrl } from "../../src/utils/url";

/** A host of many different letters, which is what takes long. */
const host = (length: number) =>
  Array.from({ length }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join("");

describe("overlong host names", () => {
  const long = host(60_000);
  /** What the runtime takes for a host of a quarter of the length. For all of it, it takes fourteen times as long. */
  let parsingMs: number;
  beforeAll(() => {
    parsingMs = costOf(() => URL.canParse(`https://${host(16_000)}/`));
  });
  const spellings: Readonly<Record<string, readonly [url: string, base?: string]>> = {
    "as it is": [`https://${long}/`],
    "behind a name and a password": [`https://a:b@${long}/`],
    "with backslashes": [`https:\\\\${long}\\`],
    "with one slash": [`https:/${long}`],
    "with many slashes": [`https://////${long}`],
    "without slashes": [`https:${long}`],
    "without a scheme": [`//${long}/x`, "https://a.example/"],
    "with backslashes and without a scheme": [`\\\\${long}`, "https://a.example/"],
    "with line breaks": [` h\ntt\tps:/\r/${long}`],
    "with line breaks between slashes": [`/\n/${long}`, "https://a.example/"],
    "in capitals": [`HTTPS://${long}`],
    "in other schemes that have hosts": [`ws://${long}`],
    "of a file": [`file://${long}/x`],
    "in the base": ["x", `https://${long}/`],
  };
  test.each(Object.entries(spellings))("a URL whose host is too long is rejected quickly: %s", (_, [url, base]) => {
    expect(costOf(() => expect(tryParseUrl(url, base)).toBeUndefined())).toBeLessThan(parsingMs);
    expect(() => parseUrl(url, base)).toThrow(new TypeError("Invalid URL"));
  });

  test("a URL that is long in its path, query or password is accepted", () => {
    const path = "x".repeat(MAX_URL_LENGTH - 100);
    expect(tryParseUrl(`https://a.example/${path}`)?.pathname).toBe(`/${path}`);
    expect(tryParseUrl(`?${path}`, "https://a.example/")?.search).toBe(`?${path}`);
    expect(tryParseUrl(`https://a:${"x".repeat(1000)}@a.example/`)?.hostname).toBe("a.example");
    expect(tryParseUrl(`/${host(1000)}/`, "https://a.example/")).toBeDefined();
    expect(tryParseUrl(`mailto:${"x".repeat(1000)}@a.example`)).toBeDefined();
  });

  test("a parsed URL can be parsed again", () => {
    for (const length of [1, 20, 80, MAX_HOST_LENGTH, MAX_HOST_LENGTH + 1]) {
      const href = tryParseUrl(`https://${host(length)}/`)?.href;
      if (href !== undefined) expect(tryParseUrl(href)?.href).toBe(href);
    }
    expect(tryParseUrl(`https://${host(80)}/`)).toBeDefined();
  });

  test("request schemas reject a URL whose host is too long", () => {
    for (const shape of [WebUrl, v.pipe(v.string(), urlSchema("Expected a URL"))])
      expect(costOf(() => expect(v.is(shape, `https://${long}/`)).toBe(false))).toBeLessThan(parsingMs);
    expect(v.is(WebUrl, "https://a.example/x")).toBe(true);
  });

  test("control: a runtime takes long to parse such a URL", () => {
    expect(costOf(() => URL.canParse(`https://${host(16_000)}/`))).toBeGreaterThan(
      20 * costOf(() => tryParseUrl(`https://${host(16_000)}/`)),
    );
  });
});

/** Processor time in milliseconds. */
function costOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Who parses without a bound, and why that is no harm. */
const exceptions: Readonly<Record<string, string>> = {
  "src/utils/url.ts": "it has the bound",
  "src/api/environment.ts": "what the host application says in its options",
  "src/client/client.ts": "what the host application says in its options",
  "src/translators/requests.ts": "what the host application says in its options",
  "src/node/egress/allow-list.ts": "what the host application says in its options",
  "src/site/browser/index.ts": "runs in the reader's browser, on the URL of the exported search index",
  "src/site/browser/search-dialog.ts": "runs in the reader's browser, on URLs of the exported search index",
  "src/site/built/full.ts": "built from src/site/browser",
  "src/site/built/script.ts": "built from src/site/browser",
};

describe("direct URL parsing", () => {
  const bare = /\bnew URL\(|\bURL\.(?:canParse|parse)\b|\bv\.url\b/;

  test("no code in src parses URLs in another way", async () => {
    const root = new URL("../../", import.meta.url);
    const names = await readdir(new URL("src", root), { recursive: true });
    const files = names.filter((name) => name.endsWith(".ts") && !name.startsWith("sandbox/built/"));
    const found: string[] = [];
    for (const name of files)
      if (bare.test(await readFile(new URL(`src/${name}`, root), "utf8"))) found.push(`src/${name}`);
    expect(found.filter((file) => !(file in exceptions) && file !== "src/operation/common-schemas.ts").sort()).toEqual(
      [],
    );
    expect(Object.keys(exceptions).filter((file) => !found.includes(file))).toEqual([]);
  });

  test.each(["new URL(text)", "URL.canParse(text)", "URL.parse(text)", "v.pipe(v.string(), v.url())"])(
    "direct URL parsing is detected: %s",
    (code) => {
      expect(bare.test(code)).toBe(true);
    },
  );
});
