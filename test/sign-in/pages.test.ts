// The pages of signing in: their headers, their languages, where they lead, and what they refuse.

import { memoryStorage } from "octavo/memory";
import { createSignIn } from "octavo/sign-in";
import { beforeAll, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { languageNames } from "../../src/locales/languages";
import { members } from "../../src/resources/people/members/records";
import { attemptCounts } from "../../src/resources/people/sessions/attempt-limits";
import { signInLinks } from "../../src/resources/people/sessions/links";
import { mailCodes } from "../../src/resources/people/sessions/mail-codes";
import { sessions } from "../../src/resources/people/sessions/records";
import { toLocalPath } from "../../src/sign-in/pages/forms";
import { DIRECTORY, getOrganizationPartition } from "../../src/storage/ids";
import { DAY, MINUTE, open, type Person, type Setting, setUp } from "../support/setting";
import { browser, ORIGIN } from "./browser";

let setting: Setting;
let signIn: ReturnType<typeof createSignIn>;

beforeAll(async () => {
  setting = await setUp(memoryStorage(), { sendMail() {} });
  signIn = createSignIn(setting.api);
});

/** A browser in which somebody has signed in. */
async function signedIn(person: Person) {
  const page = browser(signIn);
  const path = new URL(await signIn.createSignInLink(setting.ids[person])).pathname;
  await page.post(path);
  return page;
}

describe("pages", () => {
  test("a page runs and loads nothing else, cannot be framed, and is not cached", async () => {
    const paths = ["/sign-in", "/sign-out", "/sign-in/link/unknown", "/o/org_a/invites/inv_b", "/sign-in/mail/0"];
    for (const path of paths) {
      const { headers, text } = await browser(signIn).get(path);
      const policy = headers.get("content-security-policy")!;
      expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; base-uri 'none'/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(Object.fromEntries(headers)).toMatchObject({
        "x-frame-options": "DENY",
        "x-content-type-options": "nosniff",
        "referrer-policy": "same-origin",
        "cache-control": "no-store",
        "content-type": "text/html; charset=utf-8",
      });
      expect(text).not.toMatch(/<script|\son\w+=|src=/);
    }
  });

  test("a page is in one of ten languages: the browser's or the chosen one", async () => {
    const titleFor = async (accepts: string) =>
      (await browser(signIn).get("/sign-in", { "accept-language": accepts })).title;
    expect(await titleFor("de-AT,de;q=0.9,en;q=0.8")).toBe("Anmelden");
    expect(await titleFor("sv, nb;q=0.7, en;q=0.5")).toBe("Logg inn");
    expect(await titleFor("pt")).toBe("Entrar");
    expect(await titleFor("en;q=0.1, ja")).toBe("サインイン");
    expect(await titleFor("xx, __proto__;q=0.9, *")).toBe("Sign in");
    const titles = new Set<string | undefined>();
    for (const language of Object.keys(languageNames)) {
      const page = browser(signIn);
      titles.add((await page.get(`/sign-in?lang=${language}`)).title);
      expect((await page.get("/sign-out")).text).toMatch(new RegExp(`<html lang="${language}" dir="ltr">`, "i"));
    }
    expect(titles.size).toBe(10);
  });

  test("a page escapes text from outside", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}`, { title: "<img src=x onerror=alert(1)>" });
    const { body } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, {});
    const page = await signedIn("stranger");
    for (const { text } of [
      await page.get(new URL(body.urls.app).pathname),
      await page.get("/sign-in?to=%22%3E%3Cimg%3E&again"),
    ])
      expect(text).not.toContain("<img");
    const wrong = await page.post("/sign-in/mail", { email: '"><img src=x>' });
    expect([wrong.status, wrong.text.includes("<img")]).toEqual([400, false]);
    await ask("admin", `PATCH /v1/orgs/${org}`, { title: "Acme" });
  });

  test("a page leads only to paths of this origin", async () => {
    const good = ["/", "/a/b?c=d#e", "/o/org_a/invites/inv_b", "/%2f%2fevil.example", "/a//b"];
    for (const to of good) expect(toLocalPath(ORIGIN, to), to).toBe(to);
    const bad = [
      ...[
        "//evil.example",
        "/\\evil.example",
        "\\/evil.example",
        "/\\/evil.example",
        "///evil.example",
        "https:evil.example",
      ],
      ...[
        "https://evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "/\n/evil.example",
        "\t//evil.example",
        "",
      ],
      ...[
        "/.//evil.example",
        "/a/..//evil.example",
        "/%2e//evil.example",
        "evil.example",
        "/a\\..\\..\\evil",
        " //evil.example",
      ],
      ...["http://localhost:3000@evil.example/", "/\u2028/evil.example", `/${"a".repeat(2000)}`],
    ];
    for (const to of bad) expect(toLocalPath(ORIGIN, to), JSON.stringify(to)).toBeUndefined();
    const page = await signedIn("edit");
    expect((await page.get("/sign-in?to=/v1/user")).location).toBe("/v1/user");
    for (const to of bad) expect((await page.get(`/sign-in?to=${encodeURIComponent(to)}`)).location).toBeUndefined();
  });
});

describe("with an application at `home`", () => {
  test("with `home` set, a sign-in link, an accepted invite and the list of organizations lead to the application", async () => {
    const { api, ask, org, ids } = await setUp(memoryStorage());
    const withHome = createSignIn(api, { home: "/" });
    const page = browser(withHome);
    const { body } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, {});
    const arrived = await page.post(new URL(await withHome.createSignInLink(ids.stranger)).pathname);
    expect([arrived.status, arrived.location]).toEqual([303, "/"]);
    const accepted = await page.post(new URL(body.urls.app).pathname);
    expect([accepted.status, accepted.location]).toEqual([303, `/o/${org}`]);
    const { title, text } = await page.get("/sign-in");
    expect(title).toBe("You’re signed in");
    expect(text).toContain(`<a href="${ORIGIN}/o/${org}">`);
    expect(text).toContain('<a class="button" href="/">');
  });

  test("without an application, nothing links to one", async () => {
    const page = await signedIn("edit");
    expect((await page.get("/sign-in")).text).not.toContain("/o/");
  });
});

describe("without mail", () => {
  test("the sign-in page shows in every language how the operator gets a link, and nothing that depends on an address", async () => {
    const { api } = await setUp(memoryStorage());
    const page = browser(createSignIn(api, { linkCommand: "octavo user link <email>" }));
    const sentences = new Set<string>();
    for (const language of Object.keys(languageNames)) {
      const { status, text } = await page.get(`/sign-in?lang=${language}`);
      expect([status, text.includes("<form"), text.includes("<input")]).toEqual([200, false, false]);
      expect(text).toContain('<p dir="ltr"><code>octavo user link &lt;email&gt;</code></p>');
      sentences.add(
        text
          .match(/<p class="note">(.*?)<\/p>\n<p>(.*?)<\/p>/s)!
          .slice(1)
          .join(),
      );
    }
    expect(sentences.size).toBe(10);
    const post = async (email: string) => {
      const { status, text } = await page.post("/sign-in/mail", { email });
      return { status, text: text.replace(/"requestId":"[^"]*"/, "") };
    };
    expect(await post("admin@example.com")).toEqual(await post("nobody@example.com"));
  });

  test("the page of a used sign-in link leads to the page with the command", async () => {
    const { api, ids } = await setUp(memoryStorage());
    const withCommand = createSignIn(api, { linkCommand: "make link" });
    const page = browser(withCommand);
    const path = new URL(await withCommand.createSignInLink(ids.edit)).pathname;
    await page.post(path);
    const { status, text } = await browser(withCommand).get(path);
    expect([status, text.includes(`href="${ORIGIN}/sign-in"`)]).toEqual([410, true]);
    expect((await browser(withCommand).get("/sign-in")).text).toContain("<code>make link</code>");
  });

  test("without a command, the sign-in page says whom to ask", async () => {
    const { api } = await setUp(memoryStorage());
    const { text } = await browser(createSignIn(api)).get("/sign-in");
    expect(text).toContain("Browser sign-in is not set up on this server. Contact its operator.");
    expect(text).not.toContain("<code>");
  });
});

test("pages count toward the rate limit of the API", async () => {
  const { api } = open(memoryStorage(), { rateLimit: { limit: 3 } });
  const limited = createSignIn(api);
  const asked = async (path: string) => (await limited.fetch(new Request(`${ORIGIN}${path}`))).status;
  const first = [await asked("/sign-in"), await asked("/v1/openapi.json")];
  for (let i = 0; i < 3; i++) await asked("/sign-in");
  expect([...first, await asked("/sign-in"), await asked("/v1/openapi.json")]).toEqual([200, 200, 429, 429]);
});

describe("forms", () => {
  test("a form from another site is rejected on every path", async () => {
    const page = await signedIn("edit");
    const link = new URL(await signIn.createSignInLink(setting.ids.edit)).pathname;
    const { body } = await setting.ask("admin", `POST /v1/orgs/${setting.org}/link-invites`, {});
    const paths = ["/sign-out", "/sign-in/mail", "/sign-in/code", link, new URL(body.urls.app).pathname];
    const held = new Map(page.jar);
    for (const path of paths)
      for (const headers of [
        { origin: "https://evil.example" },
        { origin: "null" },
        { origin: "http://localhost:3001" },
        { origin: "https://evil.example", "sec-fetch-site": "same-origin" },
      ]) {
        const refused = await page.post(path, { email: "edit@example.com" }, headers);
        expect([path, refused.status, refused.title]).toEqual([path, 403, "Something went wrong"]);
        expect(refused.text).toContain("http://localhost:3000/sign-in");
      }
    expect(page.jar).toEqual(held);
    expect((await page.get("/v1/user")).status).toBe(200);
    const bare = await signIn.fetch(new Request(`${ORIGIN}${link}`, { method: "POST" }));
    expect(bare.status, "neither Origin nor Sec-Fetch-Site").toBe(403);
  });

  test("a request that is not a form is rejected", async () => {
    const headers = { "content-type": "text/plain" };
    expect((await browser(signIn).post("/sign-in/mail", { email: "edit@example.com" }, headers)).status).toBe(400);
  });
});

describe("sessions", () => {
  test("signing in creates a new session and ends the previous one of the browser", async () => {
    const page = browser(signIn);
    page.jar.set("octavo-session", "0".repeat(32));
    await page.post(new URL(await signIn.createSignInLink(setting.ids.edit)).pathname);
    const first = page.jar.get("octavo-session")!;
    expect(first).not.toBe("0".repeat(32));
    await page.post(new URL(await signIn.createSignInLink(setting.ids.read)).pathname);
    expect(page.jar.get("octavo-session")).not.toBe(first);
    const thief = browser(signIn);
    thief.jar.set("octavo-session", first);
    expect((await thief.get("/v1/user")).status).toBe(401);
  });

  test("the session cookie is limited to this host, and to https where available", async () => {
    const local = browser(signIn);
    const { cookies } = await local.post(new URL(await signIn.createSignInLink(setting.ids.edit)).pathname);
    expect(cookies).toEqual([
      expect.stringMatching(/^octavo-session=[0-9a-z]{32}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/),
    ]);
    const origin = "https://docs.example.com";
    const { api } = open(setting.storage, { origin, sendMail() {} });
    const secure = createSignIn(api);
    const page = browser(secure, origin);
    const sent = await page.post(new URL(await secure.createSignInLink(setting.ids.edit)).pathname);
    expect(sent.cookies).toEqual([
      expect.stringMatching(/^__Host-octavo=[0-9a-z]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=7776000$/),
    ]);
    const mail = await page.post("/sign-in/mail", { email: "edit@example.com" });
    expect(mail.cookies).toEqual([
      expect.stringMatching(/^__Host-octavo-mail=[0-9a-z]{32}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/),
    ]);
  });

  test("a session ends by signing out, remotely, and with its user", async () => {
    const { ask, api, ids } = setting;
    const [one, two, three] = [await signedIn("review"), await signedIn("review"), await signedIn("review")];
    const out = await one.post("/sign-out");
    expect([out.title, out.cookies]).toEqual([
      "You’re signed out",
      ["octavo-session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"],
    ]);
    const listed = JSON.parse((await two.get("/v1/user/sessions")).text);
    const [current, other] = [true, false].map((is) =>
      listed.items.find((it: { current: boolean }) => it.current === is),
    );
    expect([listed.count, current.by]).toEqual([2, "link"]);
    expect((await ask("review", `DELETE /v1/user/sessions/${other.id}`)).status).toBe(204);
    expect((await three.get("/v1/user")).status).toBe(401);
    expect((await two.get("/v1/user")).status).toBe(200);
    await ask("review", "DELETE /v1/user/sessions");
    expect((await two.get("/v1/user")).status).toBe(401);
    const four = await signedIn("review");
    const link = new URL(await signIn.createSignInLink(ids.review)).pathname;
    await api.changeUser(ids.review, "disabled");
    expect((await four.get("/v1/user")).status).toBe(401);
    expect((await browser(signIn).post(link)).status, "a link that was made before").toBe(410);
    await expect(signIn.createSignInLink(ids.review)).rejects.toMatchObject({ reason: "user_not_found" });
    await api.changeUser(ids.review, "enabled");
    expect((await four.get("/v1/user")).status, "a session does not come back").toBe(401);
  });

  test("the session of a removed or disabled member opens nothing from the next request on", async () => {
    const { api, ask, org, ids } = setting;
    const { store } = getApiInternals(api).kernel;
    const page = await signedIn("comment");
    const at = `/v1/orgs/${org}`;
    const disable = (disabled: boolean) =>
      store.write(getOrganizationPartition(org), async (tx) =>
        members.put(tx, { ...(await members.get(tx, ids.comment))!, disabled }),
      );
    expect((await page.get(at)).status).toBe(200);
    await disable(true);
    expect((await page.get(at)).status).toBe(404);
    await disable(false);
    expect((await page.get(at)).status).toBe(200);
    await ask("admin", `DELETE ${at}/members/${ids.comment}`);
    expect((await page.get(at)).status).toBe(404);
    const { text, title } = await page.get("/sign-in");
    expect([title, text.includes("Acme")]).toEqual(["You’re signed in", false]);
  });

  test("expired sessions are deleted together with old mails and limits", async () => {
    const { api, storage } = await setUp(memoryStorage(), { sendMail() {} });
    const own = createSignIn(api);
    const page = browser(own);
    const [user] = [(await api.provision({ user: { displayName: "A", email: "a@example.com" } })).user];
    await page.post(new URL(await own.createSignInLink(user)).pathname);
    await own.createSignInLink(user);
    await page.post("/sign-in/mail", { email: "a@example.com" });
    const kept = async () => {
      const view = await getApiInternals(api).kernel.store.read(DIRECTORY);
      const sets = [sessions, mailCodes, signInLinks, attemptCounts];
      return Promise.all(sets.map(async (set) => (await set.list(view, "endsAt", { limit: 10 })).length));
    };
    expect(await kept()).toEqual([1, 1, 1, 2]);
    const later = open(storage, { sendMail() {} });
    later.clock.now = new Date(Date.parse("2026-03-01T09:10:00Z") + 15 * DAY + MINUTE);
    await later.api.maintain();
    expect(await kept()).toEqual([0, 0, 0, 0]);
  });
});

describe("sign-in links of the host", () => {
  test("a sign-in link of the host shows a button, works once and expires", async () => {
    const path = new URL(await signIn.createSignInLink(setting.ids.edit)).pathname;
    const page = browser(signIn);
    for (let i = 0; i < 2; i++) expect((await page.get(path)).text).toContain("edit@example.com");
    expect((await page.post(path)).status).toBe(303);
    expect((await browser(signIn).post(path)).status).toBe(410);
    const second = new URL(await signIn.createSignInLink(setting.ids.edit, 5)).pathname;
    setting.clock.forward(5 * MINUTE);
    expect((await browser(signIn).get(second)).status).toBe(410);
    expect((await browser(signIn).post(second)).status).toBe(410);
    await expect(signIn.createSignInLink("usr_none")).rejects.toMatchObject({ reason: "user_not_found" });
  });
});

describe("invites", () => {
  test("an invite asks to sign in first and returns to itself", async () => {
    const { ask, org } = setting;
    const { body } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, {});
    const path = new URL(body.urls.app).pathname;
    const page = browser(signIn);
    const asked = await page.get(path);
    expect(asked.title).toBe("Join Acme");
    expect(asked.text).toContain(`/sign-in?to=${encodeURIComponent(path)}`);
    expect((await page.post(path)).title, "nobody joins without signing in").toBe("Join Acme");
    expect((await page.get(`/sign-in?to=${encodeURIComponent(path)}`)).text).toContain(`name="to" value="${path}"`);
    const stranger = await signedIn("stranger");
    expect((await stranger.get(`/sign-in?to=${encodeURIComponent(path)}`)).location).toBe(path);
    expect((await stranger.post(path)).title).toBe("You’ve joined Acme");
    const view = await getApiInternals(setting.api).kernel.store.read(getOrganizationPartition(org));
    expect(await members.get(view, setting.ids.stranger)).toMatchObject({ role: "read" });
  });

  test("an invite for another address says so, and used, expired, revoked and unknown ones look the same", async () => {
    const { ask, org, otherOrg, clock } = setting;
    const invited = async (email: string) => {
      const { body } = await ask("admin", `POST /v1/orgs/${org}/invites`, { emails: [email] });
      return new URL(body.invites[0].urls.app).pathname;
    };
    const rival = await signedIn("rival");
    const other = await invited("somebody@example.com");
    for (const page of [await rival.get(other), await rival.post(other)]) {
      expect([page.status, page.title]).toEqual([403, "This invite is for someone else"]);
      expect(page.text).not.toContain("somebody@example.com");
    }
    const used = await invited("rival@example.com");
    await rival.post(used);
    const { body: revoked } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, {});
    await ask("admin", `DELETE /v1/orgs/${org}/link-invites/${revoked.id}`);
    const expiresAt = new Date(clock.now.getTime() + MINUTE).toISOString();
    const { body: ended } = await ask("admin", `POST /v1/orgs/${org}/link-invites`, { expiresAt });
    clock.forward(2 * MINUTE);
    const unknown = [
      used,
      new URL(revoked.urls.app).pathname,
      new URL(ended.urls.app).pathname,
      `/o/${org}/invites/inv_none`,
      `/o/org_none/invites/${revoked.id}`,
      `/o/${otherOrg}/invites/${other.split("/").at(-1)}`,
      "/o/%zz/invites/%zz",
    ];
    const plain = ({ status, text }: { status: number; text: string }) => `${status} ${text}`;
    const answers = new Set<string>();
    for (const path of unknown) {
      const page = browser(signIn);
      answers.add(plain(await page.get(path)).replaceAll(path, ""));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toMatch(/^404 .*This invite is no longer valid/s);
  });
});
