// Tests in a real browser, where there is one. Elsewhere they are left out, and the output says so.

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { browserPath, startBrowser } from "./chromium";

/** Defines tests that share a browser, and what is opened in it: `stage` makes that once, and it is closed at the end. */
export function describeInBrowser<Stage extends { readonly close: () => Promise<void> }>(
  makeStage: () => Promise<Stage>,
  define: (open: () => { readonly browser: Browser; readonly stage: Stage }) => void,
): void {
  const path = browserPath();
  if (path === undefined)
    console.warn("Tests are left out, as there is no browser: install chromium, or set CHROMIUM.");
  describe.skipIf(path === undefined)("in a browser", () => {
    let browser: Browser;
    let stage: Stage;
    beforeAll(async () => {
      browser = await startBrowser(path!);
      stage = await makeStage();
    });
    afterAll(async () => {
      await browser?.close();
      await stage?.close();
    });
    define(() => ({ browser, stage }));
  });
}
