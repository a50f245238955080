// Readers of a site in a real browser, where there is one: the scenes that `npm run test:site` plays, but only the brief ones. What
// can be seen without a browser is looked at everywhere.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browserPath, startBrowser } from "../support/chromium";
import { play, readingScenes, readingStage, type Scene } from "./behaviour";
import { hostileBlocks, hostileMarkdown, hostileScenes, hostileStage } from "./hostile";
import { addresses, texts } from "./hostile-list";
import { runningIn } from "./opened";
import { othersScenes, othersStage } from "./others";
import type { Served } from "./served";
import { visitorScenes, visitorStage } from "./visitors";

const path = browserPath();
if (path === undefined)
  console.warn("Sites are not read in a browser: there is none. Install chromium, or set CHROMIUM.");

describe.skipIf(path === undefined)("in a browser", () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startBrowser(path!);
  });

  afterAll(() => browser?.close());

  async function playBrief<Stage extends Served>(stage: Stage, scenes: readonly Scene<Stage>[]): Promise<void> {
    try {
      const brief = scenes.filter(({ isBrief }) => isBrief);
      expect(brief.length).toBeGreaterThan(0);
      expect(await play(brief, stage, browser)).toEqual([]);
    } finally {
      await stage.close();
    }
  }

  test("in a browser, readers search, choose a theme, and read without JavaScript", async () => {
    await playBrief(await readingStage(), readingScenes);
  });

  test("in a browser, visitors sign in and see their content", async () => {
    await playBrief(await visitorStage(), visitorScenes);
  });

  test("in a browser, integration blocks react and operations are tried", async () => {
    await playBrief(await othersStage(), othersScenes);
  });

  test("in a browser, nothing of a hostile author runs", async () => {
    await playBrief(await hostileStage(), hostileScenes);
  });
});

test("nothing in the markup of hostile pages would run", async () => {
  const stage = await hostileStage();
  try {
    for (let i = 0; i < texts.length; i += 12) {
      const [text, address] = [texts[i]!, addresses[i % addresses.length]!];
      const written = [
        await stage.write({ title: text, blocks: hostileBlocks(text, address), more: { description: text } }),
        await stage.write({ title: text, markdown: hostileMarkdown(text, address) }),
      ];
      for (const { path } of written) {
        const response = await fetch(`${stage.url}/${path}`);
        expect(response.status).toBe(200);
        // The icon of a site that has none is an address without anything behind it.
        const shown = (await response.text()).replace('<link rel="icon" href="data:,">', "");
        expect(runningIn(shown)).toEqual([]);
      }
    }
  } finally {
    await stage.close();
  }
});

test("credentials in the address go into a cookie that applies to the first page too", async () => {
  const stage = await visitorStage();
  try {
    const { url } = await stage.site({ visibility: "public" });
    const response = await fetch(`${url}?visitor.isGuest=true&a=1`, { redirect: "manual" });
    const { pathname } = new URL(url);
    expect(response.headers.get("location")).toBe(`${url}?a=1`);
    expect(response.headers.get("set-cookie")).toContain(`; Path=${pathname};`);
  } finally {
    await stage.close();
  }
});
