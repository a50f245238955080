// What can happen in the middle of typing, played in a browser: after each of it the words are there, and saved or offered.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { describeInBrowser } from "../support/in-browser";
import { type ConsoleStage, consoleStage, playAsAdmin, signedIn } from "./stage";

const TEXT = "# Start\n\nOne.\n\nTwo.\n\nThree.\n";

async function nothingIsLost(stage: ConsoleStage, first: Page, complaints: string[]): Promise<void> {
  const { api, origin, organization } = stage;
  const admin = { user: stage.user };
  // Somebody who may edit, and is no admin.
  const { user: bob } = await api.provision({ user: { displayName: "Bob", email: "bob@example.com" } });
  const invites = { params: { organizationId: organization } };
  const invite = await api.call("createLinkInvite", { ...invites, body: { role: "edit" } }, admin);
  await api.call("acceptInvite", { params: { ...invites.params, inviteId: invite.id } }, { user: bob });

  const body = { title: "Kept", visibility: "private" } as const;
  const { id: spaceId } = await api.call("createSpace", { ...invites, body }, admin);
  const made = { operation: "insert_page", title: "Start", document: { markdown: TEXT } } as const;
  const change = (changes: object[]) =>
    api.call("changeContent", { params: { spaceId }, body: { changes } as never }, admin);
  await change([made]);
  const { pages } = await api.call("listPages", { params: { spaceId } }, admin);
  const pageId = pages[0]!.id;
  const saved = async () => (await api.call("getPage", { params: { spaceId, pageId } }, admin)).markdown ?? "";

  const context = first.context();
  await context.clearCookies();
  const page = await signedIn(stage, context, complaints, bob);
  const editor = page.locator(".cm-content");
  const isSaved = () => page.locator(".state", { hasText: /^Saved$/ }).waitFor();
  const open = async () => {
    await page.goto(`${origin}/o/${organization}/s/${spaceId}/start`);
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    await editor.waitFor();
  };
  const type = async (words: string, where = "Control+End") => {
    await editor.click();
    await page.keyboard.press(where);
    await page.keyboard.type(words);
  };
  const has = (words: string) => editor.filter({ hasText: words }).waitFor();

  // The connection is lost. What could not be sent is sent when it is back.
  await open();
  await context.setOffline(true);
  await type("Typed offline.");
  await page.keyboard.press("Control+s");
  await page.getByText("No connection to the server").waitFor();
  await has("Typed offline.");
  await context.setOffline(false);
  await isSaved();
  assert.equal(await saved(), `${TEXT}Typed offline.`);

  // The session has ended. The page stays, and goes on by itself after signing in elsewhere.
  await type("\n\nTyped signed out.");
  await api.call("endSessions", {}, { user: bob });
  await page.keyboard.press("Control+s");
  await page.getByText("You have been signed out").waitFor();
  await has("Typed signed out.");
  await (await signedIn(stage, context, complaints, bob)).close();
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.getByText("You have been signed out").waitFor({ state: "detached" });
  await has("Typed signed out.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await isSaved();
  assert.match(await saved(), /Typed signed out\.$/);

  // Somebody else saves the page. That is told at once, and both are put together.
  await type("Mine. ", "Control+Home");
  await change([{ operation: "update_page", page: pageId, document: { markdown: `${await saved()}\n\nTheirs.\n` } }]);
  await page.getByText("Someone else edited this page").waitFor();
  await has("Mine. One.");
  await page.getByRole("button", { name: "Combine both versions" }).click();
  await has("Theirs.");
  await has("Mine. One.");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await isSaved();
  assert.match(await saved(), /Mine\. One\.[\s\S]*Theirs\./);

  // The right to edit is taken away. The words stay, can be copied, and are offered when the right is back.
  await type("Typed without a right. ", "Control+Home");
  const setRole = (role: "read" | "edit" | null) =>
    api.call("updateMember", { params: { ...invites.params, userId: bob }, body: { role } }, admin);
  await setRole("read");
  await page.getByText("You no longer have permission to edit this page").waitFor();
  await has("Typed without a right.");
  await page.getByRole("button", { name: "Copy text" }).waitFor();
  await page.keyboard.press("Control+s");
  await page.locator(".problem").waitFor();
  await has("Typed without a right.");
  await setRole("edit");
  await open();
  await page.getByRole("button", { name: "Restore draft" }).click();
  await has("Typed without a right.");

  // The space is hidden altogether, as what does not exist: nobody hears of that before they save. The words still stay.
  await api.call("updateSpace", { params: { spaceId }, body: { defaultLevel: null } }, admin);
  await page.keyboard.press("Control+s");
  await page.getByText("You no longer have permission to edit this page").waitFor();
  await has("Typed without a right.");
  await api.call("updateSpace", { params: { spaceId }, body: { defaultLevel: "inherit" } }, admin);
  await page.getByText("You no longer have permission to edit this page").waitFor({ state: "detached" });

  // The page is deleted.
  await change([{ operation: "delete_page", page: pageId }]);
  await page.getByText("Someone else deleted this page").waitFor();
  await has("Typed without a right.");
  await page.close();
}

describeInBrowser(consoleStage, (open) => {
  test("a lost connection, an expired session, a stale edit and a lost permission or page lose no text", async () => {
    const { browser, stage } = open();
    const complaints = await playAsAdmin(stage, browser, (page, complaints) => nothingIsLost(stage, page, complaints));
    // What the server could not be asked, or refused, browsers write into their console.
    assert.deepEqual(
      complaints.filter((it) => !it.startsWith("Failed to load resource")),
      [],
    );
  });
});
