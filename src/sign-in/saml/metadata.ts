// The SAML metadata of this service provider, which identity providers import.

import type { PlainResponse } from "../../http/plain-request";
import type { SignInContext } from "../context";
import { getLogoutUrl, getServiceKey, type SamlConnection } from "./connection";
import { DSIG, EMAIL_ADDRESS, METADATA, PERSISTENT, POST, REDIRECT, SAMLP, XMLENC, XMLENC11 } from "./names";
import { escapeXml } from "./xml";

/** The algorithms for encrypted assertions, in order of preference. */
const ENCRYPTION = [`${XMLENC11}aes256-gcm`, `${XMLENC11}aes128-gcm`, `${XMLENC}rsa-oaep-mgf1p`];

/** Responds with the metadata. It is also served while the provider is incomplete, because each side needs the other's. */
export async function showMetadata(context: SignInContext, connection: SamlConnection): Promise<PlainResponse> {
  const { certificate } = await getServiceKey(context, connection);
  const { entityID, acsURL } = connection.service;
  const keyInfo = [
    `<ds:KeyInfo xmlns:ds="${DSIG}"><ds:X509Data>`,
    `<ds:X509Certificate>${certificate}</ds:X509Certificate>`,
    "</ds:X509Data></ds:KeyInfo>",
  ].join("");
  const encryptionMethods = ENCRYPTION.map((algorithm) => `<md:EncryptionMethod Algorithm="${algorithm}"/>`).join("");
  const formats = [PERSISTENT, EMAIL_ADDRESS].map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join("");
  const entity = [
    `<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${escapeXml(entityID)}">`,
    `<md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${SAMLP}">`,
    `<md:KeyDescriptor use="signing">${keyInfo}</md:KeyDescriptor>`,
    `<md:KeyDescriptor use="encryption">${keyInfo}${encryptionMethods}</md:KeyDescriptor>`,
    `<md:SingleLogoutService Binding="${REDIRECT}" Location="${escapeXml(getLogoutUrl(connection))}"/>`,
    formats,
    `<md:AssertionConsumerService Binding="${POST}" Location="${escapeXml(acsURL)}" index="0" isDefault="true"/>`,
    "</md:SPSSODescriptor></md:EntityDescriptor>",
  ].join("");
  return {
    status: 200,
    headers: { "content-type": "application/samlmetadata+xml; charset=utf-8" },
    body: `<?xml version="1.0" encoding="UTF-8"?>\n${entity}\n`,
  };
}
