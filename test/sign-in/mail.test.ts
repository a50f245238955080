// Signing in by mail: a link and a code that work once, for ten minutes, in the browser that asked; nothing that tells who is
// known; and limits.

import type { DocsApiOptions } from "octavo";
import { memoryStorage } from "octavo/memory";
import { createSignIn, type SignInOptions } from "octavo/sign-in";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { getApiInternals } from "../../src/api/internals";
import { users } from "../../src/resources/people/users/records";
import { DIRECTORY } from "../../src/storage/ids";
import { dump, MINUTE, type Setting, setUp } from "../support/setting";
import { browser } from "./browser";

type Mail = Parameters<NonNullable<DocsApiOptions["sendMail"]>>[0];

let setting: Setting;
let mails: Mail[] = [];
let signIn: ReturnType<typeof createSignIn>;

beforeAll(async () => {
  setting = await setUp(memoryStorage(), {
    sendMail: (mail) => void mails.push(mail),
    waitUntil: (it) => void behind.push(it),
  });
  signIn = createSignIn(setting.api);
});
beforeEach(() => {
  mails = [];
  // A quarter of an hour is over: limits begin anew.
  setting.clock.forward(20 * MINUTE);
});

/** What goes on after answers. */
const behind: Promise<unknown>[] = [];
const settled = () => Promise.all(behind.splice(0));

/** Asks for a mail, and waits until it is sent or never will be. */
async function asked(email: string, fields: Record<string, string> = {}, options?: SignInOptions) {
  const page = browser(options ? createSignIn(setting.api, options) : signIn);
  const answer = await page.post("/sign-in/mail", { email, ...fields });
  await settled();
  const mail = mails.at(-1);
  const link = mail?.text.match(/http:\/\/localhost:3000(\/sign-in\/mail\/\S+)/)?.[1];
  const code = mail?.text.match(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/m)?.[0];
  return { page, answer, mail, link, code };
}

const me = async (page: ReturnType<typeof browser>) => {
  const { status, text } = await page.get("/v1/user");
  return status === 200 ? JSON.parse(text).email : status;
};

describe("signing in by e-mail", () => {
  test("the link in a mail shows a button, and the button signs in once", async () => {
    const { page, answer, mail, link } = await asked("Edit@example.com");
    expect([answer.status, answer.location]).toEqual([303, "/sign-in/mail"]);
    expect(mail).toMatchObject({ to: "edit@example.com", subject: "Sign in to localhost:3000" });
    expect(mail!.html).toContain(`href="http://localhost:3000${link}"`);
    for (let i = 0; i < 3; i++) expect((await page.get(link!)).text).toContain("Edit@example.com");
    expect(await me(page)).toBe(401);
    const secret = link!.split("/").at(-1)!;
    expect(await page.post("/sign-in/code", { secret })).toMatchObject({ status: 303, location: "/sign-in" });
    expect(await me(page)).toBe("edit@example.com");
    expect((await page.post("/sign-in/code", { secret })).status).toBe(410);
  });

  test("the code in a mail signs in, however it is typed", async () => {
    const { page, code } = await asked("edit@example.com");
    expect((await page.get("/sign-in/mail")).title).toBe("Check your email");
    const typed = ` ${code!.toLowerCase().replace("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
    expect((await page.post("/sign-in/code", { code: typed })).status).toBe(303);
    expect(await me(page)).toBe("edit@example.com");
  });

  test("a mail works only in the browser that requested it", async () => {
    const { page, link, code } = await asked("edit@example.com");
    const elsewhere = browser(signIn);
    const opened = await elsewhere.get(link!);
    expect([opened.status, opened.title]).toEqual([200, "Open the link in the original browser"]);
    expect(opened.text).not.toContain("edit@example.com");
    expect((await elsewhere.post("/sign-in/code", { secret: link!.split("/").at(-1)! })).status).toBe(410);
    expect((await elsewhere.post("/sign-in/code", { code: code! })).status).toBe(410);
    expect(await me(elsewhere)).toBe(401);
    expect((await page.post("/sign-in/code", { code: code! })).status).toBe(303);
  });

  test("a mail expires after ten minutes or five wrong codes", async () => {
    const late = await asked("edit@example.com");
    setting.clock.forward(10 * MINUTE);
    expect((await late.page.post("/sign-in/code", { code: late.code! })).status).toBe(410);
    const guessed = await asked("edit@example.com");
    for (let i = 0; i < 4; i++) {
      const wrong = await guessed.page.post("/sign-in/code", { code: "AAAA-AAAA" });
      expect([wrong.status, wrong.title]).toEqual([400, "Check your email"]);
    }
    expect((await guessed.page.post("/sign-in/code", { code: "AAAA-AAAA" })).status).toBe(410);
    expect((await guessed.page.post("/sign-in/code", { code: guessed.code! })).status).toBe(410);
    expect(await me(guessed.page)).toBe(401);
  });

  test("a mail is in the language of the page", async () => {
    const page = browser(signIn);
    await page.get("/sign-in?lang=de");
    await page.post("/sign-in/mail", { email: "edit@example.com" });
    await settled();
    expect(mails[0]!.subject).toBe("Anmelden bei localhost:3000");
    expect(mails[0]!.html).toContain('<html lang="de" dir="ltr">');
  });

  test("nothing stored lets anyone sign in", async () => {
    const { page, link, code } = await asked("nobody.known@example.com", {}, { allowSignUp: true });
    const stored = JSON.stringify([...(await dump(setting.storage))]);
    for (const secret of [link!.split("/").at(-1)!, code!.replace("-", "").toLowerCase(), ...page.jar.values()])
      expect(stored).not.toContain(secret);
    expect(stored).not.toContain("nobody.known");
    await page.post("/sign-in/code", { code: code! });
    const session = page.jar.get("octavo-session")!;
    expect(JSON.stringify([...(await dump(setting.storage))])).not.toContain(session);
  });
});

describe("account enumeration", () => {
  /** What an answer says, without what is random. */
  const said = ({
    status,
    headers,
    text,
    location,
    cookies,
  }: Awaited<ReturnType<ReturnType<typeof browser>["get"]>>) => ({
    status,
    text,
    location,
    cookies: cookies.map((it) => it.replace(/=[0-9a-z]{32};/, "=…;")),
    headers: [...headers].filter(([name]) => name !== "set-cookie"),
  });

  test("known and unknown addresses get identical responses for the same work", async () => {
    const { storage } = setting;
    const answersTo = async (email: string) => {
      const before = (await dump(storage)).size;
      const { page, answer } = await asked(email);
      const grown = (await dump(storage)).size - before;
      const shown = await page.get("/sign-in/mail");
      const wrong = await page.post("/sign-in/code", { code: "AAAA-AAAA" });
      const elsewhere = await browser(signIn).get("/sign-in/mail/00000000000000000000000000000000");
      const all = JSON.stringify([answer, shown, wrong, elsewhere].map(said)).replaceAll(email, "…");
      return { all, grown, sent: mails.splice(0).length };
    };
    // The network is counted from the first request on.
    await asked("somebody@example.com");
    const known = await answersTo("create@example.com");
    const unknown = await answersTo("what@example.com");
    expect(unknown.all).toBe(known.all);
    expect([known.grown, known.sent, unknown.grown, unknown.sent]).toEqual([unknown.grown, 1, unknown.grown, 0]);
  });

  test("a mail goes to the stored address and not to one that only compares as equal", async () => {
    for (const typed of ["reviewer@example.com", "REVIEW@EXAMPLE.COM", "review@exampLe.com"]) await asked(typed);
    expect((await asked("\u212Aate@example.com", {}, { allowSignUp: true })).answer.status).toBe(400);
    await asked("Kate@example.com", {}, { allowSignUp: true });
    expect(mails.map(({ to }) => to)).toEqual(["review@example.com", "review@example.com", "kate@example.com"]);
  });

  test("no one signs in as a user whose address the host did not verify", async () => {
    const { kernel } = getApiInternals(setting.api);
    const record = {
      displayName: "Mallory",
      email: "victim@example.com",
      emailUnverified: true,
      createdAt: "",
    } as const;
    await kernel.store.write(DIRECTORY, (tx) => users.put(tx, { id: "mallory", ...record }));
    await asked("victim@example.com", {}, { allowSignUp: true });
    expect(mails).toEqual([]);
  });
});

describe("limits", () => {
  test("limits apply by address and by network, for known and unknown addresses alike, across processes", async () => {
    const { api, clock } = setting;
    const other = createSignIn(api);
    const from = (address: string) => ({
      post: (email: string, through = signIn) =>
        through.handle({
          method: "POST",
          url: "/sign-in/mail",
          headers: new Headers({
            origin: "http://localhost:3000",
            "content-type": "application/x-www-form-urlencoded",
            "x-forwarded-for": `${Math.random()}`,
          }),
          body: async () => new TextEncoder().encode(new URLSearchParams({ email }).toString()),
          address,
        }),
    });
    for (const email of ["edit@example.com", "unknown@example.com"]) {
      for (let i = 0; i < 5; i++)
        expect((await from(`192.0.2.${i}`).post(email, i % 2 ? other : signIn)).status).toBe(303);
      const refused = await from("192.0.2.9").post(email);
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "900"]);
    }
    const near = (host: number) => from(`2001:db8:1:2::${host}`).post(`a${host}@example.com`);
    for (let i = 1; i <= 20; i++) expect((await near(i)).status).toBe(303);
    expect((await near(21)).status).toBe(429);
    expect((await from("2001:db8:1:3::1").post("b@example.com")).status).toBe(303);
    clock.forward(15 * MINUTE);
    expect((await near(22)).status).toBe(303);
  });
});

describe("newcomers", () => {
  const exists = async (email: string) => {
    const view = await getApiInternals(setting.api).kernel.store.read(DIRECTORY);
    return (await users.find(view, "email", email)) !== undefined;
  };

  test("newcomers are refused unless the host allows them", async () => {
    await asked("new.one@example.org");
    expect(mails).toEqual([]);
    const { page, code } = await asked("new.one@example.org", {}, { allowSignUp: true });
    expect(await exists("new.one@example.org")).toBe(false);
    await page.post("/sign-in/code", { code: code! });
    expect(JSON.parse((await page.get("/v1/user")).text)).toMatchObject({ displayName: "New One" });
  });

  test("newcomers with a verified domain become members if the host says so", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["acme.example"] });
    await asked("first@acme.example");
    await asked("first@elsewhere.example", {}, { allowSignUp: "domains" });
    expect(mails).toEqual([]);
    const { page, code } = await asked("first@acme.example", {}, { allowSignUp: "domains" });
    await page.post("/sign-in/code", { code: code! });
    const { items } = JSON.parse((await page.get("/v1/orgs")).text);
    expect(items).toMatchObject([{ id: org }]);
  });

  test("newcomers join by an invite with the address it was sent to", async () => {
    const { ask, org } = setting;
    const made = await ask("admin", `POST /v1/orgs/${org}/invites`, {
      emails: ["guest.one@example.org"],
      language: "fr",
    });
    await settled();
    const [invitation] = mails.splice(0);
    expect(made.body.invites).toMatchObject([{ mailed: true }]);
    expect(invitation).toMatchObject({ to: "guest.one@example.org", subject: "Invitation à rejoindre Acme" });
    const to = new URL(made.body.invites[0].urls.app).pathname;
    expect(invitation!.text).toContain(`http://localhost:3000${to}`);
    await asked("guest.two@example.org", { to });
    expect(mails).toEqual([]);
    const { page, code } = await asked("guest.one@example.org", { to });
    const entered = await page.post("/sign-in/code", { code: code! });
    expect(entered.location).toBe(to);
    expect((await page.get(to)).title).toBe("Join Acme");
    expect((await page.post(to)).title).toBe("You’ve joined Acme");
    expect(JSON.parse((await page.get("/v1/orgs")).text).items).toHaveLength(1);
    // Taken back between the mail and its use: nobody is made.
    const link = await ask("admin", `POST /v1/orgs/${org}/link-invites`, {});
    expect(link.body).not.toHaveProperty("mailed");
    const through = await asked("guest.three@example.org", { to: new URL(link.body.urls.app).pathname });
    expect(through.code).toBeDefined();
    await ask("admin", `DELETE /v1/orgs/${org}/link-invites/${link.body.id}`);
    expect((await through.page.post("/sign-in/code", { code: through.code! })).status).toBe(403);
    expect(await exists("guest.three@example.org")).toBe(false);
  });
});
