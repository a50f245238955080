// How often hosts are asked for embeds, for how long they are waited for, and how long their answers are kept.

import { describe, expect, test } from "vitest";
import { createEmbedDescriber } from "../../../src/ports/embed-describer";
import { DAY, MINUTE, START } from "../../support/setting";

const page = (title: string) => new Response(`<title>${title}</title>`, { headers: { "content-type": "text/html" } });

/** Long enough for an answer that is there, and short for a test that waits. */
const SOON_MS = 500;

/** A way out that counts what is asked, and a clock. */
function stage(answer: (url: string, init: RequestInit) => Response | Promise<Response>, longestMs?: number) {
  const asked: string[] = [];
  const clock = { now: new Date(START).getTime() };
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push(url);
    return answer(url, init);
  }) as typeof globalThis.fetch;
  return { asked, clock, describe: createEmbedDescriber(fetch, () => new Date(clock.now), longestMs) };
}

describe("caching metadata", () => {
  test("the metadata of a URL is cached for a day, whatever fragment the URL has", async () => {
    const { asked, clock, describe } = stage(() => page(`Answer ${asked.length}`));
    expect(await describe("https://a.example/x#one")).toEqual({ title: "Answer 1", site: "a.example" });
    clock.now += DAY - 1;
    expect((await describe("https://a.example/x#two")).title).toBe("Answer 1");
    clock.now += 1;
    expect((await describe("https://a.example/x")).title).toBe("Answer 2");
    expect(asked).toEqual(["https://a.example/x", "https://a.example/x"]);
  });

  test("missing metadata is cached for ten minutes", async () => {
    const { asked, clock, describe } = stage(() => {
      if (asked.length === 1) throw new TypeError("fetch failed");
      return page("Back again");
    });
    expect(await describe("https://www.a.example/x")).toEqual({ title: "a.example", site: "a.example" });
    clock.now += 10 * MINUTE - 1;
    expect((await describe("https://www.a.example/x")).title).toBe("a.example");
    expect(asked).toHaveLength(1);
    clock.now += 1;
    expect((await describe("https://www.a.example/x")).title).toBe("Back again");
  });

  test("simultaneous requests for metadata share one fetch", async () => {
    const { asked, describe } = stage(async () => page("One"));
    const all = await Promise.all(Array.from({ length: 20 }, () => describe("https://a.example/x")));
    expect(new Set(all.map(({ title }) => title))).toEqual(new Set(["One"]));
    expect(asked).toHaveLength(1);
  });
});

test("a few hosts are fetched at once, and requests that would wait too long get a plain link", async () => {
  let running = 0;
  let most = 0;
  let release = () => {};
  const opened = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { asked, describe } = stage(async () => {
    most = Math.max(most, ++running);
    await opened;
    running--;
    return page("Late");
  });
  const all = Array.from({ length: 300 }, (_, i) => describe(`https://a${i}.example/`));
  // Those that found no room answer while all others still wait.
  expect(await all[299]).toEqual({ title: "a299.example", site: "a299.example" });
  release();
  const titles = (await Promise.all(all)).map(({ title }) => title);
  expect(most).toBe(8);
  expect(titles.filter((title) => title === "Late")).toHaveLength(208);
  expect(asked).toHaveLength(208);
  // Nothing was kept of those that were not asked.
  expect((await describe("https://a299.example/")).title).toBe("Late");
});

const aborted = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, reject) => signal!.addEventListener("abort", () => reject(signal!.reason)));

test("without an oEmbed response, the metadata of the page remains", async () => {
  const { describe } = stage(
    async (url, { signal }) =>
      url.endsWith("/oembed")
        ? aborted(signal)
        : new Response("<title>Page</title><link rel=alternate type=application/json+oembed href=/oembed>", {
            headers: { "content-type": "text/html" },
          }),
    2 * SOON_MS,
  );
  expect(await describe("https://a.example/x")).toEqual({ title: "Page", site: "a.example" });
});

describe("slow hosts", () => {
  const hosts: Record<string, (url: string, init: RequestInit) => Promise<Response>> = {
    "never answers": (_, { signal }) => aborted(signal),
    "ignores that it is given up": () => new Promise(() => {}),
    "stops in the middle": async (_, { signal }) => {
      const pull = async (controller: ReadableStreamDefaultController) => {
        controller.enqueue(new TextEncoder().encode("<title>Half"));
        await aborted(signal);
      };
      return new Response(new ReadableStream({ pull }), { headers: { "content-type": "text/html" } });
    },
  };
  test.each(Object.entries(hosts))("a slow host gives a plain link when it %s", async (_, host) => {
    const { describe } = stage(host, SOON_MS);
    expect(await describe("https://slow.example/x")).toEqual({ title: "slow.example", site: "slow.example" });
  });
});

test("a user name and password in the URL are sent nowhere", async () => {
  const { asked, describe } = stage(() => page("Page"));
  await describe("https://ada:hunter2@a.example/x");
  expect(asked).toEqual(["https://a.example/x"]);
});
