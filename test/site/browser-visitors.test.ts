// Visitors of sites that not everybody sees, in a browser: who signs in, who has a share link, who is shown more than others,
// and who looks at a change before it is merged.

import assert from "node:assert/strict";
import { SignJWT } from "jose";
import { expect, test } from "vitest";
import { schema } from "../resources/sites/site-stage";
import { reading } from "../support/chromium";
import { describeInBrowser } from "../support/in-browser";
import { type Host, host } from "../support/listening";
import { isLongRun } from "../support/test-length";
import { type Served, serve } from "./served";

interface VisitorStage extends Served {
  /** Where people sign in: another host. */
  readonly login: Host;
  /** Makes a site with the pages, and publishes it. */
  readonly site: (settings: object) => Promise<VisitorSite>;
}

interface VisitorSite {
  /** The path of the site in the API. */
  readonly at: string;
  readonly space: string;
  /** The address of the site. */
  readonly url: string;
  readonly privateKey: string;
}

const FOR_GUESTS = "{% if visitor.claims.unsigned.isGuest %}\nFor guests.\n{% endif %}";
const FOR_BETAS = "{% if visitor.claims.isBeta %}\nFor betas.\n{% endif %}";

async function visitorStage(): Promise<VisitorStage> {
  const served = await serve();
  const login = await host((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end("<h1>Sign in</h1>");
  });
  const { ask, organization } = served;
  return {
    ...served,
    login,
    async site(settings) {
      const { id: space } = await ask(`POST /v1/orgs/${organization}/spaces`, { title: "Guide" });
      const texts = { Start: `Welcome.\n\n${FOR_GUESTS}\n\n${FOR_BETAS}`, Inside: "Words of the second page." };
      const changes = Object.entries(texts).map(([title, markdown]) => ({
        operation: "insert_page",
        title,
        document: { markdown },
      }));
      await ask(`POST /v1/spaces/${space}/content`, { changes });
      const made = await ask(`POST /v1/orgs/${organization}/sites`, { title: "Docs", spaces: [space] });
      const at = `/v1/orgs/${organization}/sites/${made.id}`;
      await ask(`PATCH ${at}`, { adaptiveContent: { enabled: true }, visibility: "public" });
      await ask(`PUT ${at}/adaptive-schema`, { jsonSchema: schema });
      const { privateKey } = await ask(`POST ${at}/publishing/auth/regenerate`);
      const { urls } = await ask(`POST ${at}/publish`);
      await ask(`PATCH ${at}`, settings);
      return { at, space, url: urls.published, privateKey };
    },
    async close() {
      await login.close();
      await served.close();
    },
  };
}

function signed(key: string, claims: Record<string, unknown> = {}): Promise<string> {
  const jwt = new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).setExpirationTime("1h");
  return jwt.sign(new TextEncoder().encode(key));
}

describeInBrowser(visitorStage, (open) => {
  test("visitors sign in to a site, and nobody else enters", async () => {
    const {
      browser,
      stage: { site, ask, login },
    } = open();
    const { at, url, privateKey } = await site({ visibility: "visitor-auth" });
    await reading(browser, {}, async (page) => {
      const closed = await page.goto(`${url}/inside`);
      assert.equal(closed?.status(), 404, "a site with no way to sign in shows something");
    });
    await ask(`PATCH ${at}/publishing/auth`, { fallbackURL: `${login.origin}/sign-in` });
    await reading(browser, {}, async (page, context) => {
      const meet = async (path: string) => {
        await page.goto(url + path);
        return (await page.locator("h1").textContent())?.trim();
      };
      assert.equal(await meet("/inside"), "Sign in");
      const wrong = await signed("the key of somebody else, long enough to sign");
      assert.equal(await meet(`/inside?jwt_token=${wrong}`), "Sign in", "a wrong token opens a page");
      assert.equal(await meet(`/inside?jwt_token=${"x".repeat(40)}`), "Sign in");
      const [body, header] = [{ exp: 4_000_000_000 }, { alg: "none" }].map((it) =>
        Buffer.from(JSON.stringify(it)).toString("base64url"),
      );
      assert.equal(await meet(`/inside?jwt_token=${header}.${body}.`), "Sign in", "a token without signature opens");
      assert.deepEqual(
        (await context.cookies()).map(({ name }) => name),
        [],
        "a token that is no good is kept",
      );
      assert.equal(await meet(`/inside?jwt_token=${await signed(privateKey)}&a=1`), "Inside");
      assert.equal(page.url(), `${url}/inside?a=1`);
      const [cookie, ...others] = await context.cookies();
      assert.deepEqual(others, []);
      assert.equal(cookie?.httpOnly, true);
      assert.equal(cookie?.sameSite, "Lax");
      assert.equal(cookie?.path.replace(/\/$/, ""), new URL(url).pathname);
      await page.click("#--pages li a >> nth=0");
      await page.locator("h1", { hasText: "Start" }).waitFor();
      assert.equal(await page.evaluate(() => document.cookie), "");
      await page.keyboard.press("/");
      await page.keyboard.type("second");
      await page.locator("dialog.finder [role=option]").first().waitFor();
    });
  });

  test.runIf(isLongRun)("a share link opens a site until it is deactivated", async () => {
    const {
      browser,
      stage: { site, ask },
    } = open();
    const { at, url } = await site({ visibility: "share-link" });
    const { key, id } = await ask(`POST ${at}/share-links`, { name: "Press" });
    await reading(browser, {}, async (page) => {
      assert.equal((await page.goto(`${url}/inside`))?.status(), 404);
      assert.equal((await page.goto(`${url}/${key}x/inside`))?.status(), 404);
      assert.equal((await page.goto(`${url}/${key}`))?.status(), 200);
      await page.click("#--pages li a >> nth=1");
      await page.waitForURL(`${url}/${key}/inside`);
      await page.keyboard.press("/");
      await page.keyboard.type("welcome");
      await page.locator("dialog.finder [role=option]").first().waitFor();
      await page.keyboard.press("Enter");
      await page.waitForURL((it) => it.pathname.includes(`/${key}`) && !it.pathname.endsWith("/inside"));
      assert.equal((await page.locator("h1").textContent())?.trim(), "Start");
      await ask(`PATCH ${at}/share-links/${id}`, { active: false });
      assert.equal((await page.reload())?.status(), 404);
    });
  });

  test.runIf(isLongRun)("visitors see the content for their claims, and others do not", async () => {
    const {
      browser,
      stage: { site },
    } = open();
    const { url, privateKey } = await site({ visibility: "public" });
    await reading(browser, {}, async (page) => {
      const shown = async (search: string) => {
        await page.goto(url + search);
        assert.equal(page.url(), url, "the address tells who the visitor is");
        const text = (await page.locator("article").textContent()) ?? "";
        return ["guests", "betas"].filter((it) => text.includes(`For ${it}.`));
      };
      assert.deepEqual(await shown(""), []);
      assert.deepEqual(await shown("?visitor.isBeta=true"), [], "a visitor says of themselves what must be signed");
      assert.deepEqual(await shown("?visitor.isGuest=true"), ["guests"]);
      assert.deepEqual(await shown(""), ["guests"], "it is not remembered");
      assert.deepEqual(await shown(`?jwt_token=${await signed(privateKey, { isBeta: true })}`), ["guests", "betas"]);
      assert.deepEqual(await shown("?visitor.isGuest=false"), ["betas"]);
    });
    await reading(browser, {}, async (page) => {
      await page.goto(url);
      const text = (await page.locator("article").textContent()) ?? "";
      assert.ok(!text.includes("For "), "others see what somebody was shown");
    });
  });

  test.runIf(isLongRun)("a preview shows a change request that others do not see", async () => {
    const {
      browser,
      stage: { site, ask },
    } = open();
    const { at, url, space } = await site({ visibility: "public" });
    const { id: change } = await ask(`POST /v1/spaces/${space}/change-requests`, { subject: "Anew" });
    const changes = [{ operation: "insert_page", title: "Draft", document: { markdown: "Not yet." } }];
    await ask(`POST /v1/spaces/${space}/change-requests/${change}/content`, { changes });
    const [{ id: siteSpaceId }] = (await ask(`GET ${at}/site-spaces`)).items;
    const { urls } = await ask(`POST ${at}/preview`, { siteSpaceId, changeRequestId: change });
    await reading(browser, {}, async (page) => {
      await page.goto(urls.preview);
      await page.click("#--pages a:has-text('Draft')");
      await page.locator("h1", { hasText: "Draft" }).waitFor();
      assert.ok(page.url().includes("preview="));
      assert.equal(await page.locator("meta[name=robots][content=noindex]").count(), 1, "a preview is indexed");
      assert.equal((await page.goto(`${url}/draft`))?.status(), 404, "others see what is not merged");
    });
  });
});

test("credentials in the address go into a cookie that applies to the first page too", async () => {
  const stage = await visitorStage();
  try {
    const { url } = await stage.site({ visibility: "public" });
    const response = await fetch(`${url}?visitor.isGuest=true&a=1`, { redirect: "manual" });
    const { pathname } = new URL(url);
    expect(response.headers.get("location")).toBe(`${url}?a=1`);
    expect(response.headers.get("set-cookie")).toContain(`; Path=${pathname};`);
  } finally {
    await stage.close();
  }
});
