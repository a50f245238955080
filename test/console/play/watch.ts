// Looks at pages while a play goes on: every rule of accessibility, light and dark, on a phone and on a wide screen; nothing
// wider than the screen; one heading of the first rank. With a folder, pictures are left there.

import { join } from "node:path";
import axe from "axe-core";
import type { Page } from "playwright-core";

const screens = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  // A wide screen at 400 %.
  narrow: { width: 320, height: 256 },
};

export interface Seen {
  readonly name: string;
  readonly rules: number;
  readonly wrong: readonly string[];
}

/** Looks at the page that is open, and leaves it as it was. */
export async function lookAt(page: Page, name: string, folder?: string): Promise<Seen> {
  const wrong: string[] = [];
  let rules = 0;
  for (const [screen, size] of Object.entries(screens))
    for (const colorScheme of screen === "narrow" ? (["light"] as const) : (["light", "dark"] as const)) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // What is scrolled half behind the bar at the top is not small, and pictures begin at the top.
      await page.evaluate(() => scrollTo(0, 0));
      const found = await checked(page);
      rules += found.rules;
      wrong.push(...found.wrong.map((it) => `${name} (${screen}, ${colorScheme}): ${it}`));
      if (folder !== undefined)
        await page.screenshot({
          path: join(folder, `${name}-${screen}-${colorScheme}.png`),
          fullPage: screen !== "narrow",
        });
    }
  await page.setViewportSize(screens.desktop);
  await page.emulateMedia({ colorScheme: "light" });
  return { name, rules, wrong };
}

async function checked(page: Page): Promise<{ readonly wrong: readonly string[]; readonly rules: number }> {
  // Through the protocol of the browser: the policy of the page lets no script of ours in. Frames of content are judged by
  // the tests of the reader, and nothing runs in them.
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run(
      {
        // Documents of previews run no script, so the rules cannot be run in them.
        exclude: [["iframe"]],
      } as never,
      { rules: { "target-size": { enabled: true } }, iframes: false },
    ),
  );
  const layout = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    headings: document.querySelectorAll("h1").length,
    language: document.documentElement.lang,
  }));
  return {
    wrong: [
      ...violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} of ${nodes[0]?.html}`),
      ...(layout.overflow > 0 ? [`wider than the screen by ${layout.overflow} pixels`] : []),
      ...(layout.headings === 1 ? [] : [`${layout.headings} headings of the first rank`]),
      ...(layout.language === "" ? ["no language"] : []),
    ],
    rules: passes.length,
  };
}
