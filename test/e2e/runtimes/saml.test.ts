// Signing in by SAML in every runtime, out of the built package: a signed and encrypted answer of a provider becomes a
// session. A Worker has nothing of Node.

import { createServer } from "node:http";
import { inflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rsa } from "../../sign-in/saml/keys";
import { assertionXml, encrypted, responseXml, signed } from "../../sign-in/saml/provider";
import { type Host, listenOn } from "../../support/listening";
import { commands, inWorker, type Program } from "./everywhere";
import { project } from "./project";

const ISSUER = "https://idp.example/metadata";

/** A provider: it is asked by a redirect, is told our metadata, and answers with what a browser would post. */
const provider = createServer(async (request, response) => {
  const asked = new URL(request.url!, "http://localhost").searchParams.get("SAMLRequest")!;
  const xml = inflateRawSync(Buffer.from(asked, "base64")).toString();
  let metadata = "";
  for await (const piece of request) metadata += piece;
  const found = (pattern: RegExp, text = xml) => text.match(pattern)![1]!;
  const [id, acs] = [found(/ ID="([^"]+)"/), found(/AssertionConsumerServiceURL="([^"]+)"/)];
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const said = {
    ...{ issuer: ISSUER, responseIssuer: ISSUER, inResponseTo: id, responseInResponseTo: id, recipient: acs },
    ...{ destination: acs, audience: found(/<saml:Issuer>([^<]+)</), sessionUntil: at(60) },
    ...{ notBefore: at(-1), notOnOrAfter: at(5), confirmedUntil: at(5) },
  };
  const certificate = `-----BEGIN CERTIFICATE-----\n${found(/X509Certificate>([^<]+)</, metadata)}\n-----END CERTIFICATE-----`;
  const assertion = encrypted(signed(assertionXml(said), { by: rsa, id: "_assertion" }), certificate, {
    content: "aes256-cbc",
  });
  const whole = signed(responseXml(assertion, said), { by: rsa, id: "_response" });
  response.end(Buffer.from(whole).toString("base64"));
});

/** What a runtime does. */
const programAt = (idp: string) => `
  const origin = "https://docs.example";
  const api = createDocsApi(memoryStorage(), { origin, secret: "a secret of more than thirty-two characters", verifyDomain: () => true });
  const made = await api.provision({ user: { displayName: "Admin", email: "admin@corp.example" }, organization: { title: "Corp" } });
  const params = { organizationId: made.organization };
  await api.call("updateOrganization", { params, body: { emailDomains: ["corp.example"] } }, { user: made.user });
  const body = ${JSON.stringify({ label: "Corp", entityID: ISSUER, ssoURL: "https://idp.example/sso", certificate: rsa.certificate })};
  const { service } = await api.call("createSamlProvider", { params, body }, { user: made.user });
  const signIn = createSignIn(api);
  const begun = await signIn.fetch(new Request(service.startURL));
  const asked = new URL(begun.headers.get("location"));
  const cookie = begun.headers.getSetCookie()[0].split(";")[0];
  const metadata = await (await signIn.fetch(new Request(service.entityID))).text();
  const SAMLResponse = await (await fetch(${JSON.stringify(idp)} + asked.search, { method: "POST", body: metadata })).text();
  const post = (answer) => signIn.fetch(new Request(service.acsURL, {
    method: "POST",
    headers: { origin: "https://idp.example" },
    body: new URLSearchParams({ SAMLResponse: answer, RelayState: asked.searchParams.get("RelayState") }),
  }));
  const forged = await post(btoa(atob(SAMLResponse).replace(/<ds:SignatureValue>./, (all) => all.slice(0, -1) + (all.at(-1) === "A" ? "B" : "A"))));
  const taken = await post(SAMLResponse);
  const entered = await signIn.fetch(new Request(taken.headers.get("location"), { headers: { cookie } }));
  const session = entered.headers.getSetCookie().find((it) => it.startsWith("__Host-octavo=")).split(";")[0];
  const user = await (await signIn.fetch(new Request(origin + "/v1/user", { headers: { cookie: session } }))).json();
  const answers = [forged.status, taken.status, entered.status, user.email];
`;
const expected = [403, 303, 303, "alice@corp.example"];
const imports = `import { createDocsApi } from "octavo"; import { memoryStorage } from "octavo/memory"; import { createSignIn } from "octavo/sign-in";`;

let idp: Host;
let path: string;
let program: Program;
beforeAll(async () => {
  idp = await listenOn(provider);
  path = await project([]);
  program = { imports, text: programAt(`${idp.origin}/`) };
});
afterAll(() => idp.close());

describe("SAML in every runtime", () => {
  test("a person signs in with SAML on Node", async () => {
    expect(await commands.Node(path, program)).toEqual(expected);
  });

  test("a person signs in with SAML on Bun", async () => {
    expect(await commands.Bun(path, program)).toEqual(expected);
  });

  test("a person signs in with SAML on Deno with permission to reach the provider", async () => {
    expect(await commands.Deno(path, program, ["--allow-net=127.0.0.1"])).toEqual(expected);
  });

  test("a person signs in with SAML in a Worker", async () => {
    expect(await inWorker(path, program)).toEqual(expected);
  });
});
