// The console in a real browser, where there is one: somebody writes, somebody else writes to the same page, and what both
// wrote is proposed and merged. `npm run test:console` plays more.

import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { browserPath, startBrowser } from "../support/chromium";
import { playPublishing } from "./publishing-scene";
import { playScene } from "./scenes";
import { type ConsoleStage, consoleStage } from "./stage";

const path = browserPath();
if (path === undefined)
  console.warn("The console is not opened in a browser: there is none. Install chromium, or set CHROMIUM.");

describe.skipIf(path === undefined)("in a browser", () => {
  let browser: Browser;
  let stage: ConsoleStage;

  beforeAll(async () => {
    browser = await startBrowser(path!);
    stage = await consoleStage();
  });

  afterAll(async () => {
    await browser?.close();
    await stage?.close();
  });

  test("a page is written, changed by another person, proposed and merged", async () => {
    assert.deepEqual(await playScene("write", stage, browser), []);
  });

  test("a site is created, previewed before it is saved, published, measured and given feedback", async () => {
    assert.deepEqual(await playPublishing(stage, browser), []);
  });

  test("an organization is administered", async () => {
    // The browser tells of what was refused on purpose, and of what is asked for once more when it was just deleted.
    const complaints = await playScene("run", stage, browser);
    assert.deepEqual(
      complaints.filter((it) => !/status of 40[04]/.test(it)),
      [],
    );
  });

  test("a lost connection, an expired session, a stale edit and a lost permission or page lose no text", async () => {
    const complaints = await playScene("nothingIsLost", stage, browser);
    // What the server could not be asked, or refused, browsers write into their console.
    assert.deepEqual(
      complaints.filter((it) => !it.startsWith("Failed to load resource")),
      [],
    );
  });

  test("content of a hostile author never runs, and the browser holds no token", async () => {
    const complaints = await playScene("hostile", stage, browser);
    // The policy refuses what the scene tries, and pictures of other hosts are not to be had there.
    assert.deepEqual(
      complaints.filter((it) => !/Trusted|trusted-types|Content Security Policy|Failed to load resource/.test(it)),
      [],
    );
  });
});
