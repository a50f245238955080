// What people do with the console who publish: a site from its first space to its numbers, what stands behind it, and what somebody
// sees who may only read.

import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { test } from "vitest";
import { describeInBrowser } from "../support/in-browser";
import { type ConsoleStage, consoleStage, type OnPage, playAsAdmin, signedIn, watchPages } from "./stage";

const SPEC = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  paths: { "/pets": { get: { operationId: "listPets", responses: { 200: { description: "Pets" } } } } },
};

async function publish(
  stage: ConsoleStage,
  page: Page,
  reading: BrowserContext,
  complaints: string[],
  onPage: OnPage,
): Promise<void> {
  const { origin, organization, api } = stage;
  const me = { user: stage.user };
  const { call } = api;
  const org = { organizationId: organization };
  const at = (path: string) => `${origin}/o/${organization}/${path}`;
  const spaceOf = async (title: string) => {
    const { id } = await call("createSpace", { params: org, body: { title } }, me);
    const made = {
      operation: "insert_page",
      title: `${title} page`,
      document: { markdown: "Some **words**.\n" },
    } as const;
    await call("changeContent", { params: { spaceId: id }, body: { changes: [made] } }, me);
    return id;
  };
  const guide = await spaceOf("Guide");
  await spaceOf("Library of functions");

  // A site with a section for each space.
  await page.goto(at("sites"));
  await page.getByRole("button", { name: "New site" }).click();
  await page.getByLabel("Title").fill("Docs");
  await page.getByLabel("Space").selectOption({ label: "Guide" });
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: "Structure" }).click();
  const site = /sites\/([^/]+)/.exec(page.url())![1]!;
  const params = { ...org, siteId: site };
  await page.getByRole("button", { name: "New section" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("First");
  await dialog.getByLabel("Space").selectOption({ label: "Library of functions" });
  await onPage(page, "new-section");
  await dialog.getByRole("button", { name: "Add" }).click();
  await page.locator(".structure li", { hasText: "Library of functions" }).waitFor();
  const titles = async () => {
    const { structure } = await call("getSiteStructure", { params }, me);
    return structure.flatMap((it) => ("siteSpaces" in it ? it.siteSpaces.map(({ title }) => title) : [it.title]));
  };
  assert.deepEqual(await titles(), ["Guide", "Library of functions"]);
  // Moved with the keys, it keeps the focus.
  await page.getByRole("button", { name: "Move Library of functions" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByText("Moved Library of functions.").waitFor({ state: "attached" });
  assert.deepEqual(await titles(), ["Library of functions", "Guide"]);
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Move Library of functions");
  // A path that is taken is refused where it was typed.
  await page.getByRole("button", { name: "More: Library of functions" }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  await page.getByLabel("Path").fill("guide");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("alert").waitFor();
  await page.getByLabel("Path").fill("functions");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByText("/functions").waitFor();
  await onPage(page, "structure");

  // The look is seen before it is saved.
  await page.getByRole("link", { name: "Appearance" }).click();
  const preview = page.frameLocator("iframe.preview");
  await preview.locator("strong", { hasText: "words" }).waitFor();
  await page.getByLabel("Public title").fill("The <b>Handbook</b>");
  await preview.locator("header .home", { hasText: "The <b>Handbook</b>" }).waitFor();
  await page.getByLabel("Primary color: Light").fill("#aa0000");
  await page.waitForFunction(() => {
    const inside = document.querySelector<HTMLIFrameElement>("iframe.preview")!.contentDocument!;
    return inside.defaultView!.getComputedStyle(inside.documentElement).getPropertyValue("--fill") === "#aa0000";
  });
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Reset to defaults" }).waitFor();
  await onPage(page, "look");
  const look = await call("getSiteCustomization", { params }, me);
  assert.equal(look.title, "The <b>Handbook</b>");
  assert.equal(look.styling.primaryColor.light, "#aa0000");

  // Published, for those who have a link, which is shown once.
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("link", { name: "Visit site" }).waitFor();
  await page.getByRole("link", { name: "Audience" }).click();
  await page.getByLabel("Audience").selectOption("share-link");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  await page.getByText("Anyone with one of these links can view the site.").waitFor();
  await page.getByLabel("Name").fill("Partners");
  await page.getByRole("button", { name: "New share link" }).click();
  const link = (await page.locator(".once code").textContent()) ?? "";
  assert.match(await (await fetch(link)).text(), /Handbook/);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  assert.equal((await fetch(link)).status, 404);
  await page.getByRole("button", { name: "Regenerate key" }).click();
  await dialog.getByRole("button", { name: "Regenerate key" }).click();
  await page.locator(".once", { hasText: "Signing key" }).waitFor();
  await onPage(page, "audience");

  // Redirects, many at once; lines that are not understood are named.
  await page.getByRole("link", { name: "Redirects" }).click();
  await page.getByRole("button", { name: "Add several" }).click();
  const lines = page.getByLabel("One redirect per line");
  await lines.fill("/old https://example.com/new\nnowhere");
  await page.getByText("Invalid lines: 2").waitFor();
  await onPage(page, "redirects-many");
  await lines.fill("/old https://example.com/new\n/older,https://example.com/older");
  await page.getByRole("button", { name: "Add 2" }).click();
  await page.locator(".rows code", { hasText: "/older" }).waitFor();
  await onPage(page, "redirects");
  await page.locator(".rows > li", { hasText: "/older" }).getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.locator(".rows code", { hasText: "/older" }).waitFor({ state: "detached" });
  assert.equal((await call("listSiteRedirects", { params }, me)).items.length, 1);

  // Numbers, as a picture and as a table.
  const [siteSpace] = (await call("listSiteSpaces", { params }, me)).items;
  const [shown] = (await call("listPages", { params: { spaceId: siteSpace!.space.id } }, me)).pages;
  const seen = { type: "page_view", location: { siteSpace: siteSpace!.id, page: shown!.id } } as const;
  await call("reportSiteEvents", { params, body: { events: [seen, seen, seen] } }, me);
  await page.getByRole("link", { name: "Insights" }).click();
  await page.getByRole("img", { name: /Page views: 3 in total/ }).waitFor();
  await page.getByText("Show as table").click();
  await page.locator(".plot tbody tr").last().getByText("3").waitFor();
  await page.getByRole("row", { name: `${shown!.title} 3` }).waitFor();
  await onPage(page, "insights");

  // A specification becomes pages of a space.
  await page.goto(at("openapi"));
  await page.getByText("No API specifications yet").waitFor();
  await page.getByRole("button", { name: "Add specification" }).click();
  await page.getByLabel("Source").selectOption({ label: "File" });
  await page
    .getByLabel("File", { exact: true })
    .setInputFiles({ name: "Pet Store.json", mimeType: "application/json", buffer: Buffer.from(JSON.stringify(SPEC)) });
  await page.waitForFunction(() =>
    [...document.querySelectorAll<HTMLInputElement>("dialog input")].some(({ value }) => value === "pet-store"),
  );
  await onPage(page, "new-specification");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.locator(".status", { hasText: "Ready" }).waitFor();
  await page.getByLabel("Space", { exact: true }).selectOption({ label: "Guide" });
  await page.getByRole("button", { name: "Insert" }).click();
  await page.getByText("Pages added.").waitFor();
  await onPage(page, "specification");
  const tree = await call("listPages", { params: { spaceId: guide } }, me);
  assert.match(JSON.stringify(tree.pages), /listPets/i);

  // What cannot be done here is told: this server has no translator, and reaches no other host.
  await page.goto(at("translations"));
  await page.getByRole("button", { name: "New translation" }).click();
  await page.getByLabel("Source", { exact: true }).selectOption({ label: "Guide" });
  await page.getByLabel("Target language").selectOption("de");
  await page.getByRole("button", { name: "Translate" }).click();
  await dialog.getByRole("alert").waitFor();
  await onPage(page, "translation-refused");
  await page.goto(at(`s/${guide}/~/git`));
  await page.getByLabel("Repository", { exact: true }).fill("https://git.example.com/docs.git");
  await page.getByRole("button", { name: "Import" }).click();
  await page.getByRole("alert").waitFor();
  await onPage(page, "git-refused");

  // Files of this device.
  await page.goto(at(`s/${guide}/~/import`));
  await page.getByLabel("Files").setInputFiles([
    { name: "one.md", mimeType: "text/markdown", buffer: Buffer.from("# From a file\n\nHere.\n") },
    { name: "two.html", mimeType: "text/html", buffer: Buffer.from("<title>Two</title><p>There.</p>") },
    { name: "three.exe", mimeType: "application/octet-stream", buffer: Buffer.from("x") },
  ]);
  await page.getByText("Skipped or changed: 1").waitFor();
  await page.getByRole("button", { name: "Import" }).last().click();
  await page.getByText("2 of 2").waitFor();
  await onPage(page, "import");
  const imported = await call("listPages", { params: { spaceId: guide } }, me);
  assert.deepEqual(
    imported.pages.slice(-2).map(({ title }) => title),
    ["From a file", "Two"],
  );

  await page.goto(at("jobs"));
  await page.getByText("No pending tasks").waitFor();

  // Somebody who may only read sees the site, and nothing to change.
  const { invites } = await call(
    "inviteByEmail",
    { params: org, body: { emails: ["rita@example.com"], role: "read" } },
    me,
  );
  const { user } = await api.provision({ user: { displayName: "Rita", email: "rita@example.com" } });
  await call("acceptInvite", { params: { ...org, inviteId: invites[0]!.id } }, { user });
  const other = await signedIn(stage, reading, complaints, user);
  await other.goto(at(`sites/${site}/look`));
  await other.getByText("Visible to people who can edit this site.").waitFor();
  await onPage(other, "look-of-a-reader");
  assert.equal(await other.getByRole("button", { name: "Unpublish" }).count(), 0);
  await other.goto(at(`sites/${site}`));
  await other.locator(".status", { hasText: "Published" }).waitFor();
  assert.equal(await other.getByRole("button", { name: /Unpublish|Delete site/ }).count(), 0);
  await onPage(other, "site-of-a-reader");
}

describeInBrowser(consoleStage, (open) => {
  test("in a browser, a site is created, previewed before it is saved, published, measured and given feedback", async () => {
    const { browser, stage } = open();
    const { wrong, onPage } = watchPages();
    const reading = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const complaints = await playAsAdmin(stage, browser, (page, complaints) =>
      publish(stage, page, reading, complaints, onPage),
    ).finally(() => reading.close());
    // Refusals are meant.
    assert.deepEqual(
      complaints.filter((it) => !/status of 4\d\d/.test(it)),
      [],
    );
    assert.deepEqual(wrong, []);
  });
});
