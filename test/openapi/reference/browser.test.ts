// The reference in a real browser, where there is one. Elsewhere test/openapi/reference/dom.test.ts has what can be checked without.

import { expect, test } from "vitest";
import { browserPath, startBrowser } from "../../support/chromium";
import { fewViews, look } from "./look";

const path = browserPath();
if (path === undefined)
  console.warn("The reference is not looked at in a browser: there is none. Install chromium, or set CHROMIUM.");

test.skipIf(path === undefined)(
  "in a browser, the reference passes all accessibility rules and its operations can be tried",
  async () => {
    const browser = await startBrowser(path!);
    try {
      const { wrong, passes } = await look(browser, fewViews);
      expect(wrong).toEqual([]);
      expect(passes).toBeGreaterThan(fewViews.length * 20);
    } finally {
      await browser.close();
    }
  },
);
