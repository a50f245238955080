// Looks at the reference in a browser: every rule of accessibility on pages of every kind, light and dark, on a phone and on a
// wide screen; that nothing is wider than the screen; that the policy blocks nothing of ours; and that an operation can be tried.

import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import axe from "axe-core";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import type { Browser, Page } from "playwright-core";

interface View {
  readonly path: string;
  readonly screen: keyof typeof screens;
  readonly colorScheme: "light" | "dark";
}

const screens = { phone: { width: 390, height: 844 }, desktop: { width: 1440, height: 900 } };

function viewsOf(paths: readonly string[], looks: readonly (readonly [View["screen"], View["colorScheme"]])[]): View[] {
  return looks.flatMap(([screen, colorScheme]) => paths.map((path) => ({ path, screen, colorScheme })));
}

/** Pages of every kind, as everybody sees them. */
export const allViews = viewsOf(
  ["", "?q=team", "/teams", "/errors", "/types/Space", "/operations/changeContent", "/operations/listMembers"],
  [
    ["phone", "light"],
    ["phone", "dark"],
    ["desktop", "light"],
    ["desktop", "dark"],
  ],
);

/** The page with the most on it, on the smallest and on the widest screen. */
export const fewViews = viewsOf(
  ["/operations/createTeam", "/types/Team"],
  [
    ["phone", "light"],
    ["desktop", "dark"],
  ],
);

export interface Looked {
  /** What is wrong, one line each. */
  readonly wrong: string[];
  /** How many rules the pages passed. */
  readonly passes: number;
}

/** Looks at pages. With a folder, pictures of them are left there. */
export async function look(browser: Browser, views: readonly View[], folder?: string): Promise<Looked> {
  const api = createDocsApi(memoryStorage());
  const server = createServer(nodeHandler(api));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/docs`;
  if (folder !== undefined) await mkdir(folder, { recursive: true });
  const wrong: string[] = [];
  let passes = 0;
  try {
    for (const { path, screen, colorScheme } of views) {
      const page = await browser.newPage({ viewport: screens[screen], colorScheme });
      const at = `${path || "/"} (${screen}, ${colorScheme})`;
      page.on("console", (message) => message.type() === "error" && wrong.push(`${at}: ${message.text()}`));
      page.on("pageerror", (error) => wrong.push(`${at}: ${error.message}`));
      await page.goto(root + path);
      const found = await checked(page);
      wrong.push(...found.wrong.map((it) => `${at}: ${it}`));
      passes += found.passes;
      if (folder !== undefined)
        await page.screenshot({ path: join(folder, `${nameOf(path)}-${screen}-${colorScheme}.png`) });
      await page.close();
    }
    wrong.push(...(await triedOut(browser, root, api)));
  } finally {
    server.closeAllConnections();
    server.close();
    await api.close();
  }
  return { wrong, passes };
}

const nameOf = (path: string) => path.replace(/[^a-zA-Z]+/g, "-").replace(/^-/, "") || "overview";

/** The rules of accessibility, and the width of the page. */
export async function checked(page: Page): Promise<{ wrong: string[]; passes: number }> {
  // Through the protocol of the browser: the policy of the page lets no script of ours in.
  await page.evaluate(axe.source);
  const { violations, passes } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return {
    wrong: [
      ...violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`),
      ...(overflow > 0 ? [`wider than the screen by ${overflow} pixels`] : []),
    ],
    passes: passes.length,
  };
}

/** A person filters the contents by keyboard, opens an operation and tries it. */
async function triedOut(browser: Browser, root: string, api: ReturnType<typeof createDocsApi>): Promise<string[]> {
  const made = await api.provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
    token: { label: "look" },
  });
  const page = await browser.newPage({ viewport: screens.desktop });
  await page.goto(root);
  await page.keyboard.press("/");
  await page.keyboard.type("get an organization");
  const links = page.locator("#contents li[data-words]:visible a");
  const found = await links.allInnerTexts();
  await page.goto(`${root}/operations/getOrganization`);
  await page.click(".try summary");
  await page.fill(".try [data-secret]", made.token!);
  await page.getByLabel("organizationId").fill(made.organization!);
  await page.click(".try form button[type=submit]");
  const shown = await page.locator(".try .result > pre").textContent();
  await page.close();
  return [
    ...(found.some((it) => it.includes("Get an organization")) ? [] : [`the filter found ${JSON.stringify(found)}`]),
    ...(shown?.includes('"title": "Letters"') ? [] : [`trying an operation showed ${shown}`]),
  ];
}
