// Looks at the sample site in a browser: every page, light and dark, on a phone and on a wide screen, with every rule of
// accessibility; markup that a validator accepts; nothing that moves while it loads; nothing that the policy blocks; and what
// a page weighs.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { HtmlValidate } from "html-validate";
import type { Browser, Page } from "playwright-core";
import { checked } from "../openapi/reference/look";

const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };
type Screen = keyof typeof screens;
type Scheme = "light" | "dark";

export const allLooks: readonly (readonly [Screen, Scheme])[] = [
  ["phone", "light"],
  ["phone", "dark"],
  ["desktop", "light"],
  ["desktop", "dark"],
];

export interface Looked {
  /** What is wrong, one line each. */
  readonly wrong: string[];
  /** How many rules the pages passed. */
  readonly passes: number;
  readonly pages: number;
  readonly weights: readonly Weight[];
}

/** What a page loads from its own site: compressed bytes, and requests. */
export interface Weight {
  readonly path: string;
  readonly bytes: number;
  readonly requests: number;
}

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

/** Looks at pages below an address. With a folder, pictures are left there. */
export async function lookAt(
  browser: Browser,
  url: string,
  paths: readonly string[],
  looks: readonly (readonly [Screen, Scheme])[],
  folder?: string,
): Promise<Looked> {
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const wrong: string[] = [];
  const weights: Weight[] = [];
  let passes = 0;
  for (const path of paths) wrong.push(...(await validated(url + path)).map((it) => `${path || "/"}: ${it}`));
  for (const [screen, colorScheme] of looks) {
    const context = await browser.newContext({ viewport: screens[screen], colorScheme });
    for (const path of paths) {
      const at = `${path || "/"} (${screen}, ${colorScheme})`;
      const page = await context.newPage();
      const complain = (text: string) => void wrong.push(`${at}: ${text}`);
      page.on("console", (message) => {
        if (message.type() === "error" && !message.text().includes("404")) complain(message.text());
      });
      page.on("pageerror", (error) => complain(error.message));
      const loaded = weighing(page);
      await page.addInitScript(watchShifts);
      await page.goto(url + path, { waitUntil: "networkidle" });
      const shift = await page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
      if (shift > 0) complain(`moved by ${shift} while it loaded`);
      const found = await checked(page);
      found.wrong.map(complain);
      passes += found.passes;
      if (screen === "desktop" && colorScheme === "light") weights.push({ path: path || "/", ...(await loaded()) });
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `${nameOf(path)}-${screen}-${colorScheme}.png`), fullPage: true });
      await page.close();
    }
    await context.close();
  }
  return { wrong, passes, pages: paths.length, weights };
}

const nameOf = (path: string) => path.replace(/[^a-zA-Z0-9]+/g, "-").replace(/^-/, "") || "home";

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
