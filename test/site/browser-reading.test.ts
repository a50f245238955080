// What readers do with a site in a browser: they search, choose a theme and a tab, copy, and go through it by keyboard; on a
// phone, and without JavaScript.

import assert from "node:assert/strict";
import type { AnswerModel } from "octavo";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { reading } from "../support/chromium";
import { describeInBrowser } from "../support/in-browser";
import { isLongRun } from "../support/test-length";
import { type Served, serve } from "./served";

interface ReadingStage extends Served {
  /** The address of the site, without a slash at its end. */
  readonly url: string;
}

const long = (words: string) => `${words}\n\n`.repeat(30);

const TABS = ["npm", "pnpm"].map((it) => `{% tab title="${it}" %}\nUse ${it} here.\n{% endtab %}`).join("\n\n");

const pages = {
  Start: `Welcome. This word has a note[^1].\n\n[^1]: The note of the word.\n\n<details>\n\n<summary>More</summary>\n\nFolded words.\n\n</details>\n`,
  Tools: `{% tabs %}\n${TABS}\n{% endtabs %}\n\nBetween.\n\n{% tabs %}\n${TABS}\n{% endtabs %}\n\n\`\`\`sh\nnpm install octavo\nnpm start\n\`\`\`\n`,
  Lighthouse: `## Lantern\n\n${long("The lantern turns all night.")}## Keeper\n\n${long("The keeper reads the log.")}## Harbour\n\n${long("Ships lie in the harbour.")}`,
};

/** A model that reads the first page that was found. */
const model: AnswerModel = async function* (question, { passages: [first] }) {
  yield `The pages say of **${question}**:\n\n`;
  yield `- ${first?.title ?? "nothing"}\n- ${first?.text.split("\n")[0] ?? "nothing"}\n\n`;
  yield "```sh\nnpm start\n```\n";
  yield { sources: first ? [first.page] : [] };
  yield { followups: ["Who keeps the harbour?"] };
};

/** A site of three pages, and a model that answers. */
async function readingStage(): Promise<ReadingStage> {
  const served = await serve({}, { ask: model });
  const { ask, organization } = served;
  const { id: space } = await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Guide" });
  const changes = Object.entries(pages).map(([title, markdown]) => ({
    operation: "insert_page",
    title,
    document: { markdown },
  }));
  await ask(`POST /v1/spaces/${space}/content`, { changes });
  const { id } = await ask(`POST /v1/orgs/${organization}/sites`, {
    title: "Docs",
    visibility: "public",
    spaces: [space],
  });
  const at = `/v1/orgs/${organization}/sites/${id}`;
  await ask(`PUT ${at}/customization`, { themes: { followsDevice: true }, ai: { mode: "search" } });
  const { urls } = await ask(`POST ${at}/publish`);
  return { ...served, url: urls.published };
}

const finder = "dialog.finder";

/** The ground of the page, in the colours of its theme. */
const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/** Presses Tab until something is focused. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    if (await page.evaluate((it) => document.activeElement?.matches(it) === true, selector)) return;
  }
  assert.fail(`Tab does not reach ${selector}`);
}

describeInBrowser(readingStage, (open) => {
  test("readers search a site by keyboard", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      const dialog = page.locator(finder);
      for (const key of ["/", "Control+k"]) {
        await page.keyboard.press(key);
        await dialog.waitFor({ state: "visible" });
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
      }
      await page.keyboard.press("/");
      await dialog.waitFor({ state: "visible" });
      await page.keyboard.type("lihgthouse");
      await page.locator(`${finder} [role=option]`).first().waitFor();
      const chosen = () => page.locator(`${finder} [aria-selected=true]`).getAttribute("id");
      const first = await chosen();
      assert.equal(await page.locator(`${finder} input`).getAttribute("aria-activedescendant"), first);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowUp");
      assert.equal(await chosen(), first);
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      await page.keyboard.press("/");
      await dialog.waitFor({ state: "visible" });
      await page.keyboard.type("lihgthouse");
      await page.locator(`${finder} [role=option]`).first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/lighthouse/);
    });
  });

  test.runIf(isLongRun)("readers of a site are told that nothing is found", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      await page.keyboard.press("/");
      await page.keyboard.type("zzqqxxyy");
      await page.waitForFunction((it) => document.querySelector(`${it} [role=status]`)!.textContent !== "", finder);
      assert.equal(await page.locator(`${finder} [data-href]`).count(), 0);
    });
  });

  test("readers ask a site a question by keyboard, and the next one with a click", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      await page.keyboard.press("/");
      await page.keyboard.type("lantern");
      await page.locator(`${finder} [data-href]`).first().waitFor();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("Enter");
      const answer = page.locator(`${finder} .answer`);
      await answer.getByText("Sources").waitFor();
      assert.equal(await answer.locator("strong").first().textContent(), "lantern");
      assert.match((await answer.locator("li a").getAttribute("href"))!, /\/lighthouse$/);
      await answer.getByText("Who keeps the harbour?").click();
      await answer.locator("strong", { hasText: "Who keeps the harbour?" }).waitFor();
      await page.locator(`${finder} input[type=search]`).fill("tools");
      await page.locator(`${finder} [data-href]`).first().waitFor();
      assert.equal(await answer.count(), 0);
    });
  });

  test.runIf(isLongRun)("readers ask a site a question without JavaScript", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, { javaScriptEnabled: false }, async (page) => {
      await page.goto(`${url}/~octavo/search?q=lantern`);
      await page.click("form.ask button");
      await page.locator(".answer").getByText("Sources").waitFor();
      assert.equal(await page.locator(".answer strong").first().textContent(), "lantern");
      await page.fill("article > form.ask input", "harbour");
      await page.click("article > form.ask button");
      await page.locator(".answer strong", { hasText: "harbour" }).waitFor();
    });
  });

  test("readers choose the theme of a site, and it is remembered on the next page", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, { colorScheme: "light" }, async (page) => {
      await page.goto(url);
      const before = await ground(page);
      await page.click("button.theme");
      const after = await ground(page);
      assert.notEqual(after, before);
      await page.click("#--pages a[href$='/tools']");
      await page.waitForURL(/\/tools$/);
      assert.equal(await ground(page), after);
      await page.click("button.theme");
      assert.equal(await ground(page), before);
    });
  });

  test.runIf(isLongRun)("readers copy code from a page", async () => {
    const {
      browser,
      stage: { url, origin },
    } = open();
    await reading(browser, {}, async (page, context) => {
      await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
      await page.goto(`${url}/tools`);
      const button = page.locator("button.copy").first();
      const label = await button.textContent();
      await button.click();
      await page.waitForFunction((it) => document.querySelector("button.copy")!.textContent !== it, label);
      assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "npm install octavo\nnpm start");
    });
  });

  test.runIf(isLongRun)("tabs of a page open together by keyboard, and are remembered", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(`${url}/tools`);
      const shown = () => page.locator(".tabs .panel:visible").allTextContents();
      assert.deepEqual(
        (await shown()).map((it) => it.trim()),
        ["Use npm here.", "Use npm here."],
      );
      await tabTo(page, ".tabs > input");
      await page.keyboard.press("ArrowRight");
      assert.deepEqual(
        (await shown()).map((it) => it.trim()),
        ["Use pnpm here.", "Use pnpm here."],
      );
      await page.reload();
      assert.deepEqual(
        (await shown()).map((it) => it.trim()),
        ["Use pnpm here.", "Use pnpm here."],
      );
    });
  });

  test.runIf(isLongRun)("readers go through a site by keyboard alone", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      await page.keyboard.press("Tab");
      assert.equal(await page.evaluate(() => document.activeElement?.className), "skip");
      assert.ok(await page.locator("a.skip").isVisible());
      await page.keyboard.press("Enter");
      assert.equal(await page.evaluate(() => location.hash), "#--text");
      await tabTo(page, "#--pages a[href$='/lighthouse']");
      await page.keyboard.press("Enter");
      await page.waitForURL(/\/lighthouse$/);
      assert.equal(await page.locator("#--pages [aria-current=page]").textContent(), "Lighthouse");
    });
  });

  test.runIf(isLongRun)("the outline of a page follows what is read", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(`${url}/lighthouse`);
      const at = () => page.locator("#--outline [aria-current]").textContent();
      assert.equal(await at(), "Lantern");
      await page.click("#--outline a[href='#keeper']");
      await page.waitForFunction(() => document.querySelector("#--outline [aria-current]")?.textContent === "Keeper");
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await page.waitForFunction(() => document.querySelector("#--outline [aria-current]")?.textContent === "Harbour");
    });
  });

  test.runIf(isLongRun)("the menu of a site opens over the page on a phone", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (page) => {
      await page.goto(url);
      // The tree stands below the text. The menu brings it over the whole screen.
      const isOver = () =>
        page.evaluate(() => getComputedStyle(document.querySelector("#--pages")!).position === "fixed");
      assert.equal(await isOver(), false);
      await page.tap("a.menu");
      assert.equal(await isOver(), true);
      await page.tap("#--pages a.close");
      assert.equal(await isOver(), false);
      await page.tap("a.menu");
      await page.tap("#--pages a[href$='/tools']");
      await page.waitForURL(/\/tools$/);
      assert.equal(await isOver(), false);
    });
  });

  test.runIf(isLongRun)("readers open and close a note by keyboard", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      const note = page.locator(".note-body");
      assert.equal(await note.isVisible(), false);
      await tabTo(page, "button.note");
      await page.keyboard.press("Enter");
      await note.waitFor({ state: "visible" });
      assert.equal((await note.textContent())?.trim(), "The note of the word.");
      await page.keyboard.press("Escape");
      await note.waitFor({ state: "hidden" });
    });
  });

  test("readers use a site without JavaScript", async () => {
    const {
      browser,
      stage: { url },
    } = open();
    await reading(browser, { javaScriptEnabled: false, colorScheme: "dark" }, async (page) => {
      await page.goto(url);
      assert.equal(await page.locator("button.theme").isVisible(), false, "a button that does nothing is shown");
      await page.click("summary");
      assert.ok(await page.getByText("Folded words.").isVisible());
      await page.click("button.note");
      assert.ok(await page.locator(".note-body").isVisible());
      await page.keyboard.press("Escape");
      const dark = await page.screenshot({ clip: { x: 700, y: 880, width: 2, height: 2 } });
      await page.emulateMedia({ colorScheme: "light" });
      const light = await page.screenshot({ clip: { x: 700, y: 880, width: 2, height: 2 } });
      assert.notDeepEqual(dark, light, "the device does not decide between light and dark");
      await page.fill(".search input", "lantern");
      await page.keyboard.press("Enter");
      await page.click(".found a");
      await page.waitForURL(/\/lighthouse/);
      await page.click("#--pages a[href$='/tools']");
      await page.click("label:has-text('pnpm') >> nth=0");
      assert.ok(await page.getByText("Use pnpm here.").first().isVisible());
      assert.equal(await page.getByText("Use npm here.").first().isVisible(), false);
    });
  });
});
