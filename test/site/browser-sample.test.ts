// The sample site in a browser: every page, light and dark, on a phone and on a wide screen, with every rule of accessibility;
// markup that a validator accepts; nothing that moves while it loads; nothing that the policy blocks; and what a page weighs.

import { gzipSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../support/in-browser";
import { checkPage, screens, takePicture } from "../support/look";
import { isLongRun } from "../support/test-length";
import { samplePaths, sampleStage } from "./sample-stage";

const validator = new HtmlValidate({
  extends: ["html-validate:standard"],
  rules: {
    // Our own style of writing: attributes in lower case, no white space that nobody sees.
    "no-trailing-whitespace": "off",
    "no-inline-style": "error",
    "long-title": "off",
    // The style of the site's own colours stands in the page, named by its digest in the policy.
    "element-required-content": "error",
  },
});

describeInBrowser(sampleStage, (open) => {
  test.runIf(isLongRun)("every page of the sample site is valid, accessible and still while it loads", async () => {
    const { browser, stage } = open();
    const wrong: string[] = [];
    let passes = 0;
    for (const path of samplePaths)
      wrong.push(...(await validated(stage.url + path)).map((it) => `${path || "/"}: ${it}`));
    for (const [screen, viewport] of Object.entries(screens))
      for (const colorScheme of ["light", "dark"] as const) {
        const context = await browser.newContext({ viewport, colorScheme });
        for (const path of samplePaths) {
          const at = `${path || "/"} (${screen}, ${colorScheme})`;
          const page = await context.newPage();
          page.on("console", (message) => {
            if (message.type() === "error" && !message.text().includes("404")) wrong.push(`${at}: ${message.text()}`);
          });
          page.on("pageerror", (error) => wrong.push(`${at}: ${error.message}`));
          const loaded = weighing(page);
          await page.addInitScript(watchShifts);
          await page.goto(stage.url + path, { waitUntil: "networkidle" });
          const shift = await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
          if (shift > 0) wrong.push(`${at}: moved by ${shift} while it loaded`);
          const seen = await checkPage(page);
          wrong.push(...seen.wrong.map((it) => `${at}: ${it}`));
          passes += seen.passes;
          if (screen === "desktop" && colorScheme === "light") {
            const { bytes, requests } = await loaded();
            console.info(`${path || "/"}: ${(bytes / 1024).toFixed(1)} KB gzipped, ${requests} requests`);
          }
          const name = path.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-/, "") || "home";
          await takePicture(page, `${name}-${screen}-${colorScheme}`, true);
          await page.close();
        }
        await context.close();
      }
    expect(wrong).toEqual([]);
    expect(passes).toBeGreaterThan(samplePaths.length * 4 * 20);
  });
});

/** What the validator says of a page. */
async function validated(address: string): Promise<string[]> {
  const text = await (await fetch(address)).text();
  const report = await validator.validateString(text);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line }) => `${ruleId}: ${message} (line ${line})`),
  );
}

/** Runs in the page before anything else. */
function watchShifts(): void {
  const seen = globalThis as unknown as { shifted: number };
  seen.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
      if (!entry.hadRecentInput) seen.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}

/** Counts what a page loads, but for files that authors put there. */
function weighing(page: Page): () => Promise<{ bytes: number; requests: number }> {
  const bodies: Promise<Buffer>[] = [];
  page.on("response", (response) => {
    const type = response.headers()["content-type"] ?? "";
    if (/html|css|javascript|font|json/.test(type)) bodies.push(response.body().catch(() => Buffer.alloc(0)));
  });
  return async () => {
    const loaded = await Promise.all(bodies);
    return { bytes: loaded.reduce((sum, body) => sum + gzipSync(body).length, 0), requests: loaded.length };
  };
}
