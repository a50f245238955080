// Each known way to break a service provider is refused, and the checks that refuse it are the reason: without them it comes
// in, and with any one of them it does not. No check is there that no attack needs.

import { createHash, createSign } from "node:crypto";
import { mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readLogoutRequest } from "../../../src/sign-in/saml/logout-request";
import type { RefusalReason } from "../../../src/sign-in/saml/refusal";
import { type ResponseExpectations, verifyResponse } from "../../../src/sign-in/saml/response";
import * as keys from "./keys";
import { rsa } from "./keys";
import { logoutAttacks, logoutExpectations, logoutUrl } from "./logouts";
import {
  assertionXml,
  encrypted,
  expectations,
  inMinutes,
  NOW,
  responseXml,
  type Said,
  type Signing,
  signed,
} from "./provider";

// The reading of responses with checks that can be taken out. Every check is a call of `refuseIf`, whose module is replaced
// here; three things that are no checks of ours have a broken variant of their own. The package has no such switch.

/** What can be taken out. */
type Switch =
  | RefusalReason
  /** Reads what was signed, and not what stands in the message. */
  | "signed text"
  /** Takes the assertion that belongs to the response, and not the first one anywhere. */
  | "direct child"
  /** The library compares digests. */
  | "library: digest"
  /** The library refuses an id that two elements have. */
  | "library: one id"
  /** The library is given no other canonical forms than the one. */
  | "library: forms";

const root = join(import.meta.dirname, "../../..");
const IS_OUT = (what: string) => `globalThis.octavoTakenOut.has(${JSON.stringify(what)})`;

/** In each file a text that stands there once, and what it becomes. */
const variants: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "src/sign-in/saml/refusal.ts": [["if (isWrong) throw", "if (isWrong && !globalThis.octavoTakenOut.has(why)) throw"]],
  "src/sign-in/saml/signature.ts": [
    ["return covered;", `return ${IS_OUT("signed text")} ? new XMLSerializer().serializeToString(element) : covered;`],
    [
      "  library.CanonicalizationAlgorithms = {",
      `  if (!${IS_OUT("library: forms")}) library.CanonicalizationAlgorithms = {`,
    ],
    ["import { SignedXml }", `import { XMLSerializer } from "@xmldom/xmldom";\nimport { SignedXml }`],
  ],
  "src/sign-in/saml/response.ts": [
    [
      "requirePresent(getChildElements(response).find(isAssertionElement))",
      `requirePresent((${IS_OUT("direct child")} ? listElements(response, SAML, "Assertion") : getChildElements(response)).find(isAssertionElement))`,
    ],
  ],
  "node_modules/xml-crypto/lib/utils.js": [
    [
      "function validateDigestValue(digest, expectedDigest) {",
      `function validateDigestValue(digest, expectedDigest) { if (${IS_OUT("library: digest")}) return true;`,
    ],
  ],
  "node_modules/xml-crypto/lib/signed-xml.js": [
    ["if (num_elements_for_id > 1) {", `if (num_elements_for_id > 1 && !${IS_OUT("library: one id")}) {`],
  ],
};

const breaking: Plugin = {
  name: "breaking",
  setup(builder) {
    for (const [file, changes] of Object.entries(variants)) {
      const path = join(root, file);
      builder.onLoad({ filter: new RegExp(`${file.replace(/[.]/g, "\\.")}$`) }, async () => {
        let contents = await readFile(path, "utf8");
        for (const [from, to] of changes) {
          if (contents.split(from).length !== 2) throw new Error(`${file} has not once: ${from}`);
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: file.endsWith(".ts") ? "ts" : "js" };
      });
    }
  },
};

/** What reads messages of a provider. */
interface Reading {
  readonly verifyResponse: typeof verifyResponse;
  readonly readLogoutRequest: typeof readLogoutRequest;
}

interface Broken {
  /** Reads with some checks taken out. */
  readonly without: <Result>(out: readonly Switch[], read: (reading: Reading) => Promise<Result>) => Promise<Result>;
  readonly remove: () => Promise<void>;
}

async function brokenReading(): Promise<Broken> {
  const folder = await mkdtemp(join(tmpdir(), "octavo-broken-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  const outfile = join(folder, "response.mjs");
  await build({
    stdin: {
      contents: `export * from "./response"; export * from "./logout-request";`,
      resolveDir: join(root, "src/sign-in/saml"),
    },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` },
    plugins: [breaking],
    logLevel: "error",
  });
  const scope = globalThis as { octavoTakenOut?: ReadonlySet<string> };
  scope.octavoTakenOut = new Set();
  const reading = (await import(pathToFileURL(outfile).href)) as Reading;
  return {
    async without(out, read) {
      scope.octavoTakenOut = new Set(out);
      return read(reading);
    },
    async remove() {
      delete scope.octavoTakenOut;
      await rm(folder, { recursive: true });
    },
  };
}

// What is known to have broken service providers, each as one message. In each of them Eve wants to come in. `out`: the
// checks that all have to be missing for her to get in. With any one of them in place, she does not.

interface Attack {
  readonly name: string;
  readonly xml: () => string;
  /** The check that is named. */
  readonly why: RefusalReason;
  readonly out: readonly Switch[];
  /** Who is in when the checks are out. Default: Eve. */
  readonly enters?: string;
  readonly expects?: Partial<ResponseExpectations>;
}

const EVE = "eve@corp.example";
const ALICE = "alice@corp.example";
const by = keys.rsa;

/** Alice's response, as her browser could have shown it to Eve: with a signed assertion, or signed as a whole. */
const genuine = signed(assertionXml(), { by, id: "_assertion" });
const genuineWhole = signed(responseXml(assertionXml()), { by, id: "_response" });

const SIGNATURE = /<ds:Signature .*<\/ds:Signature>/s;
const signatureIn = (xml: string) => xml.match(SIGNATURE)![0];
const bare = (xml: string) => xml.replace(SIGNATURE, "");
/** Eve's version of what Alice has, with other ids and without a signature. */
const forged = (xml: string) =>
  bare(xml).replaceAll(ALICE, EVE).replace('"_assertion"', '"_evil"').replace('"_response"', '"_evil_response"');
const behindIssuer = (xml: string, what: string) => xml.replace("</saml:Issuer>", () => `</saml:Issuer>${what}`);

/** Eve's own assertion: the provider has signed it for her, but not like this. */
const mine = (said: Partial<Said> = {}, signing: Partial<Signing> = {}) =>
  signed(assertionXml({ name: EVE, ...said }), { by, id: said.assertionId ?? "_assertion", ...signing });
const sent = (said: Partial<Said> = {}, response: Partial<Said> = {}) => responseXml(mine(said), response);

/** A signature over a text of one's own choice, inside a genuine frame. */
function resigned(xml: string, change: (info: string) => string): string {
  const info = change(xml.match(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s)![0]);
  const canonical = info
    .replace("<ds:SignedInfo>", '<ds:SignedInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">')
    .replace(/<([\w:]+)([^>]*)\/>/g, "<$1$2></$1>");
  const value = createSign("SHA256").update(canonical).sign(by.key, "base64");
  return xml
    .replace(/<ds:SignedInfo>.*<\/ds:SignedInfo>/s, () => info)
    .replace(/<ds:SignatureValue>.*<\/ds:SignatureValue>/s, () => `<ds:SignatureValue>${value}</ds:SignatureValue>`);
}

const wrapping: Attack[] = [
  {
    name: "XSW1: the signed response inside the signature of a forged one",
    xml: () => {
      const inside = signatureIn(genuineWhole).replace("</ds:Signature>", () => `${bare(genuineWhole)}</ds:Signature>`);
      return behindIssuer(forged(genuineWhole), inside);
    },
    why: "several_assertions",
    out: ["several_assertions", "signature_parts", "reference", "signed text"],
  },
  {
    name: "XSW2: the signed response beside its signature, in a forged one",
    xml: () => behindIssuer(forged(genuineWhole), bare(genuineWhole) + signatureIn(genuineWhole)),
    why: "several_assertions",
    out: ["several_assertions", "reference", "signed text"],
  },
  {
    name: "XSW3: a forged assertion before the signed one",
    xml: () => responseXml(forged(genuine) + genuine),
    why: "several_assertions",
    out: ["several_assertions", "signature_place", "unsigned"],
  },
  {
    name: "XSW4: the signed assertion inside a forged one",
    xml: () => responseXml(forged(genuine).replace("</saml:Assertion>", () => `${genuine}</saml:Assertion>`)),
    why: "several_assertions",
    out: ["several_assertions", "signature_place", "unsigned"],
  },
  {
    name: "XSW5: a forged assertion with the signature of the one that stands behind it",
    xml: () => responseXml(behindIssuer(forged(genuine), signatureIn(genuine)) + bare(genuine)),
    why: "several_assertions",
    out: ["several_assertions", "reference", "signed text"],
  },
  {
    name: "XSW6: a forged assertion with the signature, and in it the signed assertion",
    xml: () => {
      const inside = signatureIn(genuine).replace("</ds:Signature>", () => `${bare(genuine)}</ds:Signature>`);
      return responseXml(behindIssuer(forged(genuine), inside));
    },
    why: "several_assertions",
    out: ["several_assertions", "signature_parts", "reference", "signed text"],
  },
  {
    name: "XSW7: a forged assertion in the extensions",
    xml: () => responseXml(genuine, { extensions: forged(genuine) }),
    why: "several_assertions",
    out: ["several_assertions", "direct child", "unsigned"],
  },
  {
    name: "XSW8: a forged assertion with the signature, and the signed one in an object of it",
    xml: () => {
      const object = `<ds:Object>${bare(genuine)}</ds:Object></ds:Signature>`;
      return responseXml(
        behindIssuer(
          forged(genuine),
          signatureIn(genuine).replace("</ds:Signature>", () => object),
        ),
      );
    },
    why: "several_assertions",
    out: ["several_assertions", "signature_parts", "reference", "signed text"],
  },
  {
    name: "a forged assertion beside an encrypted one",
    xml: () => responseXml(forged(genuine) + encrypted(genuine, keys.own.certificate)),
    why: "several_assertions",
    out: ["several_assertions", "unsigned"],
  },
  {
    name: "a signed assertion inside an encrypted, forged one",
    xml: () => {
      const whole = forged(genuine).replace("</saml:Assertion>", () => `${genuine}</saml:Assertion>`);
      return responseXml(encrypted(whole, keys.own.certificate));
    },
    why: "several_assertions",
    out: ["several_assertions", "signature_place", "unsigned"],
  },
  {
    name: "a signature of something else, in a place that belongs to nobody",
    xml: () => {
      const status = `<samlp:Status><samlp:StatusDetail>${signatureIn(genuine)}</samlp:StatusDetail>`;
      return responseXml(mine()).replace("<samlp:Status>", () => status);
    },
    why: "signature_place",
    out: ["signature_place"],
  },
  {
    name: "an id that two elements have: the signed one, and one that is read",
    xml: () =>
      responseXml(behindIssuer(forged(genuine).replace('"_evil"', '"_assertion"'), signatureIn(genuine)), {
        extensions: `<x xmlns="urn:x">${bare(genuine).replace(/saml:Assertion/g, "saml:Advice")}</x>`,
      }),
    why: "duplicate_id",
    out: ["duplicate_id", "library: one id", "library: digest", "signed text"],
  },
  {
    name: "two elements with one id, of which neither is signed",
    xml: () =>
      sent({}, { extensions: '<x xmlns="urn:x" id="_twice"/><x xmlns="urn:x" xmlns:e="urn:e" e:ID="_twice"/>' }),
    why: "duplicate_id",
    out: ["duplicate_id"],
  },
];

const signatures: Attack[] = [
  {
    name: "no signature at all",
    xml: () => responseXml(assertionXml({ name: EVE })),
    why: "unsigned",
    out: ["unsigned"],
  },
  {
    name: "a signature in a namespace that only looks like it",
    xml: () => sent().replaceAll('http://www.w3.org/2000/09/xmldsig#">', 'http://www.w3.org/2000/09/xmldsig# ">'),
    why: "unsigned",
    out: ["unsigned"],
  },
  {
    name: "a signature whose prefix is bound to nothing",
    xml: () => sent().replace(' xmlns:ds="http://www.w3.org/2000/09/xmldsig#"', ""),
    why: "unsigned",
    out: ["unsigned"],
  },
  {
    name: "a signature by another key, which the message brings along",
    xml: () => responseXml(mine({}, { by: keys.other })),
    why: "signature",
    out: ["signature"],
  },
  {
    name: "a response signed by another key, around an assertion that is signed",
    xml: () => signed(sent(), { by: keys.other, id: "_response" }),
    why: "signature",
    out: ["signature"],
  },
  {
    name: "a name that was changed after signing",
    xml: () => responseXml(genuine.replaceAll(ALICE, EVE)),
    why: "digest",
    out: ["library: digest"],
  },
  {
    name: "the assertion swapped inside a signed response",
    xml: () => genuineWhole.replace(/<saml:Assertion .*<\/saml:Assertion>/s, () => assertionXml({ name: EVE })),
    why: "digest",
    out: ["library: digest"],
  },
  {
    name: "a reference to something else that is signed",
    xml: () => {
      const other = signed(
        `<x ID="_other" xmlns="urn:x"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/></x>`,
        { by, id: "_other" },
      );
      const assertion = behindIssuer(assertionXml({ name: EVE }), signatureIn(other));
      return responseXml(assertion, { extensions: bare(other) });
    },
    why: "reference",
    out: ["reference", "signed text"],
  },
  {
    name: "a reference to the whole document",
    xml: () => {
      const info = (text: string) => text.replace('URI="#_assertion"', 'URI=""');
      return resigned(responseXml(mine()), info);
    },
    why: "reference",
    out: ["reference", "library: digest", "signed text"],
  },
  {
    name: "an object in the signature",
    xml: () => sent().replace("</ds:Signature>", "<ds:Object><x xmlns='urn:x'>y</x></ds:Object></ds:Signature>"),
    why: "signature_parts",
    out: ["signature_parts"],
  },
  {
    name: "a second list of what is signed, in another namespace",
    xml: () => sent().replace("<ds:KeyInfo>", `<ds:KeyInfo><e:SignedInfo xmlns:e="urn:e"/>`),
    why: "signature_shape",
    out: ["signature_shape"],
  },
  {
    name: "a second digest, in another namespace",
    xml: () => sent().replace("<ds:KeyInfo>", `<ds:KeyInfo><e:DigestValue xmlns:e="urn:e">AAAA</e:DigestValue>`),
    why: "signature_shape",
    out: ["signature_shape"],
  },
  {
    name: "a comment inside the digest",
    xml: () => sent().replace("<ds:DigestValue>", "<ds:DigestValue><!-- x -->"),
    why: "comment",
    out: ["comment"],
  },
  {
    name: "another transform",
    xml: () =>
      responseXml(
        mine(
          {},
          {
            transforms: [
              "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
              "http://www.w3.org/2001/10/xml-exc-c14n#WithComments",
            ],
          },
        ),
      ),
    why: "transform",
    out: ["transform", "library: forms"],
  },
  {
    name: "an expression that picks what is signed",
    xml: () => {
      const path =
        '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>false()</ds:XPath></ds:Transform>';
      return sent().replace("</ds:Transforms>", `${path}</ds:Transforms>`);
    },
    why: "transform",
    out: [],
  },
  {
    name: "another canonical form of what is signed",
    xml: () => responseXml(mine({}, { form: "http://www.w3.org/TR/2001/REC-xml-c14n-20010315" })),
    why: "canonicalization",
    out: ["canonicalization", "library: forms"],
  },
  {
    name: "a canonical form that is void: the digest of nothing",
    xml: () => {
      const nothing = createHash("sha256").update("").digest("base64");
      const info = (text: string) =>
        text.replace(/<ds:DigestValue>.*<\/ds:DigestValue>/, `<ds:DigestValue>${nothing}</ds:DigestValue>`);
      return resigned(responseXml(mine({ attributes: '<x xmlns="1"/>' })), info);
    },
    why: "digest",
    out: ["library: digest"],
  },
  {
    name: "a signature with SHA-1",
    xml: () => responseXml(mine({}, { method: "http://www.w3.org/2000/09/xmldsig#rsa-sha1" })),
    why: "signature_algorithm",
    out: ["signature_algorithm"],
  },
  {
    name: "a digest with SHA-1",
    xml: () => responseXml(mine({}, { digest: "http://www.w3.org/2000/09/xmldsig#sha1" })),
    why: "digest_algorithm",
    out: ["digest_algorithm"],
  },
];

const texts: Attack[] = [
  {
    name: "a document type",
    xml: () => `<!DOCTYPE samlp:Response>${sent()}`,
    why: "doctype",
    out: ["doctype"],
  },
  {
    name: "an entity that becomes a name",
    xml: () => `<!DOCTYPE x [<!ENTITY who "${EVE}">]>${responseXml(genuine)}`.replace(`>${ALICE}<`, ">&who;<"),
    why: "doctype",
    out: [],
  },
  {
    name: "a comment inside a name",
    xml: () =>
      responseXml(mine({ name: "eve@corp.example.evil.example" })).replace(
        ">eve@corp.example.",
        ">eve@corp.example<!-- x -->.",
      ),
    why: "comment",
    out: ["comment"],
    enters: "eve@corp.example.evil.example",
  },
  {
    name: "an instruction inside a name",
    xml: () => responseXml(mine().replace(`>${EVE}<`, `><?x ${EVE}?><`)),
    why: "instruction",
    out: ["instruction"],
  },
  {
    name: "elements without end",
    xml: () => sent({}, { extensions: `${"<a xmlns='urn:x'>".repeat(200)}${"</a>".repeat(200)}` }),
    why: "too_complex",
    out: ["too_complex"],
  },
  {
    name: "elements without number",
    xml: () => sent({}, { extensions: "<a xmlns='urn:x'/>".repeat(1001) }),
    why: "too_complex",
    out: ["too_complex"],
  },
  {
    name: "attributes without number",
    xml: () => sent({}, { extensions: `<a ${[...Array(40).keys()].map((i) => `a${i}="x"`).join(" ")}/>` }),
    why: "too_complex",
    out: ["too_complex"],
  },
  {
    name: "an attribute twice: each parser takes another",
    xml: () => sent().replace('ID="_assertion"', 'ID="_assertion" ID="_evil"'),
    why: "not_xml",
    out: [],
  },
  {
    name: "a message of half a megabyte",
    xml: () => sent({}, { extensions: `<a xmlns='urn:x'>${" ".repeat(500_000)}</a>` }),
    why: "too_large",
    out: ["too_large"],
  },
  {
    name: "a name in another namespace than the one that is read",
    xml: () => sent({ name: `<e:NameID xmlns:e="urn:e">x</e:NameID>${EVE}` }),
    why: "malformed",
    out: [],
  },
  {
    name: "no name",
    xml: () => sent({ name: " " }),
    why: "name_id",
    out: ["name_id"],
    enters: "",
  },
];

const encryption: Attack[] = [
  {
    name: "an encrypted assertion that nobody has signed",
    xml: () => responseXml(encrypted(assertionXml({ name: EVE }), keys.own.certificate)),
    why: "unsigned",
    out: ["unsigned"],
  },
  {
    name: "CBC without a signature around it",
    xml: () => responseXml(encrypted(mine(), keys.own.certificate, { content: "aes256-cbc" })),
    why: "cbc_unsigned",
    out: ["cbc_unsigned"],
  },
  {
    name: "a key in the padding of PKCS 1.5",
    xml: () => responseXml(encrypted(mine(), keys.own.certificate, { transport: "rsa-1_5" })),
    why: "key_transport",
    out: [],
  },
  {
    name: "encrypted for somebody else",
    xml: () => responseXml(encrypted(mine(), keys.other.certificate)),
    why: "decryption",
    out: [],
  },
  {
    name: "encrypted with an algorithm that is not one",
    xml: () => responseXml(encrypted(mine(), keys.own.certificate)).replace("aes256-gcm", "tripledes-cbc"),
    why: "encryption_algorithm",
    out: [],
  },
  {
    name: "a changed text of GCM",
    xml: () =>
      responseXml(encrypted(mine(), keys.own.certificate)).replace(
        /(.)(.{40})(<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData>)/,
        (_, a, b, c) => `${a === "A" ? "B" : "A"}${b}${c}`,
      ),
    why: "decryption",
    out: [],
  },
];

const said: Attack[] = [
  { name: "another issuer", xml: () => sent({ issuer: "https://evil.example" }), why: "issuer", out: ["issuer"] },
  {
    name: "another issuer of the response",
    xml: () => sent({}, { responseIssuer: "https://evil.example" }),
    why: "response_issuer",
    out: ["response_issuer"],
  },
  {
    name: "another audience",
    xml: () => sent({ audience: "https://other.example/metadata" }),
    why: "audience",
    out: ["audience"],
  },
  {
    name: "an audience beside ours that must hold, too",
    xml: () => {
      const second =
        "<saml:AudienceRestriction><saml:Audience>https://other.example</saml:Audience></saml:AudienceRestriction>";
      return sent({ conditions: second });
    },
    why: "audience",
    out: ["audience"],
  },
  {
    name: "no audience",
    xml: () =>
      responseXml(
        signed(assertionXml({ name: EVE }).replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, ""), {
          by,
          id: "_assertion",
        }),
      ),
    why: "audience",
    out: ["audience"],
  },
  {
    name: "another recipient",
    xml: () => sent({ recipient: "https://other.example/acs" }),
    why: "recipient",
    out: ["recipient"],
  },
  {
    name: "another destination",
    xml: () => sent({}, { destination: "https://other.example/acs" }),
    why: "destination",
    out: ["destination"],
  },
  {
    name: "the answer to a request that we have not made",
    xml: () => sent({ inResponseTo: "_other" }),
    why: "in_response_to",
    out: ["in_response_to"],
  },
  {
    name: "an answer that nobody asked for",
    xml: () =>
      responseXml(
        signed(assertionXml({ name: EVE }).replace(' InResponseTo="_request"', ""), { by, id: "_assertion" }),
      ).replace(' InResponseTo="_request"', ""),
    why: "in_response_to",
    out: ["in_response_to"],
  },
  {
    name: "a response to a request that we have not made",
    xml: () => sent({}, { responseInResponseTo: "_other" }),
    why: "response_in_response_to",
    out: ["response_in_response_to"],
  },
  {
    name: "a status that is no success",
    xml: () => sent({}, { status: "urn:oasis:names:tc:SAML:2.0:status:Responder" }),
    why: "status",
    out: ["status"],
  },
  { name: "another version", xml: () => sent({ version: "1.1" }), why: "version", out: ["version"] },
  {
    name: "another version of the response",
    xml: () => sent({}, { responseVersion: "1.1" }),
    why: "response_version",
    out: ["response_version"],
  },
  {
    name: "a condition that nobody knows",
    xml: () => sent({ conditions: '<saml:Condition xmlns:e="urn:e" e:type="x"/>' }),
    why: "condition",
    out: ["condition"],
  },
  { name: "not yet", xml: () => sent({ notBefore: inMinutes(2) }), why: "not_before", out: ["not_before"] },
  { name: "not any more", xml: () => sent({ notOnOrAfter: inMinutes(-1) }), why: "expired", out: ["expired"] },
  {
    name: "confirmed for a time that is over",
    xml: () => sent({ confirmedUntil: inMinutes(-1) }),
    why: "confirmation_expired",
    out: ["confirmation_expired"],
  },
  {
    name: "confirmed without an end",
    xml: () =>
      responseXml(
        signed(assertionXml({ name: EVE }).replace(/ NotOnOrAfter="[^"]*" Recipient/, " Recipient"), {
          by,
          id: "_assertion",
        }),
      ),
    why: "confirmation_expired",
    out: ["confirmation_expired"],
  },
  {
    name: "confirmed from a time on",
    xml: () => sent({ confirmation: ` NotBefore="${inMinutes(-1)}"` }),
    why: "confirmation_not_before",
    out: ["confirmation_not_before"],
  },
  {
    name: "a session that has ended",
    xml: () => sent({ sessionUntil: inMinutes(-1) }),
    why: "session_ended",
    out: ["session_ended"],
  },
  {
    name: "nobody has signed in",
    xml: () => sent({ statement: "<saml:AuthzDecisionStatement/>" }),
    why: "no_statement",
    out: ["no_statement"],
  },
  {
    name: "for whoever holds a key, and not for whoever brings it",
    xml: () => sent({ method: "urn:oasis:names:tc:SAML:2.0:cm:holder-of-key" }),
    why: "bearer",
    out: ["bearer"],
  },
  {
    name: "a good response a day later",
    xml: () => sent(),
    why: "expired",
    out: ["expired", "confirmation_expired", "session_ended"],
    expects: { now: new Date(NOW.getTime() + 24 * 60 * 60_000) },
  },
];

const attacks: readonly Attack[] = [...wrapping, ...signatures, ...texts, ...encryption, ...said];

let broken: Broken;
beforeAll(async () => {
  broken = await brokenReading();
});
afterAll(() => broken.remove());

/** Who is in: a name, or nobody. */
const entered = (reading: Promise<{ readonly nameId: string }>) =>
  reading.then(
    ({ nameId }) => nameId,
    () => "nobody",
  );

test.each(attacks)(
  "an attack on a response is rejected: $name",
  async ({ xml, why, out, expects, enters = "eve@corp.example" }) => {
    const message = xml();
    const expected = expectations(rsa, expects);
    await expect(verifyResponse(message, expected)).rejects.toMatchObject({ why });
    if (out.length === 0) return;
    expect(await entered(broken.without(out, (broken) => broken.verifyResponse(message, expected)))).toBe(enters);
    for (const one of out) {
      const others = out.filter((it) => it !== one);
      expect(
        await entered(broken.without(others, (broken) => broken.verifyResponse(message, expected))),
        `with ${one}`,
      ).not.toBe(enters);
    }
  },
);

test.each(logoutAttacks)("an attack on a logout request is rejected: $name", async ({ url, why }) => {
  const sent = url();
  const expected = logoutExpectations;
  await expect(readLogoutRequest(sent, expected)).rejects.toMatchObject({ why });
  const read = broken.without([why], (broken) => broken.readLogoutRequest(sent, expected));
  expect(await read).toMatchObject({ nameId: "alice@corp.example" });
});

test("a genuine logout request is accepted", async () => {
  expect(await readLogoutRequest(logoutUrl(), logoutExpectations)).toEqual({
    id: "_logout",
    nameId: "alice@corp.example",
    nameIdFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
    sessions: ["_session"],
    relayState: "a b",
  });
  for (const url of ["https://docs.example/", `${logoutUrl()}&SAMLRequest=x`, logoutUrl({ xml: "<a/>" })])
    await expect(readLogoutRequest(url, logoutExpectations)).rejects.toMatchObject({ name: "SamlRefusal" });
});

test("every check is needed against some attack", async () => {
  const files = ["xml", "signature", "decryption", "response", "logout-request"];
  const sources = await Promise.all(
    files.map((file) => readFile(new URL(`../../../src/sign-in/saml/${file}.ts`, import.meta.url), "utf8")),
  );
  const checks = sources.flatMap((source) =>
    [...source.matchAll(/refuseIf\([^;]*?"(\w+)"\);/gs)].map(([, why]) => why!),
  );
  const needed = new Set<Switch>([...attacks.flatMap(({ out }) => out), ...logoutAttacks.map(({ why }) => why)]);
  expect(checks.length).toBeGreaterThan(30);
  expect(checks.toSorted()).toEqual([...new Set(checks)].toSorted());
  expect(checks.filter((why) => !needed.has(why as Switch))).toEqual([]);
});
