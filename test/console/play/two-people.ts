// The whole way of two people, through the server that `npm start` runs: the first start, a space from a repository, an
// invite, an edit that is proposed, discussed, in conflict, settled, reviewed and merged, and a site that shows it.

import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { en as words } from "../../../src/console/app/messages/catalogs/en";
import type { ServerProcess } from "../../sign-in/server-process";
import { everyPage, makeThings, openPage } from "./every-page";
import type { Hands } from "./hands";
import type { Book } from "./repository";

/** The longest that anything takes on a busy machine, in milliseconds. */
const MOST_MS = 180_000;

export interface Played {
  /** What the browser complained about. */
  readonly complaints: readonly string[];
}

export interface Playing {
  readonly browser: Browser;
  readonly server: ServerProcess;
  readonly book: Book;
  readonly hands: (page: Page) => Hands;
  /** Hears of every step that was done. */
  readonly onStep?: (name: string, milliseconds: number) => void;
  /** Hears of every page that is worth a look. */
  readonly onPage?: (page: Page, name: string) => Promise<void>;
}

export async function twoPeople({ browser, server, book, hands, onStep, onPage }: Playing): Promise<Played> {
  const { origin, prints } = server;
  const complaints: string[] = [];
  const look = async (page: Page, name: string) => onPage?.(page, name);
  const [adasProfile, gracesProfile] = [await browser.newContext(), await browser.newContext()];

  async function somebody(profile: typeof adasProfile): Promise<Hands> {
    const page = await profile.newPage();
    page.setDefaultTimeout(MOST_MS);
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    return hands(page);
  }
  async function step(name: string, act: () => Promise<void>): Promise<void> {
    const begun = performance.now();
    try {
      await act();
    } catch (error) {
      throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
    }
    onStep?.(name, performance.now() - begun);
  }

  const button = ({ page }: Hands, name: string) => page.getByRole("button", { name, exact: true }).first();
  const link = ({ page }: Hands, name: string | RegExp) =>
    page.getByRole("link", { name, exact: typeof name === "string" }).first();
  const heading = ({ page }: Hands, name: string | RegExp) =>
    page.getByRole("heading", { level: 1, name }).first().waitFor();
  const editorOf = ({ page }: Hands) => page.getByRole("textbox", { name: words.text });
  const isSaved = ({ page }: Hands) => page.locator(".state", { hasText: words.saved }).waitFor();

  const ada = await somebody(adasProfile);
  const grace = await somebody(gracesProfile);
  let organization = "";
  let space = "";
  const inSpace = (path = "") => `${origin}/o/${organization}/s/${space}${path}`;

  try {
    await step("the first start", async () => {
      const signIn = await prints(/^Sign in with a browser.*: (\S+)$/m);
      organization = await prints(/^The organization's id: (\S+)$/m);
      await prints(/^(Octavo answers)/m);
      await ada.page.goto(signIn);
      await ada.press(ada.page.locator("main form button").first());
      await ada.page.waitForURL(`${origin}/`);
    });

    await step("an organization without a space", async () => {
      await look(ada.page, "home");
      await ada.press(link(ada, "My organization"));
      await heading(ada, words.library);
      await look(ada.page, "library-empty");
    });

    await step("a space", async () => {
      await ada.press(button(ada, words.newSpace));
      await look(ada.page, "new-space");
      await ada.write(ada.page.getByRole("textbox", { name: words.title }), "Engines");
      await ada.press(button(ada, words.create));
      await heading(ada, "Engines");
      space = /\/s\/([^/]+)/.exec(ada.page.url())![1]!;
      await look(ada.page, "space-empty");
    });

    await step("a repository", async () => {
      await ada.fromMenu(button(ada, words.more), words.git);
      await heading(ada, words.git);
      await ada.write(ada.page.getByRole("textbox", { name: words.repository }), book.url);
      await ada.press(button(ada, words.gitImport));
      await ada.page.locator(".status", { hasText: words.gitImported }).waitFor();
      await look(ada.page, "git");
      await ada.press(link(ada, "Engines"));
      await ada.page.getByRole("treeitem", { name: "Care" }).waitFor();
      await ada.page.frameLocator("iframe.preview").getByText("how they are kept").waitFor();
      await look(ada.page, "space");
    });

    await step("an invite", async () => {
      await ada.press(link(ada, words.people));
      await heading(ada, words.people);
      await look(ada.page, "members");
      await ada.press(link(ada, words.invites));
      await ada.write(ada.page.getByRole("textbox", { name: words.emails }), "grace@example.com");
      await ada.press(button(ada, words.invite));
      await ada.page.getByText("grace@example.com").waitFor();
      await look(ada.page, "invites");
      const invite = await prints(/^Mail to grace@example\.com: You are invited to My organization\n {2}(\S+)$/m);
      await grace.page.goto(invite);
      await grace.press(grace.page.locator("main a.button").first());
      await grace.write(grace.page.locator("input[name=email]"), "grace@example.com");
      await grace.press(grace.page.locator("main form button").first());
      const code = await prints(/^ {2}([0-9A-Z]{4}-[0-9A-Z]{4})$/m);
      await grace.write(grace.page.locator("input[name=code]"), code);
      await grace.press(grace.page.locator("main form button").first());
      await grace.page.waitForURL(invite);
      await grace.press(grace.page.locator("main form button").first());
      await heading(grace, words.library);
    });

    await step("an edit in a change request", async () => {
      await grace.page.goto(`${origin}/`);
      await grace.press(link(grace, "My organization"));
      await grace.press(link(grace, /^Engines/));
      await grace.fromTree(grace.page.getByRole("tree"), "Care");
      await grace.page.frameLocator("iframe.preview").getByText("every week").waitFor();
      await grace.press(button(grace, words.editInChangeRequest));
      await grace.append(editorOf(grace), "\nLet it **rest** at night.");
      await grace.page.frameLocator("iframe.preview").locator("strong", { hasText: "rest" }).waitFor();
      await look(grace.page, "editor");
      await grace.prepend(editorOf(grace), "Grace says: ");
      await grace.press(button(grace, words.save));
      await isSaved(grace);
    });

    await step("proposed", async () => {
      await grace.press(link(grace, `${words.changeRequest} #1`));
      await heading(grace, /^#1/);
      await grace.write(grace.page.getByRole("textbox", { name: words.subject }), "Rest at night");
      await grace.press(button(grace, words.save));
      await heading(grace, "#1 Rest at night");
      await grace.press(button(grace, words.askForReview));
      await grace.page.locator(".status", { hasText: words.statusOpen }).waitFor();
      await grace.page.frameLocator("iframe.preview").locator("ins", { hasText: "rest" }).first().waitFor();
      await look(grace.page, "change-request");
    });

    await step("commented", async () => {
      await ada.press(link(ada, words.changeRequests));
      await heading(ada, words.changeRequests);
      await look(ada.page, "change-requests");
      await ada.press(link(ada, /Rest at night/));
      await heading(ada, "#1 Rest at night");
      await ada.write(ada.page.getByRole("textbox", { name: words.newComment }), "Every night?");
      await ada.press(button(ada, words.postComment));
      await ada.page.locator(".comment", { hasText: "Every night?" }).waitFor();
      await look(ada.page, "change-request-comment");
    });

    await step("in conflict", async () => {
      await ada.press(link(ada, "Engines"));
      await ada.fromTree(ada.page.getByRole("tree"), "Care");
      await ada.page.frameLocator("iframe.preview").getByText("every week").waitFor();
      await ada.fromMenu(button(ada, words.more), words.editHere);
      await ada.prepend(editorOf(ada), "Ada says: ");
      await ada.press(button(ada, words.save));
      await isSaved(ada);
      await ada.page.goto(inSpace("/~/changes"));
      await ada.press(link(ada, /Rest at night/));
      await heading(ada, "#1 Rest at night");
      await ada.press(button(ada, words.merge));
      await ada.page.getByRole("alert").getByText(words.mergeHasConflicts).waitFor();
      await button(ada, words.putTogether).waitFor();
      await grace.page.reload();
      await heading(grace, "#1 Rest at night");
      await button(grace, words.putTogether).waitFor();
      await look(grace.page, "conflict");
    });

    await step("settled", async () => {
      await grace.press(button(grace, words.putTogether));
      const dialog = grace.page.getByRole("dialog");
      await dialog.getByText("Ada says").waitFor();
      await look(grace.page, "conflict-together");
      await grace.prepend(dialog.getByRole("textbox", { name: words.yours }), "Both agree. ");
      await grace.press(dialog.getByRole("button", { name: words.saveMerged }));
      await dialog.waitFor({ state: "detached" });
      await button(grace, words.putTogether).waitFor({ state: "detached" });
    });

    await step("reviewed", async () => {
      await ada.page.goto(inSpace("/~/changes/1"));
      await heading(ada, "#1 Rest at night");
      await ada.write(ada.page.getByRole("textbox", { name: words.yourReview }), "Good now.");
      await ada.press(button(ada, words.approve));
      await ada.page.getByText(words.approved, { exact: true }).first().waitFor();
      await look(ada.page, "reviewed");
    });

    await step("merged", async () => {
      await ada.press(button(ada, words.merge));
      await ada.page.locator(".status", { hasText: words.statusMerged }).waitFor();
    });

    await step("published", async () => {
      await ada.press(link(ada, words.sites));
      await heading(ada, words.sites);
      await ada.press(button(ada, words.newSite));
      await ada.write(ada.page.getByRole("textbox", { name: words.title }), "Engines for all");
      await ada.choose(ada.page.getByRole("combobox", { name: words.firstSpace }), "Engines");
      await look(ada.page, "new-site");
      await ada.press(button(ada, words.create));
      await heading(ada, "Engines for all");
      await ada.press(button(ada, words.publish));
      await link(ada, words.openSite).waitFor();
      await look(ada.page, "site");
    });

    await step("open for everybody", async () => {
      const [opened] = await Promise.all([adasProfile.waitForEvent("page"), ada.press(link(ada, words.openSite))]);
      await opened.getByRole("heading", { name: "Engines", level: 1 }).waitFor();
      await opened.goto(`${opened.url().replace(/\/$/, "")}/care`);
      const text = await opened.locator("article").textContent();
      assert.match(text ?? "", /Both agree\. Grace says: Oil the engine/);
      assert.match(text ?? "", /Let it rest at night\./);
      await opened.close();
    });

    if (onPage)
      await step("every page", async () => {
        const things = await makeThings(ada.page, origin, { organization, space });
        for (const it of everyPage(things)) {
          await openPage(ada.page, origin, it);
          await look(ada.page, it.name);
        }
      });
  } catch (error) {
    for (const { page } of [ada, grace]) {
      const shown = await page
        .locator("body")
        .textContent()
        .catch(() => "");
      console.error(`${page.url()}\n${shown?.slice(0, 2000)}\n`);
    }
    throw error;
  } finally {
    await Promise.all([adasProfile.close(), gracesProfile.close()]);
  }
  return { complaints };
}
