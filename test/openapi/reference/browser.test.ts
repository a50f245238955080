// The reference in a real browser, where there is one: every rule of accessibility on pages of every kind; that nothing is wider
// than the screen; that the policy blocks nothing of ours; and that an operation can be tried. Elsewhere
// test/openapi/reference/dom.test.ts has what can be checked without.

import { createServer } from "node:http";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import type { Browser } from "playwright-core";
import { expect, test } from "vitest";
import { describeInBrowser } from "../../support/in-browser";
import { listenOn } from "../../support/listening";
import { checkPage, screens, takePicture } from "../../support/look";
import { isLongRun } from "../../support/test-length";

/** Pages of every kind, as everybody sees them. The suite has the two with the most on them, on the smallest and on the widest
 * screen. */
const paths = isLongRun
  ? ["", "?q=team", "/teams", "/errors", "/types/Space", "/operations/changeContent", "/operations/listMembers"]
  : ["/operations/createTeam", "/types/Team"];
const looks = (["phone light", "phone dark", "desktop light", "desktop dark"] as const).filter(
  (look) => isLongRun || look === "phone light" || look === "desktop dark",
);

/** The reference on a server of this machine. */
async function referenceStage() {
  const api = createDocsApi(memoryStorage());
  const { origin, close } = await listenOn(createServer(nodeHandler(api)));
  return {
    api,
    root: `${origin}/v1/docs`,
    async close() {
      await close();
      await api.close();
    },
  };
}

describeInBrowser(referenceStage, (open) => {
  test("in a browser, the reference passes all accessibility rules and its operations can be tried", async () => {
    const { browser, stage } = open();
    const wrong: string[] = [];
    let passes = 0;
    for (const look of looks)
      for (const path of paths) {
        const [screen, colorScheme] = look.split(" ") as ["phone" | "desktop", "light" | "dark"];
        const page = await browser.newPage({ viewport: screens[screen], colorScheme });
        const at = `${path || "/"} (${look})`;
        page.on("console", (message) => message.type() === "error" && wrong.push(`${at}: ${message.text()}`));
        page.on("pageerror", (error) => wrong.push(`${at}: ${error.message}`));
        await page.goto(stage.root + path);
        const seen = await checkPage(page);
        wrong.push(...seen.wrong.map((it) => `${at}: ${it}`));
        passes += seen.passes;
        const name = path.replace(/[^a-zA-Z]+/g, "-").replace(/^-/, "") || "overview";
        await takePicture(page, `${name}-${screen}-${colorScheme}`);
        await page.close();
      }
    expect(wrong).toEqual([]);
    expect(passes).toBeGreaterThan(looks.length * paths.length * 20);
    expect(await triedOut(browser, stage.root, stage.api)).toEqual([]);
  });
});

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
