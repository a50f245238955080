// Signing in with `saml-idp`, an identity provider that others have written: it reads our request, signs, encrypts for the
// key of our metadata, and we read what it sends.

import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSignIn } from "../../../src/sign-in";
import { freePort } from "../../support/listening";
import { newBrowser } from "./browser";
import { rsa } from "./keys";

const program = new URL("../../node_modules/saml-idp/bin/run.js", import.meta.url).pathname;
const HOME = "http://localhost:3000";

let folder: string;
let idp: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "octavo-saml-idp-"));
});
afterAll(async () => {
  idp?.kill("SIGKILL");
  await rm(folder, { recursive: true });
});

/** Starts the provider, and waits until it listens. */
async function started(args: Record<string, string>): Promise<string> {
  const port = await freePort();
  const all = { host: "127.0.0.1", port: String(port), ...args };
  const child = spawn(process.execPath, [
    program,
    ...Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]),
  ]);
  idp = child;
  await new Promise<void>((done, fail) => {
    let said = "";
    child.stdout.on("data", (text) => {
      said += text;
      if (said.includes("IdP server ready")) done();
    });
    child.stderr.on("data", (text) => {
      said += text;
    });
    child.on("exit", () => fail(new Error(said)));
  });
  return `http://127.0.0.1:${port}`;
}

const unescaped = (text: string) =>
  text.replace(/&#x([0-9A-Fa-f]+);/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
const fieldIn = (page: string, name: string) =>
  unescaped(page.match(new RegExp(`name=["']${name}["'][^>]*value=["']([^"']*)["']`))?.[1] ?? "");

test("a person signs in with saml-idp and becomes a member", async () => {
  const api = createDocsApi(memoryStorage(), {
    secret: "a secret of more than thirty-two characters",
    verifyDomain: () => true,
  });
  const made = await api.provision({
    user: { displayName: "Admin", email: "admin@corp.example" },
    organization: { title: "Corp" },
  });
  const [organizationId, as] = [made.organization!, { user: made.user }];
  await api.call("updateOrganization", { params: { organizationId }, body: { emailDomains: ["corp.example"] } }, as);
  const body = {
    label: "saml-idp",
    entityID: "urn:saml-idp",
    ssoURL: "https://idp.example/saml/sso",
    certificate: rsa.certificate,
    defaultRole: "comment" as const,
  };
  const { service } = await api.call("createSamlProvider", { params: { organizationId }, body }, as);
  const browser = newBrowser(createSignIn(api).fetch);
  const metadata = await (await browser.open(service.entityID)).text();
  const certificate = `-----BEGIN CERTIFICATE-----\n${metadata.match(/X509Certificate>([^<]+)</)![1]}\n-----END CERTIFICATE-----\n`;
  const { X509Certificate } = await import("node:crypto");
  const publicKey = new X509Certificate(certificate).publicKey.export({ type: "spki", format: "pem" }).toString();
  const files = { key: rsa.key, cert: rsa.certificate, encryptionCert: certificate, encryptionPublicKey: publicKey };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const at = await started({
    issuer: "urn:saml-idp",
    acsUrl: service.acsURL,
    audience: service.entityID,
    encryptAssertion: "true",
    ...Object.fromEntries(Object.keys(files).map((name) => [name, join(folder, name)])),
  });

  const begun = await browser.open(`${service.startURL}?to=/welcome`);
  const { search } = new URL(begun.headers.get("location")!);
  const login = await fetch(`${at}/saml/sso${search}`);
  const page = await login.text();
  expect(page).toContain("_authnRequest");
  const signedIn = await fetch(`${at}/signin`, {
    method: "POST",
    headers: {
      cookie: login.headers
        .getSetCookie()
        .map((it) => it.split(";")[0])
        .join("; "),
    },
    body: new URLSearchParams({
      _authnRequest: fieldIn(page, "_authnRequest"),
      userName: "saml.jackson@corp.example",
      nameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
      email: "saml.jackson@corp.example",
      displayName: "Saml Jackson",
      firstName: "Saml",
      lastName: "Jackson",
    }),
  });
  const answer = await signedIn.text();
  const form = { SAMLResponse: fieldIn(answer, "SAMLResponse"), RelayState: fieldIn(answer, "RelayState") };
  expect(Buffer.from(form.SAMLResponse, "base64").toString()).toContain("EncryptedAssertion");
  const taken = await browser.open(service.acsURL, form, { origin: "https://idp.example", cookie: "" });
  expect(taken.status).toBe(303);
  const entered = await browser.open(taken.headers.get("location")!);
  expect(entered.headers.get("location")).toBe(`${HOME}/welcome`);
  const user = await (await browser.open(`${HOME}/v1/user`)).json();
  expect(user).toMatchObject({ displayName: "Saml Jackson", email: "saml.jackson@corp.example" });
  const member = await (await browser.open(`${HOME}/v1/orgs/${organizationId}/members/${user.id}`)).json();
  expect(member).toMatchObject({ role: "comment", sso: true });
});
