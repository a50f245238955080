// Two people come in with browsers of their own, through the server that `npm start` runs: the first by the link that it prints,
// the second by an invite and a mail. One is removed again. On the way every page is looked at: light and dark, on a phone
// and on a wide screen, with every rule of accessibility.

import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { languageNames } from "../../src/locales/languages";
import { describeInBrowser } from "../support/in-browser";
import { checkPage, screens, takePicture } from "../support/look";
import { isLongRun } from "../support/test-length";
import { startServer } from "./server-process";

describeInBrowser(startServer, (open) => {
  test.runIf(isLongRun)(
    "two people sign in with browsers by a link, an invite and a mail, and one is removed",
    async () => {
      const wrong: string[] = [];

      function sees(what: string, is: unknown, should: unknown): void {
        if (is !== should) wrong.push(`${what}: ${JSON.stringify(is)} is not ${JSON.stringify(should)}`);
      }

      /** Looks at the page that is open, on every screen and in both colours. */
      async function look(page: Page, name: string, title: string | RegExp): Promise<void> {
        const heading = (await page.locator("h1").textContent()) ?? "";
        if (typeof title === "string" ? heading !== title : !title.test(heading))
          wrong.push(`${name}: the heading is ${JSON.stringify(heading)}`);
        for (const [screen, size] of Object.entries(screens))
          for (const colorScheme of ["light", "dark"] as const) {
            await page.setViewportSize(size);
            await page.emulateMedia({ colorScheme });
            const seen = await checkPage(page);
            wrong.push(...seen.wrong.map((it) => `${name} (${screen}, ${colorScheme}): ${it}`));
            await takePicture(page, `${name}-${screen}-${colorScheme}`);
          }
      }

      async function newPage(profile: BrowserContext): Promise<Page> {
        const page = await profile.newPage();
        page.on("console", (message) => {
          if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) wrong.push(message.text());
        });
        page.on("pageerror", (error) => wrong.push(error.message));
        return page;
      }

      const { browser, stage } = open();
      const { origin, prints } = stage;
      // Each profile has its own cookies. The third has no scripts: pages work without.
      const [ada, grace] = [await browser.newContext(), await browser.newContext()];
      const plain = await browser.newContext({ javaScriptEnabled: false });
      try {
        const link = await prints(/^Sign in with your browser.*: (\S+)$/m);
        const organization = await prints(/^Organization ID: (\S+)$/m);
        await prints(/^(Octavo is running)/m);
        const admin = await newPage(ada);
        await admin.goto(link);
        await look(admin, "link", "Sign in");
        await admin.click("main form button");
        await admin.waitForURL(`${origin}/`);
        await admin.goto(`${origin}/sign-in`);
        await look(admin, "signed-in", "You’re signed in");
        const again = await newPage(plain);
        await again.goto(link);
        sees("the link, a second time", await again.locator("h1").textContent(), "This link has expired");

        // The admin invites somebody, with the session alone.
        const api = `${origin}/v1/orgs/${organization}`;
        const headers = { origin };
        const made = await ada.request.post(`${api}/invites`, {
          headers,
          data: { emails: ["grace@example.com"], role: "edit" },
        });
        sees("inviting", made.status(), 200);
        const invite = await prints(
          /^Email to grace@example\.com: You’ve been invited to My organization\n {2}(\S+)$/m,
        );

        const page = await newPage(grace);
        await page.goto(invite);
        await look(page, "invite", "Join My organization");
        await page.click("main a.button");
        await look(page, "sign-in", "Sign in");
        for (const language of Object.keys(languageNames)) {
          const other = await newPage(await browser.newContext());
          await other.setViewportSize(screens.phone);
          await other.goto(`${origin}/sign-in?lang=${language}`);
          const seen = await checkPage(other);
          wrong.push(...seen.wrong.map((it) => `sign-in in ${language}: ${it}`));
          await takePicture(other, `language-${language}`);
          await other.context().close();
        }
        await page.locator("input[name=email]").evaluate((it) => it.setAttribute("type", "text"));
        await page.fill("input[name=email]", "grace");
        await page.click("main form button");
        await look(page, "sign-in-wrong", "Sign in");
        await page.fill("input[name=email]", "grace@example.com");
        await page.click("main form button");
        await look(page, "check-mail", "Check your email");
        const mailed = await prints(/^Email to grace@example\.com: Sign in to \S+\n {2}(\S+)$/m);
        const code = await prints(/^ {2}([0-9A-Z]{4}-[0-9A-Z]{4})$/m);
        const elsewhere = await newPage(ada);
        await elsewhere.goto(mailed);
        await look(elsewhere, "elsewhere", "Open the link in the original browser");
        const second = await newPage(grace);
        await second.goto(mailed);
        await look(second, "mail-link", "Sign in");
        await second.close();
        await page.fill("input[name=code]", "AAAA-AAAA");
        await page.click("main form button");
        await look(page, "code-wrong", "Check your email");
        await page.fill("input[name=code]", code);
        await page.click("main form button");
        sees("after the code", page.url(), invite);
        await look(page, "invite-signed-in", "Join My organization");
        await page.locator("main form button").first().click();
        await page.waitForURL(`${origin}/o/${organization}`);
        await page.goto(api);
        sees("the organization for Grace", (await page.textContent("body"))?.includes("My organization"), true);

        // An invite that is for somebody else, one that is used, and a form of another site.
        await admin.goto(invite);
        await look(admin, "invite-over", "This invite is no longer valid");
        const other = await ada.request.post(`${api}/invites`, { headers, data: { emails: ["kay@example.com"] } });
        await page.goto((await other.json()).invites[0].urls.app);
        await look(page, "invite-for-other", "This invite is for someone else");
        await page.goto(`data:text/html,<form method="post" action="${origin}/sign-out"><button>Out</button></form>`);
        await page.click("button");
        await look(page, "cross-site", "Something went wrong");

        // Grace has a page open. She is removed, and the next request shows nothing more.
        await page.goto(api);
        const people = await (await ada.request.get(`${api}/members`)).json();
        const her = people.items.find(({ user }: { user: { email: string } }) => user.email === "grace@example.com");
        const gone = await ada.request.delete(`${api}/members/${her.id}`, { headers });
        sees("removing", gone.status(), 204);
        const reloaded = await page.reload();
        sees("the open page of the removed member", reloaded?.status(), 404);
        await page.goto(`${origin}/sign-in`);
        await look(page, "signed-in-alone", "You’re signed in");

        await page.goto(`${origin}/sign-out`);
        await look(page, "sign-out", "Sign out");
        await page.click("main form button");
        await look(page, "signed-out", "You’re signed out");
        const nobody = await page.goto(`${origin}/v1/user`);
        sees("after signing out", nobody?.status(), 401);
        await page.goto(`${origin}/sign-in/link/unknown`);
        await look(page, "link-ended", "This link has expired");

        // Sessions that are ended from elsewhere.
        const ended = await ada.request.delete(`${origin}/v1/user/sessions`, { headers });
        sees("ending all sessions", ended.status(), 204);
        sees("the admin afterwards", (await ada.request.get(`${origin}/v1/user`)).status(), 401);

        // The whole way without scripts.
        const without = await newPage(plain);
        await without.goto(`${origin}/sign-in`);
        await without.fill("input[name=email]", "grace@example.com");
        await without.click("main form button");
        await without.goto(await prints(/^Email to grace@example\.com: Sign in to \S+\n {2}(\S+)$/m));
        await without.click("main form button");
        await without.waitForURL(`${origin}/`);
        await without.goto(`${origin}/sign-in`);
        sees("without scripts", await without.locator("h1").textContent(), "You’re signed in");
      } finally {
        await Promise.all([ada.close(), grace.close(), plain.close()]);
      }
      expect(wrong).toEqual([]);
    },
  );
});
