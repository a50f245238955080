// What is expected of a response in the tests, and by whose keys.

import { unwrapWith } from "../../../src/sign-in/saml/own-key";
import { verifierFor } from "../../../src/sign-in/saml/provider-key";
import type { Expectations } from "../../../src/sign-in/saml/response";
import { own } from "./keys";
import { AUDIENCE, type Identity, ISSUER, NOW, RECIPIENT, REQUEST } from "./provider";

const ownKey = own.key.replace(/-----[A-Z ]+-----|\s/g, "");

export function expectations(by: Identity, more: Partial<Expectations> = {}): Expectations {
  return {
    verify: verifierFor(by.certificate),
    allowsSha1: false,
    issuer: ISSUER,
    audience: AUDIENCE,
    recipient: RECIPIENT,
    isAsked: (id) => id === REQUEST,
    now: NOW,
    unwrap: unwrapWith({ privateKey: ownKey }),
    ...more,
  };
}
