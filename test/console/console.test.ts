// What the console answers, without a browser: its page, its files, and what it leaves to others.

import { createDocsApi } from "octavo";
import { createConsole } from "octavo/console";
import { memoryStorage } from "octavo/memory";
import { createSignIn } from "octavo/sign-in";
import { beforeAll, expect, test } from "vitest";
import { builtConsole } from "../../scripts/console/build";
import { createNotices, missingIn } from "../../scripts/packaging/notices";

const ORIGIN = "http://localhost:3000";
const api = createDocsApi(memoryStorage(), { origin: ORIGIN, secret: "the secret of the console, long enough" });
const signIn = createSignIn(api, { home: "/" });
const desk = createConsole(api, { fallback: signIn });
let cookie: string;

beforeAll(async () => {
  const { user } = await api.provision({ user: { displayName: "Ada", email: "ada@example.com" } });
  const link = await signIn.createSignInLink(user);
  const page = await desk.fetch(new Request(link));
  const action = /action="([^"]+)"/.exec(await page.text())![1]!;
  const hidden = new URLSearchParams();
  const signed = await desk.fetch(
    new Request(new URL(action, ORIGIN), { method: "POST", headers: { origin: ORIGIN }, body: hidden }),
  );
  cookie = signed.headers
    .getSetCookie()
    .map((it) => it.split(";")[0])
    .join("; ");
});

const get = (path: string, headers: Record<string, string> = {}) =>
  desk.fetch(new Request(ORIGIN + path, { headers, redirect: "manual" }));

test("a visitor who is not signed in is sent to sign-in and back", async () => {
  for (const path of ["/", "/o/org_1/s/spc_1/a%20page?x=1", "/account", "/integrations/slack"]) {
    const response = await get(path);
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe(`${ORIGIN}/sign-in?${new URLSearchParams({ to: path })}`);
  }
});

test("the page runs only its own files", async () => {
  const response = await get("/o/anything", { cookie });
  expect(response.status).toBe(200);
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src ${new URL(ORIGIN).host}/~console/;`);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|\*/);
  expect(response.headers.get("cache-control")).toBe("no-store");
  const text = await response.text();
  expect(text).not.toMatch(/<script(?![^>]* src=)/);
  const files = [...text.matchAll(/(?:src|href)="(\/~console\/[^"]+)"/g)].map(([, path]) => path!);
  expect(files).toHaveLength(2);
  for (const path of files) {
    const file = await get(path);
    expect(file.status).toBe(200);
    expect(file.headers.get("cache-control")).toContain("immutable");
  }
});

test("the page cannot be framed, sends no referrer and loads only images from other hosts", async () => {
  const { headers } = await get("/account", { cookie });
  const policy = headers.get("content-security-policy")!;
  const nonce = /'nonce-([^']+)'/.exec(policy)![1];
  expect(policy.replace(`'nonce-${nonce}'`, "'nonce'").split("; ")).toEqual([
    "default-src 'none'",
    `script-src ${new URL(ORIGIN).host}/~console/`,
    "style-src 'self' 'nonce'",
    "img-src 'self' data: blob: https: http:",
    "connect-src 'self'",
    "font-src 'self'",
    expect.stringMatching(/^frame-src 'self' http:\/\/localhost:3000$/),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types octavo-preview",
  ]);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("same-origin");
  expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
  expect(headers.get("permissions-policy")).toContain("camera=()");
});

test("the chosen language is kept in a cookie that scripts cannot read", async () => {
  const chosen = await desk.fetch(new Request(`${ORIGIN}/?lang=ru`, { method: "HEAD", headers: { cookie } }));
  expect(chosen.status).toBe(200);
  expect(chosen.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^octavo-language=ru; Path=\/; HttpOnly; SameSite=Lax/),
  ]);
  const text = await (await get("/", { cookie: `${cookie}; octavo-language=ru`, "accept-language": "de" })).text();
  expect(text).toContain('<html lang="ru"');
  expect((await get("/?lang=xx", { cookie })).headers.getSetCookie()).toEqual([]);
});

test("no two pages have the same nonce", async () => {
  const nonceOf = async () => /data-nonce="([^"]+)"/.exec(await (await get("/", { cookie })).text())![1];
  expect(await nonceOf()).not.toBe(await nonceOf());
});

test("the page uses the language of the browser", async () => {
  const text = await (await get("/", { cookie, "accept-language": "de-AT" })).text();
  expect(text).toContain('<html lang="de" dir="ltr">');
});

test("no script runs in the preview frame", async () => {
  const response = await get("/~console/preview");
  const policy = response.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/sandbox (?!.*allow-scripts)/);
  expect(policy).not.toContain("script-src");
});

test("other requests are passed on to the API", async () => {
  expect((await get("/v1/user")).status).toBe(401);
  expect((await get("/sign-in")).headers.get("content-type")).toContain("text/html");
  expect(await (await get("/o/org_1/invites/inv_1")).text()).not.toContain("~console");
  expect((await get("/~console/nothing.js")).status).toBe(404);
  expect((await desk.fetch(new Request(`${ORIGIN}/`, { method: "POST" }))).status).not.toBe(303);
});

test("every bundled library has its license notice", async () => {
  const { packages } = await builtConsole();
  expect(packages).toContain("preact");
  expect(missingIn(await createNotices(), packages, [])).toEqual([]);
});
