// Signing in by SAML from the first click to the first request of the API, and everybody who must not get there.

import { createVerify, X509Certificate } from "node:crypto";
import { inflateRawSync } from "node:zlib";
import type { DocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { beforeEach, describe, expect, test } from "vitest";
import { getApiInternals } from "../../../src/api/internals";
import { members } from "../../../src/resources/people/members/records";
import { users } from "../../../src/resources/people/users/records";
import { createSignIn, type SignInOptions } from "../../../src/sign-in";
import { beginSession } from "../../../src/sign-in/begin-session";
import { DIRECTORY, getOrganizationPartition } from "../../../src/storage/ids";
import { MINUTE, type Setting, setUp } from "../../support/setting";
import { type Browser, newBrowser } from "./browser";
import * as keys from "./keys";
import { logoutUrl } from "./logouts";
import { assertionXml, encrypted, responseXml, type Said, type Signing, signed } from "./provider";

const HOME = "http://localhost:3000";
const IDP = "https://idp.example/metadata";
const CROSS_SITE = { origin: "https://idp.example" };

let setting: Setting;
let provider: { readonly id: string; readonly service: Record<"acsURL" | "startURL" | "entityID", string> };
let team: string;

beforeEach(async () => {
  setting = await setUp(memoryStorage());
  const { ask, org } = setting;
  team = (await ask("admin", `PUT /v1/orgs/${org}/teams`, { title: "Newcomers" })).body.id;
  await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["corp.example"] });
  provider = (
    await ask("admin", `POST /v1/orgs/${org}/saml`, {
      label: "Corp",
      entityID: IDP,
      ssoURL: "https://idp.example/sso?tenant=1",
      certificate: keys.rsa.certificate,
      defaultRole: "edit",
      defaultTeam: team,
    })
  ).body;
});

const signIn = (options: SignInOptions = {}, api: DocsApi = setting.api) => createSignIn(api, options).fetch;

/** Sends a browser to the provider, and gives what the provider is asked. */
async function begun(browser: Browser, to = "/docs") {
  const answer = await browser.open(`${provider.service.startURL}?to=${encodeURIComponent(to)}`);
  expect(answer.status).toBe(303);
  const url = new URL(answer.headers.get("location")!);
  const xml = inflateRawSync(Buffer.from(url.searchParams.get("SAMLRequest")!, "base64")).toString();
  return { url, xml, id: xml.match(/ ID="([^"]+)"/)![1]!, relay: url.searchParams.get("RelayState")! };
}

let count = 0;
/** What the provider answers. */
function answerFor(id: string, said: Partial<Said> = {}, signing: Partial<Signing> = {}): string {
  const at = (minutes: number) => new Date(setting.clock.now.getTime() + minutes * MINUTE).toISOString();
  const { acsURL, entityID } = provider.service;
  const all = {
    ...{ inResponseTo: id, responseInResponseTo: id, recipient: acsURL, destination: acsURL, audience: entityID },
    ...{ notBefore: at(-1), notOnOrAfter: at(5), confirmedUntil: at(5), sessionUntil: at(480), issuer: IDP },
    ...{ responseIssuer: IDP, assertionId: `_a${++count}` },
    ...said,
  };
  return responseXml(signed(assertionXml(all), { by: keys.rsa, id: all.assertionId, ...signing }), all);
}

const posted = (browser: Browser, xml: string, relay: string, headers: Record<string, string> = CROSS_SITE) =>
  browser.open(
    provider.service.acsURL,
    { SAMLResponse: Buffer.from(xml).toString("base64"), RelayState: relay },
    // A form of another site comes without cookies.
    { cookie: "", ...headers },
  );

/** The whole way of somebody. The last answer. */
async function through(browser: Browser, said: Partial<Said> = {}, to?: string): Promise<Response> {
  const { id, relay } = await begun(browser, to);
  const taken = await posted(browser, answerFor(id, said), relay);
  expect(taken.status).toBe(303);
  return browser.open(taken.headers.get("location")!);
}

/** The cookie of somebody who has signed in another way. */
async function sessionOf(api: DocsApi, user: string): Promise<[string, string]> {
  const inside = getApiInternals(api);
  const house = { ...inside, options: {}, urlOf: (path: string) => path, ways: async () => [] };
  const { setCookie } = await inside.kernel.store.write(DIRECTORY, (tx) =>
    beginSession(tx, house, { method: "POST", headers: new Headers(), address: undefined }, { user, by: "email" }),
  );
  const [, name, value] = setCookie.match(/^([^=]+)=([^;]*)/)!;
  return [name!, value!];
}

/** Who the API takes the browser for. */
async function whoIs(browser: Browser) {
  const response = await browser.open(`${HOME}/v1/user`);
  return response.status === 200 ? (await response.json()).email : response.status;
}

/** The failures in the audit log. */
async function failures(): Promise<string[]> {
  const { ask, org } = setting;
  const { items } = (await ask("admin", `GET /v1/orgs/${org}/audit-events?limit=100`)).body;
  return items
    .filter(({ action }: { action: string }) => action === "signInFailed")
    .map(({ changes }: { changes: { value: string }[] }) => changes[0]?.value);
}

describe("successful sign-in", () => {
  test("a new person signs in and is a member with the role and team of the provider", async () => {
    const { ask, org } = setting;
    const browser = newBrowser(signIn());
    const { url, xml, id } = await begun(browser);
    expect(url.origin + url.pathname).toBe("https://idp.example/sso");
    expect(url.searchParams.get("tenant")).toBe("1");
    expect(url.searchParams.get("RelayState")!.length).toBeLessThan(80);
    expect(xml).toContain(`AssertionConsumerServiceURL="${provider.service.acsURL}"`);
    expect(id).toMatch(/^[A-Za-z_][\w.-]*$/);
    const last = await through(browser);
    expect([last.status, last.headers.get("location")]).toEqual([303, `${HOME}/docs`]);
    expect(await whoIs(browser)).toBe("alice@corp.example");
    const { id: user } = await (await browser.open(`${HOME}/v1/user`)).json();
    expect((await ask("admin", `GET /v1/orgs/${org}/members/${user}`)).body).toMatchObject({ role: "edit", sso: true });
    expect((await ask("admin", `GET /v1/orgs/${org}/teams/${team}/members`)).body.items).toMatchObject([
      { user: { id: user } },
    ]);
    const again = newBrowser(signIn());
    await through(again, { name: "alice@corp.example" });
    expect((await (await again.open(`${HOME}/v1/user`)).json()).id).toBe(user);
    expect((await (await browser.open(`${HOME}/v1/orgs`)).json()).items).toMatchObject([{ id: org }]);
  });

  test("a response encrypted for the key of the metadata is accepted, and the key stays the same", async () => {
    const browser = newBrowser(signIn());
    const text = async () => (await browser.open(provider.service.entityID)).text();
    const metadata = await text();
    expect(await text()).toBe(metadata);
    expect(metadata).toContain(`entityID="${provider.service.entityID}"`);
    const certificate = `-----BEGIN CERTIFICATE-----\n${metadata.match(/X509Certificate>([^<]+)</)![1]}\n-----END CERTIFICATE-----`;
    const { id, relay } = await begun(browser);
    const plain = answerFor(id);
    const xml = plain.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (assertion) =>
      encrypted(assertion, certificate),
    );
    const taken = await posted(browser, xml, relay);
    expect((await browser.open(taken.headers.get("location")!)).status).toBe(303);
    expect(await whoIs(browser)).toBe("alice@corp.example");
  });

  test("a sign-in may begin at the provider", async () => {
    const browser = newBrowser(signIn());
    const xml = answerFor("x").replaceAll(' InResponseTo="x"', "");
    const sent = await posted(browser, xml, "");
    expect([sent.status, sent.headers.get("location")]).toEqual([303, provider.service.startURL]);
    expect(await failures()).toEqual([]);
  });

  test("a session lasts only as long as the provider says", async () => {
    const browser = newBrowser(signIn());
    await through(browser);
    setting.clock.forward(479 * MINUTE);
    expect(await whoIs(browser)).toBe("alice@corp.example");
    setting.clock.forward(2 * MINUTE);
    expect(await whoIs(browser)).toBe(401);
  });

  test("no redirect leads to another site after signing in", async () => {
    for (const to of ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"])
      expect((await through(newBrowser(signIn()), {}, to)).headers.get("location")).toBe(`${HOME}/sign-in`);
  });
});

describe("rejected sign-in", () => {
  test("a response that was used before is rejected", async () => {
    const browser = newBrowser(signIn());
    const { id, relay } = await begun(browser);
    const xml = answerFor(id);
    expect((await posted(browser, xml, relay)).status).toBe(303);
    const again = await posted(browser, xml, relay);
    expect(again.status).toBe(403);
    expect(await failures()).toEqual(["replayed"]);
  });

  test("a response to a request that was answered before is rejected", async () => {
    const browser = newBrowser(signIn());
    const { id, relay } = await begun(browser);
    const [first, second] = [await posted(browser, answerFor(id), relay), await posted(browser, answerFor(id), relay)];
    const kept = new Map(browser.cookies);
    expect((await browser.open(first.headers.get("location")!)).status).toBe(303);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect((await browser.open(second.headers.get("location")!)).status).toBe(403);
    expect(await failures()).toEqual(["request_answered"]);
  });

  test("a response to a request of another provider or browser, or an old or forged one, is rejected", async () => {
    const { ask, org, clock } = setting;
    const other = (
      await ask("admin", `POST /v1/orgs/${org}/saml`, {
        label: "Other",
        entityID: "urn:o",
        ssoURL: "https://o.example",
        certificate: keys.rsa.certificate,
      })
    ).body;
    const browser = newBrowser(signIn());
    const elsewhere = await browser.open(other.service.startURL);
    const theirs = new URL(elsewhere.headers.get("location")!).searchParams;
    const theirId = inflateRawSync(Buffer.from(theirs.get("SAMLRequest")!, "base64"))
      .toString()
      .match(/ ID="([^"]+)"/)![1]!;
    const { id, relay } = await begun(browser);
    for (const wrong of [theirId, `${id.slice(0, -1)}A`, "_x"])
      expect((await posted(browser, answerFor(wrong), relay)).status).toBe(403);
    const victim = newBrowser(signIn());
    const taken = await posted(victim, answerFor(id), relay);
    expect((await victim.open(taken.headers.get("location")!)).status).toBe(403);
    expect(await whoIs(victim)).toBe(401);
    // Eve puts the cookie of her own request where the one of another is looked for.
    const eve = await begun(browser);
    const [name] = [...browser.cookies.keys()].filter((it) => it.includes(id.slice(1, 13)));
    const [own] = [...browser.cookies.keys()].filter((it) => it.includes(eve.id.slice(1, 13)));
    victim.cookies.set(name!, browser.cookies.get(own!)!);
    const relayed = await posted(victim, answerFor(id), relay);
    expect((await victim.open(relayed.headers.get("location")!)).status).toBe(403);
    // The answer to a request of this browser, with what belongs to another of its requests.
    const mixed = await posted(browser, answerFor(id), eve.relay);
    expect((await browser.open(mixed.headers.get("location")!)).status).toBe(403);
    const late = await posted(browser, answerFor(id), relay);
    clock.forward(2 * MINUTE);
    expect((await browser.open(late.headers.get("location")!)).status).toBe(403);
    clock.forward(14 * MINUTE);
    expect((await posted(browser, answerFor(id), relay)).status).toBe(403);
    expect(new Set(await failures())).toEqual(new Set(["response_in_response_to", "other_browser"]));
  });

  test("the page says nothing about why a message was rejected, and the log does", async () => {
    const browser = newBrowser(signIn());
    const { id, relay } = await begun(browser);
    const pages = new Set<string>();
    for (const xml of [answerFor(id, {}, { by: keys.other }), answerFor(id, { audience: "urn:x" }), "no"])
      pages.add(await (await posted(browser, xml, relay)).text());
    expect([...pages]).toHaveLength(1);
    expect([...pages][0]).toContain("The response from Corp was rejected.");
    expect((await failures()).toSorted()).toEqual(["audience", "malformed", "signature"]);
  });

  test("a response with changed codes or codes of another provider is rejected", async () => {
    const browser = newBrowser(signIn());
    const { id, relay } = await begun(browser);
    const taken = await posted(browser, answerFor(id), relay);
    const url = new URL(taken.headers.get("location")!);
    const code = url.searchParams.get("code")!;
    for (const wrong of ["", "x", `${code.slice(0, -2)}AA`]) {
      url.searchParams.set("code", wrong);
      expect((await browser.open(url.href)).status).toBe(403);
    }
    expect(await whoIs(browser)).toBe(401);
  });

  test("an unknown or incomplete provider is rejected", async () => {
    const { ask, org, otherOrg } = setting;
    const pending = (await ask("admin", `POST /v1/orgs/${org}/saml`, { label: "Pending" })).body;
    const browser = newBrowser(signIn());
    expect((await browser.open(pending.service.startURL)).status).toBe(404);
    expect((await browser.open(pending.service.entityID)).status).toBe(200);
    for (const path of [`/v1/orgs/${otherOrg}/saml/${provider.id}`, `/v1/orgs/${org}/saml/sml_0`, "/v1/orgs/x/saml/y"])
      expect((await browser.open(`${HOME}${path}/start`)).status).toBe(404);
  });

  test("a disabled or removed person does not regain access", async () => {
    const { ask, org, api } = setting;
    const browser = newBrowser(signIn());
    await through(browser);
    const { id: user } = await (await browser.open(`${HOME}/v1/user`)).json();
    const switched = (disabled: boolean) =>
      getApiInternals(api).kernel.store.write(getOrganizationPartition(org), async (tx) =>
        members.put(tx, { ...(await members.get(tx, user))!, disabled }),
      );
    await switched(true);
    const again = newBrowser(signIn());
    expect((await through(again)).status).toBe(403);
    expect(await whoIs(again)).toBe(401);
    await switched(false);
    expect((await browser.open(`${HOME}/v1/orgs/${org}`)).status).toBe(200);
    await ask("admin", `DELETE /v1/orgs/${org}/members/${user}`);
    expect((await browser.open(`${HOME}/v1/orgs/${org}`)).status).toBe(404);
    expect((await through(browser)).status).toBe(303);
    expect((await browser.open(`${HOME}/v1/orgs/${org}`)).status).toBe(404);
  });
});

describe("limits of what a provider may assert", () => {
  /** The rival is admin of the other organization. The admins of ours make our provider say that it is them. */
  const asRival = async () => (await setting.ask("rival", "GET /v1/user")).body as { id: string; email: string };

  test("a known address and an unknown one get the same response", async () => {
    const rival = await asRival();
    const pages: string[] = [];
    for (const name of [rival.email, "nobody@elsewhere.example"]) {
      const browser = newBrowser(signIn());
      const last = await through(browser, { name });
      expect(last.status).toBe(403);
      expect(await whoIs(browser)).toBe(401);
      pages.push(await last.text());
    }
    expect(pages[0]).toBe(pages[1]);
    expect(await failures()).toEqual(["unproven_address", "unproven_address"]);
  });

  test("a name or attribute that is an e-mail address does not sign in as its owner", async () => {
    const { email } = await asRival();
    const attributes = `<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue>${email}</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;
    for (const name of ["alice@corp.example", "17"]) {
      const browser = newBrowser(signIn());
      expect((await through(browser, { name, attributes })).status).toBe(403);
      expect(await whoIs(browser)).toBe(401);
    }
  });

  test("a provider speaks for an existing user after they agree in their own session", async () => {
    const { ask, org, api } = setting;
    const rival = await asRival();
    const browser = newBrowser(signIn());
    browser.cookies.set(...(await sessionOf(api, rival.id)));
    const asked = await through(browser, { name: rival.email });
    expect(asked.status).toBe(200);
    const page = await asked.text();
    expect(page).toContain("After this, Corp can sign you in");
    const question = page.match(/name="question" value="([^"]+)"/)![1]!;
    const at = provider.service.acsURL.replace(/acs$/, "confirm");
    // Not from another site, not in another session, not with another question.
    expect((await browser.open(at, { question }, CROSS_SITE)).status).toBe(403);
    expect((await newBrowser(signIn()).open(at, { question })).status).toBe(403);
    expect((await browser.open(at, { question: `${question.slice(0, -2)}AA` })).status).toBe(403);
    expect((await ask("admin", `GET /v1/orgs/${org}/members/${rival.id}`)).status).toBe(404);
    expect((await browser.open(at, { question })).status).toBe(303);
    expect(await whoIs(browser)).toBe(rival.email);
    expect((await ask("admin", `GET /v1/orgs/${org}/members/${rival.id}`)).body).toMatchObject({ role: "edit" });
    expect((await browser.open(at, { question })).status).toBe(403);
    const next = newBrowser(signIn());
    await through(next, { name: rival.email });
    expect(await whoIs(next)).toBe(rival.email);
  });

  test("a provider that the host trusts speaks for existing users", async () => {
    const browser = newBrowser(signIn({ saml: { trusted: [provider.id] } }));
    await through(browser, { name: "new@elsewhere.example" });
    expect(await whoIs(browser)).toBe("new@elsewhere.example");
  });

  test("a user without a verified address is not linked to the provider, even of its own domain", async () => {
    const { kernel } = getApiInternals(setting.api);
    await kernel.store.write(DIRECTORY, (tx) =>
      users.put(tx, {
        id: "squatter",
        displayName: "S",
        email: "alice@corp.example",
        emailUnverified: true,
        createdAt: "2026-03-01T09:00:00.000Z",
      }),
    );
    const browser = newBrowser(signIn());
    expect((await through(browser)).status).toBe(403);
    expect(await whoIs(browser)).toBe(401);
  });
});

describe("signing out", () => {
  const logoutURL = () => provider.service.acsURL.replace(/acs$/, "logout");

  test("signing out ends the session here and at the provider with a signed request", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/saml/${provider.id}`, { sloURL: "https://idp.example/slo?tenant=1" });
    const browser = newBrowser(signIn());
    await through(browser, { name: "alice@corp.example" });
    expect((await browser.open(logoutURL(), {}, CROSS_SITE)).status).toBe(403);
    expect(await whoIs(browser)).toBe("alice@corp.example");
    const kept = new Map(browser.cookies);
    const left = await browser.open(logoutURL(), {});
    expect(left.status).toBe(303);
    for (const [name, value] of kept) browser.cookies.set(name, value);
    expect(await whoIs(browser)).toBe(401);
    const url = left.headers.get("location")!;
    const signedPart = url.match(/SAMLRequest=.*(?=&Signature=)/)![0];
    const { searchParams } = new URL(url);
    const xml = inflateRawSync(Buffer.from(searchParams.get("SAMLRequest")!, "base64")).toString();
    expect(xml).toMatch(
      /<saml:NameID Format="[^"]*emailAddress">alice@corp.example<\/saml:NameID><samlp:SessionIndex>_session</,
    );
    expect(searchParams.get("tenant")).toBe("1");
    const metadata = await (await browser.open(provider.service.entityID)).text();
    const certificate = new X509Certificate(Buffer.from(metadata.match(/X509Certificate>([^<]+)</)![1]!, "base64"));
    const signature = Buffer.from(searchParams.get("Signature")!, "base64");
    expect(createVerify("sha256").update(signedPart).verify(certificate.publicKey, signature)).toBe(true);
    const back = await browser.open(`${logoutURL()}?SAMLResponse=x`);
    expect([back.status, await back.text()]).toEqual([200, expect.stringContaining("You’re signed out")]);
  });

  test("the sign-out page continues to the provider", async () => {
    const { ask, org } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/saml/${provider.id}`, { sloURL: "https://idp.example/slo" });
    const browser = newBrowser(signIn());
    await through(browser);
    const page = await (await browser.open(`${HOME}/sign-out`, {})).text();
    expect(page).toContain('href="https://idp.example/slo?SAMLRequest=');
    expect(await whoIs(browser)).toBe(401);
  });

  test("signing out works when the provider refuses the request", async () => {
    const browser = newBrowser(signIn());
    await through(browser);
    expect((await browser.open(logoutURL(), {})).status).toBe(200);
    expect(await whoIs(browser)).toBe(401);
  });

  test("signing out at the provider ends the session here, unless the request is forged", async () => {
    const { ask, org, clock } = setting;
    await ask("admin", `PATCH /v1/orgs/${org}/saml/${provider.id}`, { sloURL: "https://idp.example/slo" });
    const [browser, other] = [newBrowser(signIn()), newBrowser(signIn())];
    await through(browser);
    await through(other, { name: "bob@corp.example" });
    const asked = { at: logoutURL(), issued: clock.now.toISOString() };
    expect((await browser.open(logoutUrl({ ...asked, by: keys.other }))).status).toBe(403);
    expect((await browser.open(logoutUrl({ ...asked, session: "_another" }))).status).toBe(303);
    expect(await whoIs(browser)).toBe("alice@corp.example");
    const answer = await newBrowser(signIn()).open(logoutUrl(asked));
    const { searchParams } = new URL(answer.headers.get("location")!);
    const xml = inflateRawSync(Buffer.from(searchParams.get("SAMLResponse")!, "base64")).toString();
    expect([searchParams.get("RelayState"), xml.includes('InResponseTo="_logout"')]).toEqual(["a b", true]);
    expect([await whoIs(browser), await whoIs(other)]).toEqual([401, "bob@corp.example"]);
    expect(await failures()).toEqual(["logout_signature"]);
  });
});
