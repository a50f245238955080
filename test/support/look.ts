// Looks at pages in a browser: every rule of accessibility, light and dark, on a phone and on a wide screen; and nothing wider than
// the screen. Where PICTURES names a folder, pictures are left there.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { env } from "node:process";
import axe from "axe-core";
import type { Page } from "playwright-core";

export const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } } as const;

/** What is wrong with pages, one line each, and how many rules they passed. */
export interface Seen {
  readonly wrong: string[];
  readonly passes: number;
}

/** Checks the page that is open, but for what is left out, by the rules of accessibility, and its width. */
export async function checkPage(page: Page, without: string[] = [], options: axe.RunOptions = {}): Promise<Seen> {
  // Through the protocol of the browser: the policy of the page lets no script of ours in.
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(
    (given) => (globalThis as unknown as { axe: typeof axe }).axe.run(given.context, given.options),
    { context: { include: [["html"]], exclude: without.map((selector) => [selector]) }, options },
  );
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return {
    wrong: [
      ...violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.length} of ${nodes[0]?.html}`),
      ...(overflow > 0 ? [`wider than the screen by ${overflow} pixels`] : []),
    ],
    passes: passes.length,
  };
}

/** Leaves a picture of the page, if pictures are wanted. */
export async function takePicture(page: Page, name: string, fullPage = false): Promise<void> {
  if (env.PICTURES === undefined) return;
  await mkdir(env.PICTURES, { recursive: true });
  await page.screenshot({ path: join(env.PICTURES, `${name}.png`), fullPage });
}
