// The ways around the console, played in a browser with the keyboard: the command palette and the navigation that folds away.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { describeInBrowser } from "../support/in-browser";
import { type ConsoleStage, consoleStage, playAsAdmin, signedIn } from "./stage";

/** Creates a space with a page and a change request. */
async function createSpace({ api, organization, user }: ConsoleStage, title: string, isHidden = false) {
  const admin = { user };
  const { id } = await api.call("createSpace", { params: { organizationId: organization }, body: { title } }, admin);
  if (isHidden) await api.call("updateSpace", { params: { spaceId: id }, body: { defaultLevel: null } }, admin);
  const page = {
    operation: "insert_page",
    title: `Brakes of ${title}`,
    document: { markdown: "They wear.\n" },
  } as const;
  await api.call("changeContent", { params: { spaceId: id }, body: { changes: [page] } }, admin);
  await api.call("createChangeRequest", { params: { spaceId: id }, body: { subject: `Oil for ${title}` } }, admin);
  return id;
}

async function findEverything(stage: ConsoleStage, page: Page): Promise<void> {
  const { origin, organization } = stage;
  const library = `${origin}/o/${organization}`;
  const trams = await createSpace(stage, "Trams");
  await createSpace(stage, "Secret ferries", true);
  const palette = page.getByRole("combobox", { name: "Search and commands" });
  const option = (name: string | RegExp) => page.getByRole("option", { name });
  const open = async () => {
    await page.keyboard.press("Control+k");
    await palette.waitFor();
  };

  // It opens over every page, takes the focus, finds a page by its title as somebody types, and opens it with Enter.
  await page.goto(`${library}/people`);
  await page.getByRole("heading", { name: "People" }).waitFor();
  await open();
  await page.keyboard.type("brakes");
  await option(/^Brakes of Trams Trams$/).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${library}/s/${trams}/brakes-of-trams`);
  assert.equal(await palette.count(), 0);

  // Spaces, change requests and settings are found as well. The arrow keys walk, and begin again after the last result.
  await open();
  await page.keyboard.type("trams");
  await option("Trams").first().waitFor();
  await option("#1 Oil for Trams").waitFor();
  await option(/^Brakes of Trams Trams$/).waitFor();
  assert.equal(await option("Trams").first().getAttribute("aria-selected"), "true");
  const count = await page.getByRole("option").count();
  for (let at = 0; at < count; at++) await page.keyboard.press("ArrowDown");
  assert.equal(await option("Trams").first().getAttribute("aria-selected"), "true");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  await open();
  await page.keyboard.type("audit");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${library}/audit`);
  await page.getByRole("heading", { name: "Audit log" }).waitFor();

  // Without a text, the pages that were open last are offered first.
  await open();
  await option("Brakes of Trams").waitFor();
  assert.equal(await page.getByRole("option").first().textContent(), "Brakes of Trams");
  await page.keyboard.type("no such thing");
  await page.getByText("No results").waitFor();
  await page.keyboard.press("Escape");

  // Beside the pages of a space the navigation is folded away, until somebody wants it.
  const navigation = page.getByRole("navigation", { name: "Navigation" });
  await navigation.waitFor();
  await page.goto(`${library}/s/${trams}`);
  await page.getByRole("treeitem", { name: "Brakes of Trams" }).waitFor();
  assert.equal(await navigation.count(), 0);
  await page.getByRole("button", { name: "Navigation" }).click();
  await navigation.getByRole("link", { name: "Sites" }).waitFor();
  await page.setViewportSize({ width: 390, height: 800 });
  await navigation.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pages" }).click();
  await page.getByRole("treeitem", { name: "Brakes of Trams" }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Somebody who may not see a space finds nothing of it. */
async function findNothingHidden(stage: ConsoleStage, page: Page): Promise<void> {
  await page.goto(`${stage.origin}/o/${stage.organization}`);
  await page.getByRole("heading", { name: "Library" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("brakes");
  await page.getByRole("option", { name: "Brakes of Trams" }).waitFor();
  for (const text of ["ferries", "audit"]) {
    await page.getByRole("combobox").fill(text);
    await page.getByText("No results").waitFor();
  }
}

describeInBrowser(consoleStage, (open) => {
  test("the command palette finds what the user may see, and the navigation folds away", async () => {
    const { browser, stage } = open();
    const complaints = await playAsAdmin(stage, browser, (page) => findEverything(stage, page));
    assert.deepEqual(complaints, []);
    const { user: bob } = await stage.api.provision({ user: { displayName: "Bob", email: "bob@example.com" } });
    const params = { organizationId: stage.organization };
    const admin = { user: stage.user };
    const invite = await stage.api.call("createLinkInvite", { params, body: { role: "read" } }, admin);
    await stage.api.call("acceptInvite", { params: { ...params, inviteId: invite.id } }, { user: bob });
    const context = await browser.newContext();
    try {
      await findNothingHidden(stage, await signedIn(stage, context, complaints, bob));
    } finally {
      await context.close();
    }
    assert.deepEqual(complaints, []);
  });
});
