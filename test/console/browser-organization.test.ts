// Somebody runs an organization with the console: settings, single sign-on, the directory, access, people, tokens, the
// audit log and integrations.

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { describeInBrowser } from "../support/in-browser";
import { type ConsoleStage, consoleStage, type OnPage, playAsAdmin, signedIn, watchPages } from "./stage";

const script = `export default {
  async fetch(request) {
    console.log("heard", request.url);
    return new Response("fine");
  },
};`;

/** Gives a member who is no admin. */
async function runOrganization(stage: ConsoleStage, page: Page, onPage: OnPage): Promise<string> {
  const look = (name: string) => onPage(page, name);
  const { origin, organization, api } = stage;
  const { call } = api;
  const me = { user: stage.user };
  const params = { organizationId: organization };
  const at = (path: string) => page.goto(`${origin}/o/${organization}${path}`);
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const row = (text: string) => page.locator(".rows > li", { hasText: text });
  const confirm = (name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
  const saved = () => page.locator(".done", { hasText: "Saved" }).first().waitFor();

  // A second person, a team, and a space in a collection.
  const { user } = await api.provision({ user: { displayName: "Grace", email: "grace@example.com" } });
  const invite = await call("createLinkInvite", { params, body: { role: "read" } }, me);
  await call("acceptInvite", { params: { ...params, inviteId: invite.id } }, { user });
  const team = await call("createTeam", { params, body: { title: "Printers", members: [user] } }, me);
  const collection = await call("createCollection", { params, body: { title: "Shelf" } }, me);
  const space = await call("createSpace", { params, body: { title: "Almanac", parent: collection.id } }, me);
  await call("createSpace", { params, body: { title: "Atlas" } }, me);

  // An invite by email, on a server that sends none.
  await at("/people/invites");
  await page.getByLabel("Email addresses").fill("lin@example.com");
  await button("Invite").click();
  const invited = row("lin@example.com");
  await invited.getByText("This server can’t send email. Copy the link and send it to lin@example.com.").waitFor();
  const { items } = await call("listEmailInvites", { params }, me);
  await invited.getByText(items[0]!.urls.app, { exact: true }).waitFor();
  await invited.getByRole("button", { name: "Copy: lin@example.com" }).waitFor();
  await invited.getByRole("button", { name: "Extend" }).waitFor();
  await look("invites-by-hand");
  await invited.getByRole("button", { name: "Delete" }).click();
  await invited.waitFor({ state: "hidden" });

  // Settings.
  await at("/settings");
  await page.getByLabel("Title").fill("Letters and figures");
  await page.getByLabel("Subdomain").fill("letters");
  await page.getByLabel("Email domains").fill("example.com");
  await button("Save").click();
  await saved();
  await page.getByText("Verification pending").waitFor();
  await look("settings");
  const changed = await call("getOrganization", { params }, me);
  assert.deepEqual(
    [changed.title, changed.hostname, changed.emailDomains],
    ["Letters and figures", "letters", ["example.com"]],
  );
  await page.getByLabel("Subdomain").fill("No such");
  await button("Save").click();
  await page.getByRole("alert").getByText("body.hostname").waitFor();

  // Single sign-on.
  await at("/settings/sign-in");
  await button("New provider").click();
  await page.getByLabel("Button label").fill("Company");
  await button("Create").click();
  await page.getByRole("heading", { name: "Company" }).waitFor();
  await page.getByText("Incomplete").waitFor();
  await page.getByLabel("Entity ID (issuer)").fill("https://idp.example.com");
  await page.getByLabel("Default team").selectOption("Printers");
  await button("Save").click();
  await saved();
  await look("saml-provider");
  const [provider] = (await call("listSamlProviders", { params }, me)).items;
  assert.deepEqual([provider?.entityID, provider?.defaultTeam?.id], ["https://idp.example.com", team.id]);
  await page.getByLabel("Single sign-on URL").fill("http://idp.example.com/");
  await button("Save").click();
  await page.getByRole("alert").getByText("body.ssoURL").waitFor();
  await look("saml-provider-refused");
  await button("Delete").click();
  await page.getByRole("dialog").waitFor();
  await look("saml-provider-delete");
  await confirm("Delete");
  await page.getByText("No providers yet").waitFor();
  await look("sign-in");

  // The directory.
  await page.getByRole("link", { name: "Directory sync" }).click();
  await page.getByText(`/scim/v2/${organization}`).waitFor();
  await page.getByLabel("Directory name").fill("Entra");
  await button("New token").click();
  await page.getByText("Copy it now. It won’t be shown again.").waitFor();
  await look("directory");
  await row("Entra").getByRole("button", { name: "Revoke" }).click();
  await confirm("Revoke");
  await page.getByText("No directory connected").waitFor();

  // Who sees the space, and why.
  const why = (name: string) => page.locator(".who > li", { hasText: name });
  await at(`/s/${space.id}/~/access`);
  await why("Ada").getByText("Admin of the organization").waitFor();
  await why("Grace").getByText("Role in the organization").waitFor();
  await page.getByLabel("Default access").selectOption("none");
  await why("Grace").waitFor({ state: "detached" });
  await page.getByLabel("Team", { exact: true }).selectOption("Printers");
  await page
    .locator("form", { has: page.getByLabel("Team", { exact: true }) })
    .getByRole("button")
    .click();
  await why("Grace").getByText("Granted to the team “Printers” on “Almanac”").waitFor();
  await why("Grace").getByText("Editor").waitFor();
  await look("access");
  await at(`/c/${collection.id}/access`);
  await page.getByLabel("Person", { exact: true }).selectOption({ label: "Grace · grace@example.com" });
  await page
    .locator("form", { has: page.getByLabel("Person", { exact: true }) })
    .getByRole("button")
    .click();
  await why("Grace").getByText("Granted on “Shelf”").waitFor();
  await look("collection-access");
  await at(`/s/${space.id}/~/access`);
  await row("Printers").getByRole("button", { name: "Remove" }).click();
  await confirm("Remove");
  await why("Grace").getByText("Granted on “Shelf”").waitFor();

  // Settings of the space and of the collection.
  await page.getByRole("link", { name: "Space settings" }).click();
  // An emoji is found by its name, with the keyboard.
  await button("Choose emoji").click();
  await page.getByRole("dialog").getByLabel("Search").fill("blue book");
  await page.getByRole("button", { name: "📘 blue book" }).waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByLabel("Editing").selectOption("Change requests only");
  await button("Save").click();
  await saved();
  await page.getByLabel("Collection").selectOption("None (top level)");
  await button("Move").click();
  await page
    .locator("form", { has: page.getByLabel("Collection", { exact: true }) })
    .locator(".done", { hasText: "Saved" })
    .waitFor();
  await look("space-settings");
  const moved = await call("getSpace", { params: { spaceId: space.id } }, me);
  assert.deepEqual([moved.editMode, moved.parent, moved.emoji], ["locked", undefined, "📘"]);
  await at(`/c/${collection.id}/settings`);
  await look("collection-settings");
  await button("Delete collection").click();
  await confirm("Delete collection");
  await page.getByRole("heading", { name: "Library" }).waitFor();

  // People.
  await at("/people");
  await page.getByRole("link", { name: "Grace" }).waitFor();
  await look("members");
  await page.getByRole("link", { name: "Grace" }).click();
  await page.getByRole("heading", { name: "Accessible spaces" }).waitFor();
  await row("Atlas").waitFor();
  assert.equal(await row("Almanac").count(), 0);
  await page.getByText("Printers").waitFor();
  await look("Member");
  await at("/people/teams");
  await page.getByText("Printers").click();
  await button("Make owner").click();
  await button("Make member").waitFor();
  await look("teams");

  // Tokens.
  await page.goto(`${origin}/account`);
  await page.getByLabel("Name").fill("Reader");
  await page.getByLabel("Permissions").selectOption("Read-only");
  await button("Create").click();
  await page.getByText("Copy it now. It won’t be shown again.").waitFor();
  await row("Reader").getByText("Read-only").waitFor();
  await look("account");
  const reader = (await call("listTokens", {}, me)).items.find(({ label }) => label === "Reader");
  assert.ok(reader?.expiresAt && reader.scopes?.every((scope) => scope.endsWith(":read")));

  // An integration of one's own: made, installed, configured, and what it heard.
  await at("/integrations");
  await button("New integration").click();
  await page.getByLabel("Name").fill("bell");
  await page.getByLabel("Title").fill("Bell");
  await button("Create").click();
  const configurations = {
    account: { properties: { tone: { type: "string" }, loud: { type: "boolean" } }, required: ["tone"] },
  };
  await page.getByLabel("Manifest (JSON)").fill("[]");
  await button("Publish new version").click();
  await page.getByText("Not valid JSON of the expected type.").waitFor();
  await page.getByLabel("Manifest (JSON)").fill(JSON.stringify({ configurations }));
  await page.getByLabel("space:content:read").check();
  await page.getByLabel("Script", { exact: true }).fill(script);
  await button("Publish new version").click();
  await saved();
  await look("integration-edit");
  await page.locator("form", { hasText: "Replace secrets" }).getByLabel("Name").fill("KEY");
  await page.getByLabel("Value").fill("hush");
  await button("Replace secrets").click();
  await saved();
  await page.getByRole("link", { name: "Integration", exact: true }).click();
  await page.getByText("Not installed yet").waitFor();
  await look("integration");
  await page.getByRole("link", { name: "Letters and figures" }).last().click();
  await button("Install").waitFor();
  await look("install");
  await button("Install").click();
  await page.getByText("Needs configuration").waitFor();
  await look("installation-pending");
  await page.getByLabel("tone").fill("high");
  await page.getByLabel("loud").check();
  await page
    .locator("form", { has: page.getByLabel("tone") })
    .getByRole("button")
    .click();
  await page.locator(".status", { hasText: "Active" }).waitFor();
  await page.getByLabel("Add space").selectOption("Almanac");
  await page
    .locator("form", { has: page.getByLabel("Add space") })
    .getByRole("button")
    .click();
  await row("Almanac").waitFor();
  await look("installation");
  const [installed] = (await call("listOrganizationInstallations", { params }, me)).items;
  assert.deepEqual(installed?.installation.configuration, { tone: "high", loud: true });
  await page.getByRole("link", { name: "Events and logs" }).click();
  await page.getByText("installation_setup").first().waitFor();
  await page.locator(".rows summary").last().click();
  await page.getByText("Payload").waitFor();
  await look("integration-events");
  await at("/integrations");
  await row("Bell").first().waitFor();
  await look("integrations");
  await at("/integrations/bell");
  await button("Uninstall").click();
  await confirm("Uninstall");
  await page.getByText("No integrations installed").waitFor();

  // What was done is in the log.
  await at("/audit");
  await page.getByLabel("Action", { exact: true }).selectOption("uninstallIntegration");
  await page.locator(".rows summary", { hasText: "uninstallIntegration" }).click();
  await page.getByText("Status").waitFor();
  assert.equal(await page.locator(".rows > li").count(), 1);
  await look("audit");
  await page.getByLabel("Item ID").fill("spc_nothing");
  await page.getByText("No matching events").waitFor();
  return user;
}

/** What somebody who is no admin sees of it. */
async function refusedToOthers(stage: ConsoleStage, page: Page, onPage: OnPage): Promise<void> {
  const { origin, organization } = stage;
  for (const path of ["/settings", "/settings/sign-in", "/settings/directory", "/audit", "/people/invites"]) {
    await page.goto(`${origin}/o/${organization}${path}`);
    await page.getByText("Visible to admins only.").waitFor();
  }
  await onPage(page, "only-admins");
  await page.goto(`${origin}/o/${organization}`);
  await page.getByRole("link", { name: "People" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Audit log" }).count(), 0);
  await onPage(page, "library-of-a-reader");
}

describeInBrowser(consoleStage, (open) => {
  test("in a browser, an admin runs an organization, and a member sees nothing of that", async () => {
    const { browser, stage } = open();
    const { wrong, onPage } = watchPages();
    const complaints = await playAsAdmin(stage, browser, async (page) => {
      const user = await runOrganization(stage, page, onPage);
      const context = await browser.newContext();
      await refusedToOthers(stage, await signedIn(stage, context, [], user), onPage);
      await context.close();
    });
    // The browser tells of what was refused on purpose, and of what is asked for once more when it was just deleted.
    assert.deepEqual(
      complaints.filter((it) => !/status of 40[04]/.test(it)),
      [],
    );
    assert.deepEqual(wrong, []);
  });
});
