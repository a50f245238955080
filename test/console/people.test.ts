// The whole way of two people, through the server that `npm start` runs: the first start, a space from a repository, an
// invite, an edit that is proposed, discussed, in conflict, settled, reviewed and merged, and a site that shows it. They go it
// with a pointer, while every page is looked at, with the keyboard alone, and on S3. Then somebody types into a long page.

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import { describe, test } from "vitest";
import { console as words } from "../../src/locales/en.json";
import { s3Environment, s3Server } from "../adapters/s3/server";
import { backend, git } from "../git/backend";
import { type ServerProcess, startServer } from "../sign-in/server-process";
import { describeInBrowser } from "../support/in-browser";
import { host } from "../support/listening";
import { isLongRun } from "../support/test-length";
import { everyPage, makeThings, openPage } from "./every-page";
import { type OnPage, watchPages } from "./stage";

/** How somebody uses a page: with a pointer, or with the keyboard alone. A play is the same for both. */
interface Hands {
  readonly page: Page;
  /** Presses a button, or follows a link. */
  readonly press: (what: Locator) => Promise<void>;
  /** Writes into a field, in place of what is there. */
  readonly write: (field: Locator, text: string) => Promise<void>;
  /** Goes to the end of a text and writes on. */
  readonly append: (field: Locator, text: string) => Promise<void>;
  /** Goes to the start of a text and writes. */
  readonly prepend: (field: Locator, text: string) => Promise<void>;
  /** Takes an option of a list. */
  readonly choose: (list: Locator, option: string) => Promise<void>;
  /** Opens an item of a tree. */
  readonly fromTree: (tree: Locator, item: string) => Promise<void>;
  /** Opens a menu and takes an item. */
  readonly fromMenu: (menu: Locator, item: string) => Promise<void>;
}

function pointer(page: Page): Hands {
  const at = async (field: Locator, key: string, text: string) => {
    await field.click();
    await page.keyboard.press(key);
    await page.keyboard.type(text);
  };
  return {
    page,
    press: (what) => what.click(),
    write: (field, text) => field.fill(text),
    append: (field, text) => at(field, "Control+End", text),
    prepend: (field, text) => at(field, "Control+Home", text),
    async choose(list, option) {
      await list.selectOption({ label: option });
    },
    fromTree: (tree, item) => tree.getByRole("treeitem", { name: item }).click(),
    async fromMenu(menu, item) {
      await menu.click();
      await page.getByRole("menuitem", { name: item }).click();
    },
  };
}

/** How often Tab is pressed before something counts as out of reach. */
const MOST_TABS = 300;

/** Nothing but keys: Tab, arrows, Enter, Space and letters. */
function keysAlone(page: Page): Hands {
  const { keyboard } = page;
  const hasFocus = (what: Locator) => what.evaluate((it) => it === it.ownerDocument.activeElement);

  /** Goes there with Tab, through the page and round again. What has the focus must be seen to have it. */
  async function reach(what: Locator): Promise<void> {
    await what.waitFor();
    for (let i = 0; i < MOST_TABS; i++) {
      if (await hasFocus(what)) {
        const isSeen = await what.evaluate((it) => {
          // What is typed into the editor stands in a box, which shows it. No function has a name here: bundlers would
          // call one of their own for it, which the page does not have.
          return [it, it.closest(".cm-editor"), it.closest(".markdown")].some((box) => {
            if (!box) return false;
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(box);
            return (outlineStyle !== "none" && Number.parseFloat(outlineWidth) > 0) || boxShadow !== "none";
          });
        });
        if (!isSeen) throw new Error(`The focus is not seen on ${what}.`);
        return;
      }
      await keyboard.press("Tab");
    }
    throw new Error(`${what} cannot be reached with Tab.`);
  }

  /** Goes down with the arrow keys. */
  async function walkTo(what: Locator, name: string): Promise<void> {
    await what.waitFor();
    for (let i = 0; i < 50 && !(await hasFocus(what)); i++) await keyboard.press("ArrowDown");
    if (!(await hasFocus(what))) throw new Error(`“${name}” cannot be reached with the arrow keys.`);
  }

  const at = async (field: Locator, key: string, text: string) => {
    await reach(field);
    await keyboard.press(key);
    await keyboard.type(text);
  };

  return {
    page,
    async press(what) {
      await reach(what);
      await keyboard.press("Enter");
    },
    write: (field, text) => at(field, "Control+a", text),
    append: (field, text) => at(field, "Control+End", text),
    prepend: (field, text) => at(field, "Control+Home", text),
    async choose(list, option) {
      await reach(list);
      await keyboard.press("Home");
      const chosen = () => list.evaluate((it) => (it as HTMLSelectElement).selectedOptions[0]?.label ?? "");
      for (let i = 0; i < 50 && (await chosen()) !== option; i++) await keyboard.press("ArrowDown");
      if ((await chosen()) !== option) throw new Error(`“${option}” cannot be chosen with the arrow keys.`);
    },
    async fromTree(tree, item) {
      // A tree is one stop of Tab. The arrows walk in it.
      await reach(tree.locator("[role=treeitem][tabindex='0']"));
      await keyboard.press("Home");
      await walkTo(tree.getByRole("treeitem", { name: item }), item);
      await keyboard.press("Enter");
    },
    async fromMenu(menu, item) {
      await reach(menu);
      await keyboard.press("Enter");
      await walkTo(page.getByRole("menuitem", { name: item }), item);
      await keyboard.press("Enter");
    },
  };
}

const files = {
  "README.md": "# Engines\n\nWhat they are, and how they are kept.\n",
  "SUMMARY.md": "# Contents\n\n* [Engines](README.md)\n* [Care](care.md)\n* [Parts](parts.md)\n",
  "care.md": "# Care\n\nOil the engine every week.\n\nKeep the room dry.\n",
  "parts.md": "# Parts\n\n| Part | Wears |\n| --- | --- |\n| Barrel | slowly |\n| Lever | quickly |\n",
};

interface Book {
  readonly host: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

async function bookInGit(): Promise<Book> {
  const root = await mkdtemp(join(tmpdir(), "octavo-play-git-"));
  const work = join(root, "work");
  await mkdir(work);
  for (const [path, text] of Object.entries(files)) await writeFile(join(work, path), text);
  await git(work, ["init", "-q", "-b", "main"]);
  await git(work, ["add", "."]);
  await git(work, ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "A book"]);
  await git(root, ["clone", "-q", "--bare", "work", "engines.git"]);
  const { origin, close } = await host((request, response) => backend(root, request, response));
  return {
    host: new URL(origin).host,
    url: `${origin}/engines.git`,
    async close() {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The longest that anything takes on a busy machine, in milliseconds. */
const MOST_MS = 180_000;

interface Playing {
  readonly browser: Browser;
  readonly server: ServerProcess;
  readonly book: Book;
  readonly hands: (page: Page) => Hands;
  /** Hears of every page that is worth a look. */
  readonly onPage?: OnPage;
}

async function twoPeople({ browser, server, book, hands, onPage }: Playing): Promise<readonly string[]> {
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
    console.info(`  ${name.padEnd(34)} ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }

  const button = ({ page }: Hands, name: string) => page.getByRole("button", { name, exact: true }).first();
  const link = ({ page }: Hands, name: string | RegExp) =>
    page.getByRole("link", { name, exact: typeof name === "string" }).first();
  const heading = ({ page }: Hands, name: string | RegExp) =>
    page.getByRole("heading", { level: 1, name }).first().waitFor();
  const editorOf = ({ page }: Hands) => page.getByRole("textbox", { name: words.editor.text });
  const isSaved = ({ page }: Hands) => page.locator(".state", { hasText: words.general.saved }).waitFor();

  const ada = await somebody(adasProfile);
  const grace = await somebody(gracesProfile);
  let organization = "";
  let space = "";
  const inSpace = (path = "") => `${origin}/o/${organization}/s/${space}${path}`;

  try {
    await step("the first start", async () => {
      const signIn = await prints(/^Sign in with your browser.*: (\S+)$/m);
      organization = await prints(/^Organization ID: (\S+)$/m);
      await prints(/^(Octavo is running)/m);
      await ada.page.goto(signIn);
      await ada.press(ada.page.locator("main form button").first());
      await ada.page.waitForURL((url) => url.pathname.startsWith("/o/"));
    });

    await step("an organization without a space", async () => {
      await heading(ada, words.layout.library);
      await look(ada.page, "library-empty");
    });

    await step("a space", async () => {
      await ada.press(ada.page.getByRole("button", { name: words.library.connectGit }));
      await heading(ada, words.git.git);
      space = /\/s\/([^/?]+)/.exec(ada.page.url())![1]!;
      await ada.press(link(ada, words.library.untitledSpace));
      await ada.page.getByText(words.space.noPages).waitFor();
      await ada.press(button(ada, words.general.rename));
      await ada.write(ada.page.getByRole("textbox", { name: words.general.title }), "Engines");
      await ada.page.keyboard.press("Enter");
      await link(ada, "Engines").waitFor();
      await look(ada.page, "space-empty");
    });

    await step("a repository", async () => {
      await ada.fromMenu(button(ada, words.general.more), words.git.git);
      await heading(ada, words.git.git);
      await ada.write(ada.page.getByRole("textbox", { name: words.git.repository }), book.url);
      await ada.press(button(ada, words.git.gitImport));
      await ada.page.locator(".status", { hasText: words.git.gitImported }).waitFor();
      await look(ada.page, "git");
      await ada.press(link(ada, "Engines"));
      await ada.page.getByRole("treeitem", { name: "Care" }).waitFor();
      await ada.page.frameLocator("iframe.preview").getByText("how they are kept").waitFor();
      await look(ada.page, "space");
    });

    await step("an invite", async () => {
      await ada.press(button(ada, words.layout.navigation));
      await ada.press(link(ada, words.layout.people));
      await heading(ada, words.layout.people);
      await look(ada.page, "members");
      await ada.press(link(ada, words.people.invites));
      await ada.write(ada.page.getByRole("textbox", { name: words.people.emails }), "grace@example.com");
      await ada.press(button(ada, words.people.invite));
      await ada.page.getByText("grace@example.com").waitFor();
      await look(ada.page, "invites");
      const invite = await prints(/^Email to grace@example\.com: You’ve been invited to My organization\n {2}(\S+)$/m);
      await grace.page.goto(invite);
      await grace.press(grace.page.locator("main a.button").first());
      await grace.write(grace.page.locator("input[name=email]"), "grace@example.com");
      await grace.press(grace.page.locator("main form button").first());
      const code = await prints(/^ {2}([0-9A-Z]{4}-[0-9A-Z]{4})$/m);
      await grace.write(grace.page.locator("input[name=code]"), code);
      await grace.press(grace.page.locator("main form button").first());
      await grace.page.waitForURL(invite);
      await grace.press(grace.page.locator("main form button").first());
      await heading(grace, words.layout.library);
    });

    await step("an edit in a change request", async () => {
      await grace.page.goto(`${origin}/`);
      await grace.press(link(grace, /^Engines/));
      await grace.fromTree(grace.page.getByRole("tree"), "Care");
      await grace.page.frameLocator("iframe.preview").getByText("every week").waitFor();
      await grace.press(button(grace, words.space.editInChangeRequest));
      await grace.append(editorOf(grace), "\nLet it **rest** at night.");
      await grace.page.frameLocator("iframe.preview").locator("strong", { hasText: "rest" }).waitFor();
      await look(grace.page, "editor");
      await grace.prepend(editorOf(grace), "Grace says: ");
      await grace.press(button(grace, words.general.save));
      await isSaved(grace);
    });

    await step("proposed", async () => {
      await grace.press(link(grace, `${words.changeRequests.changeRequest} #1`));
      await heading(grace, `${words.changeRequests.changeRequest} #1`);
      await grace.press(button(grace, words.changeRequests.askForReview));
      const dialog = grace.page.getByRole("dialog");
      await grace.write(dialog.getByRole("textbox", { name: words.changeRequests.subject }), "Rest at night");
      await grace.press(dialog.getByRole("button", { name: words.changeRequests.askForReview }));
      await heading(grace, "Rest at night");
      await grace.page.locator(".status", { hasText: words.changeRequests.statusOpen }).waitFor();
      await grace.page.frameLocator("iframe.preview").locator("ins", { hasText: "rest" }).first().waitFor();
      await look(grace.page, "change-request");
    });

    await step("commented", async () => {
      await ada.press(link(ada, words.layout.changeRequests));
      await heading(ada, words.layout.changeRequests);
      await look(ada.page, "change-requests");
      await ada.press(link(ada, /Rest at night/));
      await heading(ada, "Rest at night");
      await ada.write(ada.page.getByRole("textbox", { name: words.comments.newComment }), "Every night?");
      await ada.press(button(ada, words.comments.postComment));
      await ada.page.locator(".comment", { hasText: "Every night?" }).waitFor();
      await look(ada.page, "change-request-comment");
    });

    await step("in conflict", async () => {
      await ada.press(link(ada, "Engines"));
      await ada.fromTree(ada.page.getByRole("tree"), "Care");
      await ada.page.frameLocator("iframe.preview").getByText("every week").waitFor();
      await ada.press(button(ada, words.space.edit));
      await ada.prepend(editorOf(ada), "Ada says: ");
      await ada.press(button(ada, words.general.save));
      await isSaved(ada);
      await ada.page.goto(inSpace("/~/changes"));
      await ada.press(link(ada, /Rest at night/));
      await heading(ada, "Rest at night");
      await ada.press(button(ada, words.changeRequests.merge));
      await ada.page.getByRole("alert").getByText(words.changeRequests.mergeHasConflicts).waitFor();
      await button(ada, words.changeRequests.putTogether).waitFor();
      await grace.page.reload();
      await heading(grace, "Rest at night");
      await button(grace, words.changeRequests.putTogether).waitFor();
      await look(grace.page, "conflict");
    });

    await step("settled", async () => {
      await grace.press(button(grace, words.changeRequests.putTogether));
      const dialog = grace.page.getByRole("dialog");
      await dialog.getByText("Ada says").waitFor();
      await look(grace.page, "conflict-together");
      await grace.prepend(dialog.getByRole("textbox", { name: words.editor.yours }), "Both agree. ");
      await grace.press(dialog.getByRole("button", { name: words.editor.saveMerged }));
      await dialog.waitFor({ state: "detached" });
      await button(grace, words.changeRequests.putTogether).waitFor({ state: "detached" });
    });

    await step("reviewed", async () => {
      await ada.page.goto(inSpace("/~/changes/1"));
      await heading(ada, "Rest at night");
      await ada.write(ada.page.getByRole("textbox", { name: words.reviews.yourReview }), "Good now.");
      await ada.press(button(ada, words.changeRequests.approve));
      await ada.page.getByText(words.reviews.approved, { exact: true }).first().waitFor();
      await look(ada.page, "reviewed");
    });

    await step("merged", async () => {
      await ada.press(button(ada, words.changeRequests.merge));
      await ada.page.locator(".status", { hasText: words.changeRequests.statusMerged }).waitFor();
    });

    await step("published", async () => {
      await ada.press(link(ada, words.layout.sites));
      await heading(ada, words.layout.sites);
      await ada.press(button(ada, words.sites.newSite));
      await ada.write(ada.page.getByRole("textbox", { name: words.general.title }), "Engines for all");
      await ada.choose(ada.page.getByRole("combobox", { name: words.sites.firstSpace }), "Engines");
      await look(ada.page, "new-site");
      await ada.press(button(ada, words.general.create));
      await heading(ada, "Engines for all");
      await ada.press(button(ada, words.sites.publish));
      await link(ada, words.sites.openSite).waitFor();
      await look(ada.page, "site");
    });

    await step("open for everybody", async () => {
      const [opened] = await Promise.all([
        adasProfile.waitForEvent("page"),
        ada.press(link(ada, words.sites.openSite)),
      ]);
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
  return complaints;
}

/** The length of the page, in characters. */
const LENGTH = 100_000;
const LETTERS = "Letters that somebody types one after the other, in good time. ";

interface Typed {
  /** What came over the network for a first page, with an empty cache. */
  readonly first: { readonly bytes: number; readonly requests: number; readonly milliseconds: number };
  /** What came when the editor was opened on the long page. */
  readonly editor: { readonly bytes: number; readonly requests: number; readonly milliseconds: number };
  /** From a key to the next frame that is painted, in milliseconds, in order. */
  readonly letters: readonly number[];
}

async function typing(browser: Browser, { origin, prints }: ServerProcess): Promise<Typed> {
  const signIn = await prints(/^Sign in with your browser.*: (\S+)$/m);
  const organization = await prints(/^Organization ID: (\S+)$/m);
  await prints(/^(Octavo is running)/m);
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(signIn);
    await page.locator("main form button").first().click();
    await page.waitForURL(/sign-in$/);
    const post = async (path: string, data: object) => {
      const answer = await page.request.post(`${origin}/v1${path}`, { data, headers: { origin } });
      assert.ok(answer.ok(), await answer.text());
      return (await answer.json()) as { id: string };
    };
    const space = await post(`/orgs/${organization}/spaces`, { title: "Long" });
    const inserted = { operation: "insert_page", title: "Long", document: { markdown: longText() } };
    await post(`/spaces/${space.id}/content`, { changes: [inserted] });

    const first = await weighed(page, async () => {
      await page.goto(`${origin}/`);
      await page.getByRole("link", { name: "My organization" }).first().waitFor();
    });
    await page.goto(`${origin}/o/${organization}/s/${space.id}/long`);
    await page.frameLocator("iframe.preview").locator("p").last().waitFor();
    const content = page.locator(".cm-content");
    const editor = await weighed(page, async () => {
      await page.getByRole("button", { name: words.space.edit, exact: true }).click();
      await content.waitFor();
    });
    await content.click();
    await page.evaluate(() => {
      const taken: number[] = [];
      Object.assign(window, { taken });
      addEventListener(
        "keydown",
        () => {
          const begun = performance.now();
          // A message that is posted in a frame is heard after the frame was painted.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => taken.push(performance.now() - begun);
            port2.postMessage(0);
          });
        },
        true,
      );
    });
    for (const key of ["Control+End", "Control+Home"]) {
      await page.keyboard.press(key);
      await page.keyboard.type(LETTERS, { delay: 60 });
    }
    const taken = await page.evaluate(() => (window as unknown as { taken: number[] }).taken);
    await page.locator(".state", { hasText: words.editor.unsaved }).waitFor();
    return { first, editor, letters: taken.toSorted((a, b) => a - b) };
  } finally {
    await context.close();
  }
}

/** Chapters with paragraphs, lists and code. */
function longText(): string {
  const chapter = (n: number) =>
    `## Chapter ${n}\n\n${LETTERS.repeat(6)}\n\n- *One* of ${n}\n- **Two** of ${n}\n\n\`\`\`js\nconst answer = ${n};\n\`\`\`\n\n`;
  let text = "# Long\n\n";
  for (let n = 1; text.length < LENGTH; n++) text += chapter(n);
  return text;
}

async function weighed(page: Page, act: () => Promise<void>): Promise<Typed["first"]> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  let requests = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  const begun = performance.now();
  await act();
  const milliseconds = performance.now() - begun;
  // What is loaded late. The stream of events never ends.
  await page.waitForTimeout(500);
  await session.detach();
  return { bytes, requests, milliseconds };
}

describeInBrowser(bookInGit, (open) => {
  async function play(
    hands: Playing["hands"],
    variables: Readonly<Record<string, string>> = {},
    onPage?: OnPage,
  ): Promise<void> {
    const { browser, stage: book } = open();
    const server = await startServer({ EGRESS_ALLOW: book.host, ...variables });
    try {
      assert.deepEqual(await twoPeople({ browser, server, book, hands, ...(onPage ? { onPage } : {}) }), []);
    } finally {
      await server.close();
    }
  }

  describe.runIf(isLongRun)("two people", () => {
    test("two people write, review and publish with the console, and every page of it is accessible", async () => {
      const { wrong, onPage } = watchPages();
      await play(pointer, {}, onPage);
      assert.deepEqual(wrong, []);
    });

    test("two people write, review and publish with the console by keyboard alone", () => play(keysAlone));

    test("two people write, review and publish with the console on S3", async () => {
      const s3 = await s3Server();
      if ("leftOut" in s3) return console.log(`The console on S3 was left out: ${s3.leftOut}.`);
      const secret = "the secret of a play on S3, long enough";
      const storage = { STORAGE: "s3", S3_PREFIX: `console-${process.pid}/`, SECRET: secret };
      await play(pointer, { ...s3Environment(s3), ...storage });
    });

    test("somebody types into a page of 100 KB, and the time until each letter is painted is printed", async () => {
      const server = await startServer();
      try {
        const { first, editor, letters } = await typing(open().browser, server);
        const loaded = ({ bytes, requests, milliseconds }: Typed["first"]) =>
          `${(bytes / 1024).toFixed(1)} KB in ${requests} requests, ${milliseconds.toFixed(0)} ms`;
        const at = (share: number) => `${letters[Math.floor((letters.length - 1) * share)]!.toFixed(0)} ms`;
        console.info(`The first load: ${loaded(first)}.`);
        console.info(`The editor on a page of 100 KB: ${loaded(editor)}.`);
        console.info(`A letter until it is painted: ${at(0.5)} in the middle, ${at(0.95)} at 95 %, ${at(1)} at most.`);
      } finally {
        await server.close();
      }
    });
  });
});
