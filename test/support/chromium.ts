// A browser on this machine: where it is, and how somebody opens it.

import { accessSync, constants } from "node:fs";
import { env } from "node:process";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from "playwright-core";

const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** Returns the path of a browser: what CHROMIUM says, else the usual places. */
export function browserPath(): string | undefined {
  return [env.CHROMIUM ?? "", ...places].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return path !== "";
    } catch {
      return false;
    }
  });
}

/** Starts a browser. Whoever starts it closes it. */
export async function startBrowser(path: string): Promise<Browser> {
  return chromium.launch({ executablePath: path, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page as somebody new, and closes it afterwards. */
export async function reading<Result>(
  browser: Browser,
  options: BrowserContextOptions,
  act: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(120_000);
  try {
    return await act(await context.newPage(), context);
  } finally {
    await context.close();
  }
}
