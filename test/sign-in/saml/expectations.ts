// What is expected of a response in the tests, and by whose keys.

import { createSignatureVerifier } from "../../../src/sign-in/saml/connection";
import type { ResponseExpectations } from "../../../src/sign-in/saml/response";
import { createKeyUnwrapper } from "../../../src/sign-in/saml/service-key";
import { own } from "./keys";
import { AUDIENCE, type Identity, ISSUER, NOW, RECIPIENT, REQUEST } from "./provider";

const ownKey = own.key.replace(/-----[A-Z ]+-----|\s/g, "");

export function expectations(by: Identity, more: Partial<ResponseExpectations> = {}): ResponseExpectations {
  return {
    verifySignature: createSignatureVerifier(by.certificate),
    allowsSha1: false,
    issuer: ISSUER,
    audience: AUDIENCE,
    recipient: RECIPIENT,
    isKnownRequest: (id) => id === REQUEST,
    now: NOW,
    unwrapKey: createKeyUnwrapper({ privateKey: ownKey }),
    ...more,
  };
}
