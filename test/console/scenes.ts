// What people do with the console, played in a browser.

import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { PATIENCE_MS } from "../patience";
import { refusedToOthers, runOrganization } from "./run-organization";
import type { ConsoleStage } from "./stage";

/** Opens a page as somebody who has signed in. What the browser complains about is kept. */
async function signedIn(
  stage: ConsoleStage,
  context: BrowserContext,
  complaints: string[],
  user = stage.user,
): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(await stage.signIn.linkFor(user));
  await page.locator("form button").first().click();
  await page.waitForURL(/sign-in$/);
  return page;
}

/** Somebody makes a space and writes its first page; meanwhile a program changes it. */
async function write(stage: ConsoleStage, page: Page): Promise<void> {
  const { origin, organization } = stage;
  await page.goto(`${origin}/`);
  await page.getByRole("link", { name: "Letters" }).first().click();
  await page.getByRole("button", { name: "New space" }).click();
  await page.getByLabel("Title").fill("Handbook");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Handbook" }).waitFor();
  const space = /\/s\/([^/]+)/.exec(page.url())![1]!;

  const me = { user: stage.user };
  const { call } = stage.api;

  // A page, written in a change request.
  const markdown = "# Start\n\nOne.\n\nTwo.\n";
  const made = { operation: "insert_page", title: "Start", document: { markdown } } as const;
  await call("changeContent", { params: { spaceId: space }, body: { changes: [made] } }, me);
  await page.reload();
  await page.getByRole("button", { name: "Edit in a change request" }).click();
  const editor = page.locator(".cm-content");
  await editor.waitFor();
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("Three, typed **here**.");
  // The preview shows it as readers will.
  const preview = page.frameLocator("iframe.preview");
  await preview.locator("strong", { hasText: "here" }).waitFor();
  // What is typed is kept, also when the page is left.
  await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.startsWith("octavo-draft")));
  await page.reload();
  await page.getByRole("button", { name: "Go on with it" }).click();
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
  await page.getByText("Both changes were put together").waitFor();
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
  await dialog.getByRole("button", { name: "Save this text" }).click();
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

/** An admin runs the organization, and somebody else sees what is not theirs. */
async function run(stage: ConsoleStage, page: Page): Promise<void> {
  const user = await runOrganization(stage, page);
  const context = await page.context().browser()!.newContext();
  await refusedToOthers(stage, await signedIn(stage, context, [], user));
  await context.close();
}

const scenes = { write, run } as const;

/** Plays a scene. Gives what the browser complained about. */
export async function playScene(name: keyof typeof scenes, stage: ConsoleStage, browser: Browser): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  try {
    await scenes[name](stage, await signedIn(stage, context, complaints));
    return complaints;
  } finally {
    await context.close();
  }
}
