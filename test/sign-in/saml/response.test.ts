// Responses as identity providers send them, read by the real thing.

import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { verifyResponse } from "../../../src/sign-in/saml/response";
import * as known from "./keys";
import { assertionXml, encrypted, expectations, inMinutes, responseXml, signed } from "./provider";

const read = (xml: string, by = known.rsa, more = {}) => verifyResponse(xml, expectations(by, more));

describe("accepted responses", () => {
  test("a signed assertion is accepted and names the person", async () => {
    const attributes = `<saml:AttributeStatement><saml:Attribute Name="urn:oid:0.9.2342.19200300.100.1.3" FriendlyName="mail"><saml:AttributeValue>Alice@corp.example</saml:AttributeValue></saml:Attribute><saml:Attribute Name="givenName"><saml:AttributeValue>Alice</saml:AttributeValue></saml:Attribute><saml:Attribute Name="sn"><saml:AttributeValue>Wonder &amp; Land</saml:AttributeValue></saml:Attribute></saml:AttributeStatement>`;
    const assertion = assertionXml({
      attributes,
      name: "a-17",
      format: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    });
    expect(await read(responseXml(signed(assertion, { by: known.rsa, id: "_assertion" })))).toEqual({
      assertion: "_assertion",
      validUntil: new Date(inMinutes(6)),
      requestId: "_request",
      nameId: "a-17",
      nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
      sessionIndex: "_session",
      sessionUntil: new Date(inMinutes(480)),
      email: "Alice@corp.example",
      displayName: "Alice Wonder & Land",
    });
  });

  test("a response signed as a whole, signed twice, or with ECDSA, RSA-PSS or SHA-512 is accepted", async () => {
    const whole = signed(responseXml(assertionXml()), { by: known.rsa, id: "_response" });
    const inner = responseXml(signed(assertionXml(), { by: known.rsa, id: "_assertion" }));
    const both = signed(inner, { by: known.rsa, id: "_response" });
    for (const xml of [whole, both]) expect(await read(xml)).toMatchObject({ nameId: "alice@corp.example" });
    const method = "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256";
    const curve = responseXml(signed(assertionXml(), { by: known.curve, id: "_assertion", method }));
    expect(await read(curve, known.curve)).toMatchObject({ email: "alice@corp.example" });
    for (const [by, digest] of [
      ["http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1", "http://www.w3.org/2001/04/xmlenc#sha256"],
      ["http://www.w3.org/2001/04/xmldsig-more#rsa-sha512", "http://www.w3.org/2001/04/xmlenc#sha512"],
    ] as const) {
      const xml = responseXml(signed(assertionXml(), { by: known.rsa, id: "_assertion", method: by, digest }));
      expect(await read(xml)).toMatchObject({ nameId: "alice@corp.example" });
    }
  });

  test("an encrypted response is accepted with every supported method", async () => {
    const assertion = signed(assertionXml(), { by: known.rsa, id: "_assertion" });
    for (const how of [{}, { content: "aes128-gcm" }, { transport: "oaep-sha256" }] as const)
      expect(await read(responseXml(encrypted(assertion, known.own.certificate, how)))).toMatchObject({
        sessionIndex: "_session",
      });
    for (const content of ["aes128-cbc", "aes256-cbc"] as const) {
      const xml = signed(responseXml(encrypted(assertion, known.own.certificate, { content })), {
        by: known.rsa,
        id: "_response",
      });
      expect(await read(xml)).toMatchObject({ nameId: "alice@corp.example" });
    }
    const inSigned = signed(responseXml(encrypted(assertionXml(), known.own.certificate)), {
      by: known.rsa,
      id: "_response",
    });
    expect(await read(inSigned)).toMatchObject({ nameId: "alice@corp.example" });
  });

  test("SHA-1 is accepted only if allowed for the provider", async () => {
    const sha1 = {
      method: "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
      digest: "http://www.w3.org/2000/09/xmldsig#sha1",
    };
    const xml = responseXml(signed(assertionXml(), { by: known.rsa, id: "_assertion", ...sha1 }));
    expect(await read(xml, known.rsa, { allowsSha1: true })).toMatchObject({ nameId: "alice@corp.example" });
    await expect(read(xml)).rejects.toMatchObject({ why: "signature_algorithm" });
  });

  test("clocks may differ by less than a minute", async () => {
    const late = assertionXml({
      notOnOrAfter: inMinutes(-0.9),
      confirmedUntil: inMinutes(-0.9),
      notBefore: inMinutes(-5),
    });
    const early = assertionXml({ notBefore: inMinutes(0.9) });
    for (const xml of [late, early]) {
      const message = responseXml(signed(xml, { by: known.rsa, id: "_assertion" }));
      expect(await read(message)).toMatchObject({ assertion: "_assertion" });
    }
  });
});

test("the same parsed document is verified and used", () => {
  const mine = createRequire(new URL("../../../src/sign-in/saml/xml.ts", import.meta.url));
  const library = createRequire(mine.resolve("xml-crypto"));
  expect(library.resolve("@xmldom/xmldom")).toBe(mine.resolve("@xmldom/xmldom"));
});

test("an invalid response is rejected, never with another error or as another person", async () => {
  const good = responseXml(signed(assertionXml(), { by: known.rsa, id: "_assertion" }));
  const broken = ["", "<", "<a/>", "no", good.slice(0, 900), good.replace("<saml:Subject>", "<saml:Subject><x>")];
  for (const xml of broken) await expect(read(xml)).rejects.toMatchObject({ name: "SamlRefusal" });
  const outcomes = await Promise.all(
    [...Array(40).keys()].map(async (i) => {
      const at = Math.floor((good.length / 40) * i);
      const outcome = await read(`${good.slice(0, at)}${good.slice(at + 7)}`).catch((error) => error);
      return outcome.nameId ?? outcome.name;
    }),
  );
  expect(new Set(outcomes)).toEqual(new Set(["SamlRefusal", "alice@corp.example"]));
});
