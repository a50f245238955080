// The console in a real browser, where there is one: somebody writes, somebody else writes to the same page, and what both
// wrote is proposed and merged; and what a hostile author wrote is shown.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { found, addresses as hostileAddresses, hostileMarkdown, texts } from "../site/hostile-list";
import { describeInBrowser } from "../support/in-browser";
import { type ConsoleStage, consoleStage, playAsAdmin } from "./stage";

/** Lets no request of these go on until what it gives is called. */
async function held(page: Page, requests: RegExp): Promise<() => Promise<void>> {
  let letGo = () => {};
  const wait = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  await page.route(requests, async (route) => {
    await wait;
    // The page may have given up on it.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    letGo();
    await page.unroute(requests);
  };
}

/** Somebody makes a space and writes its first page; meanwhile a program changes it. */
async function write(stage: ConsoleStage, page: Page): Promise<void> {
  const { origin, organization } = stage;
  await page.goto(`${origin}/`);
  // The only organization is opened at once, and a new space in the editor: two clicks from sign-in to the first character.
  await page.getByRole("button", { name: "Write a page" }).click();
  await page.locator(".cm-content").waitFor();
  const space = /\/s\/([^/?]+)/.exec(page.url())![1]!;
  await page.getByRole("link", { name: "Untitled space" }).first().waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Rename" }).click();
  await page.keyboard.type("Handbook");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Handbook" }).first().waitFor();
  // Escape keeps the title.
  const rename = page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name: "Rename" });
  await rename.click();
  await page.keyboard.type("Another title");
  await page.keyboard.press("Escape");
  await rename.waitFor();
  assert.equal(
    (await stage.api.call("getSpace", { params: { spaceId: space } }, { user: stage.user })).title,
    "Handbook",
  );

  const me = { user: stage.user };
  const { call } = stage.api;

  // A page, written in a change request.
  const markdown = "# Start\n\nOne.\n\nTwo.\n";
  const { pages: first } = await call("listPages", { params: { spaceId: space } }, me);
  const changes = [
    { operation: "update_page", page: first[0]!.id, title: "Start", slug: "start", document: { markdown } } as const,
  ];
  await call("changeContent", { params: { spaceId: space }, body: { changes } }, me);
  await page.goto(`${origin}/o/${organization}/s/${space}`);
  await page.getByRole("button", { name: "Edit in a change request" }).click();
  const editor = page.locator(".cm-content");
  await editor.waitFor();
  const preview = page.frameLocator("iframe.preview");
  await preview.getByText("Two.").waitFor();
  await editor.click();
  await page.keyboard.press("Control+End");
  // The preview shows what is there until it can show what is typed, as readers will see it.
  const previews = /\/preview\?/;
  const answerPreviews = await held(page, previews);
  const asked = page.waitForRequest(previews);
  await page.keyboard.type("Three, typed **here**.");
  await asked;
  assert.ok(await preview.getByText("Two.").isVisible(), "the preview went empty");
  await answerPreviews();
  await preview.locator("strong", { hasText: "here" }).waitFor();
  // What is typed is kept, also when the page is left.
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("octavo-draft")));
  await page.reload();
  await page.getByRole("button", { name: "Restore draft" }).click();
  await editor.filter({ hasText: "Three, typed" }).waitFor();

  // Somebody else changes another paragraph: both changes come together.
  const params = { spaceId: space, changeRequestId: "1" };
  const { pages } = await call("listChangeRequestPages", { params }, me);
  const pageId = pages[0]!.id;
  const set = (text: string) => {
    const change = { operation: "update_page", page: pageId, document: { markdown: text } } as const;
    return call("changeChangeRequestContent", { params, body: { changes: [change] } }, me);
  };
  await set("# Start\n\nOne, by somebody else.\n\nTwo.\n");
  await page.keyboard.press("Control+s");
  await page.getByText("Both versions were combined").waitFor();
  await editor.filter({ hasText: "by somebody else" }).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.locator(".state", { hasText: /^Saved$/ }).waitFor();

  // The same paragraph: they are shown beside each other, and nothing is lost.
  await editor.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("Mine. ");
  await set("# Start\n\nTheirs. One.\n\nTwo.\n\nThree, typed **here**.\n");
  await page.keyboard.press("Control+s");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Theirs. One.").waitFor();
  await dialog.getByText("Mine. One").waitFor();
  await dialog.getByRole("button", { name: "Save combined version" }).click();
  await page.locator(".state", { hasText: /^Saved$/ }).waitFor();
  const saved = await call("getChangeRequestPage", { params: { ...params, pageId } }, me);
  assert.match(saved.markdown ?? "", /^# Start\n\nMine\. One, by somebody else\.[\s\S]*Three, typed \*\*here\*\*\./);

  // Proposed, looked at, merged.
  await page.goto(`${origin}/o/${organization}/s/${space}/~/changes/1`);
  await page.frameLocator("iframe.preview").locator("ins", { hasText: "Mine." }).first().waitFor();
  await page.getByLabel("New comment").fill("Good.");
  await page.getByRole("button", { name: "Comment", exact: true }).click();
  await page.locator(".comment", { hasText: "Good." }).waitFor();
  await page.getByRole("button", { name: "Merge" }).click();
  await page.locator(".status", { hasText: "Merged" }).waitFor();
  const merged = await call("getPage", { params: { spaceId: space, pageId } }, me);
  assert.equal(merged.markdown, saved.markdown);
}

/** A hostile author has written into a page, a change request and a comment. Nothing of it runs, and nothing is to be had. */
async function hostile(stage: ConsoleStage, page: Page): Promise<void> {
  const { origin, organization, token } = stage;
  const { call } = stage.api;
  const me = { user: stage.user };
  const wrong: string[] = [];
  await page.exposeFunction("trap", () => wrong.push("a script of the author ran"));
  page.on("dialog", (dialog) => {
    wrong.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on("page", (other) => wrong.push(`a window opened: ${other.url()}`));
  // Pictures may be anywhere. Nothing else is asked of other hosts.
  await page.context().route(
    (url) => url.origin !== origin,
    async (route) => {
      if (route.request().resourceType() !== "image") wrong.push(`asked for ${route.request().url()}`);
      await route.abort();
    },
  );

  const title = texts[0]!;
  const { id: space } = await call("createSpace", { params: { organizationId: organization }, body: { title } }, me);
  const params = { spaceId: space };
  const bodyOf = (text: string, at: number) =>
    hostileMarkdown(text, hostileAddresses[at % hostileAddresses.length]!).replace(/^---[\s\S]*?---\n/, "");
  const whole = texts.map(bodyOf).join("\n\n");
  const insert = (name: string, markdown: string) =>
    ({ operation: "insert_page", title: name, document: { markdown } }) as const;
  await call("changeContent", { params, body: { changes: [insert(title, "Before.")] } }, me);
  const { number } = await call("createChangeRequest", { params, body: { subject: title } }, me);
  const request = { ...params, changeRequestId: String(number) };
  const { pages } = await call("listChangeRequestPages", { params: request }, me);
  const update = { operation: "update_page", page: pages[0]!.id, document: { markdown: whole } } as const;
  await call("changeChangeRequestContent", { params: request, body: { changes: [update] } }, me);
  for (const markdown of [texts.slice(0, 30).join("\n\n"), whole.slice(0, 8000)])
    await call("postCommentOnChangeRequest", { params: request, body: { body: { markdown } } }, me);

  const root = `${origin}/o/${organization}/s/${space}`;
  for (const path of [`${root}/~/changes/${number}`, `${root}/~/changes/${number}/~`]) {
    await page.goto(path);
    const frame = page.frameLocator("iframe.preview").first();
    await frame.locator("h2, ins, h1").first().waitFor();
    for (const it of page.frames().filter((one) => one !== page.mainFrame())) wrong.push(...(await it.evaluate(found)));
    // Whatever is pressed.
    await frame.locator("body").evaluate((body) => {
      for (const it of body.querySelectorAll("a, button, summary, img")) it.dispatchEvent(new Event("focus"));
    });
    const own = await page.evaluate(() => ({
      scripts: [...document.scripts].map((it) => it.src || it.text),
      handlers: [...document.querySelectorAll("*")]
        .flatMap((it) => it.getAttributeNames())
        .filter((it) => /^on/.test(it)),
    }));
    assert.ok(
      own.scripts.every((it) => it.startsWith(`${origin}/~console/`)),
      own.scripts.join(),
    );
    assert.deepEqual(own.handlers, []);
  }
  assert.deepEqual(wrong, []);

  // What the policy of the page refuses, it refuses.
  const refused = await page.evaluate(() => {
    const tries: [string, () => unknown][] = [
      ["markup", () => Object.assign(document.createElement("div"), { innerHTML: "<b>x</b>" })],
      ["a script", () => Object.assign(document.createElement("script"), { src: "https://trap.invalid/a.js" })],
      [
        "a policy",
        () =>
          (
            globalThis as never as { trustedTypes: { createPolicy: (name: string, rules: object) => void } }
          ).trustedTypes.createPolicy("other", {}),
      ],
    ];
    return tries.map(([name, act]) => {
      try {
        act();
        return `${name} was let through`;
      } catch {
        return name;
      }
    });
  });
  assert.deepEqual(refused, ["markup", "a script", "a policy"]);

  // Nothing that opens the API is where a script could read it.
  const kept = await page.evaluate(async () => ({
    cookies: document.cookie,
    local: JSON.stringify({ ...localStorage }),
    session: JSON.stringify({ ...sessionStorage }),
    databases: (await indexedDB.databases()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));
  assert.deepEqual({ ...kept, local: "" }, { cookies: "", local: "", session: "{}", databases: 0, workers: 0 });
  const cookies = await page.context().cookies();
  assert.ok(cookies.length > 0);
  for (const cookie of cookies) {
    assert.ok(cookie.httpOnly && cookie.sameSite !== "None", cookie.name);
    assert.ok(!kept.local.includes(cookie.value), cookie.name);
  }
  assert.ok(!kept.local.includes(token) && !/octavo_[0-9a-f]{20}/.test(kept.local));
}

describeInBrowser(consoleStage, (open) => {
  test("a page is written, changed by another person, proposed and merged", async () => {
    const { browser, stage } = open();
    assert.deepEqual(await playAsAdmin(stage, browser, (page) => write(stage, page)), []);
  });

  test("content of a hostile author never runs, and the browser holds no token", async () => {
    const { browser, stage } = open();
    const complaints = await playAsAdmin(stage, browser, (page) => hostile(stage, page));
    // The policy refuses what the scene tries, and pictures of other hosts are not to be had there.
    assert.deepEqual(
      complaints.filter((it) => !/Trusted|trusted-types|Content Security Policy|Failed to load resource/.test(it)),
      [],
    );
  });
});
