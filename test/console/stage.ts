// The console on a server of this machine, with an admin who can sign in, for tests with a browser. In long runs they look at the
// pages that they reach: every rule of accessibility, light and dark, on a phone and on a wide screen; nothing wider than the
// screen; one heading of the first rank.

import type { DocsApiOptions } from "octavo";
import { createConsole } from "octavo/console";
import { createSignIn, type SignIn } from "octavo/sign-in";
import { createSite } from "octavo/site";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { serveApi } from "../site/served";
import { checkPage, screens, takePicture } from "../support/look";
import { PATIENCE_MS } from "../support/patience";
import { isLongRun } from "../support/test-length";

export type ConsoleStage = Awaited<ReturnType<typeof consoleStage>>;

export async function consoleStage(options: DocsApiOptions = {}) {
  let signIn!: SignIn;
  const served = await serveApi(options, (api) => {
    signIn = createSignIn(api, { home: "/" });
    return createSite(api, { fallback: createConsole(api, { fallback: signIn }) });
  });
  return { ...served, signIn };
}

/** Opens a page as somebody who has signed in. What the browser complains about is kept. */
export async function signedIn(
  stage: ConsoleStage,
  context: BrowserContext,
  complaints: string[],
  user = stage.user,
): Promise<Page> {
  const page = await context.newPage();
  // Ends before the test does, so that the step which hangs is named.
  page.setDefaultTimeout(PATIENCE_MS / 5);
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(await stage.signIn.createSignInLink(user));
  await page.locator("form button").first().click();
  // The only organization of a user is opened at once.
  await page.waitForURL((url) => url.pathname === "/" || url.pathname.startsWith("/o/"));
  return page;
}

/** Lets the admin act in a browser. Gives what the browser complained about. */
export async function playAsAdmin(
  stage: ConsoleStage,
  browser: Browser,
  act: (page: Page, complaints: string[]) => Promise<void>,
): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  try {
    await act(await signedIn(stage, context, complaints), complaints);
    return complaints;
  } finally {
    await context.close();
  }
}

/** Called at every page that is worth a look, with a name for it. */
export type OnPage = (page: Page, name: string) => Promise<void>;

/** A wide screen at 400 %. */
const NARROW = { width: 320, height: 256 };
const WIDE = { width: 1280, height: 800 };

/** Looks at pages in long runs, each left as it was, and tells what is wrong with them. */
export function watchPages(): { readonly wrong: string[]; readonly onPage: OnPage } {
  const wrong: string[] = [];
  async function onPage(page: Page, name: string): Promise<void> {
    if (!isLongRun) return;
    for (const [screen, size] of Object.entries({ desktop: WIDE, phone: screens.phone, narrow: NARROW }))
      for (const colorScheme of screen === "narrow" ? (["light"] as const) : (["light", "dark"] as const)) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        // What is scrolled half behind the bar at the top is not small, and pictures begin at the top.
        await page.evaluate(() => scrollTo(0, 0));
        // Frames of content are judged by the tests of the reader, and nothing runs in them.
        const seen = await checkPage(page, ["iframe"], { rules: { "target-size": { enabled: true } }, iframes: false });
        const { headings, language } = await page.evaluate(() => ({
          headings: document.querySelectorAll("h1").length,
          language: document.documentElement.lang,
        }));
        if (headings !== 1) seen.wrong.push(`${headings} headings of the first rank`);
        if (language === "") seen.wrong.push("no language");
        wrong.push(...seen.wrong.map((it) => `${name} (${screen}, ${colorScheme}): ${it}`));
        await takePicture(page, `${name}-${screen}-${colorScheme}`, screen !== "narrow");
      }
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
  }
  return { wrong, onPage };
}
