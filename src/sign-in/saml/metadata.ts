// What an identity provider needs to know of us, as one document.

import type { PlainResponse } from "../../http/plain-request";
import type { SignInContext } from "../context";
import { getLogoutUrl, getServiceKey, type SamlConnection } from "./connection";
import { DSIG, EMAIL_ADDRESS, METADATA, PERSISTENT, POST, REDIRECT, SAMLP, XMLENC, XMLENC11 } from "./names";
import { escapeXml } from "./xml";

interface Described {
  readonly entityID: string;
  readonly acsURL: string;
  readonly logoutURL: string;
  /** DER, in base64. */
  readonly certificate: string;
}

/** How assertions may be encrypted for us, the best first. */
const ENCRYPTION = [`${XMLENC11}aes256-gcm`, `${XMLENC11}aes128-gcm`, `${XMLENC}rsa-oaep-mgf1p`];

function metadataXml({ entityID, acsURL, logoutURL, certificate }: Described): string {
  const methods = ENCRYPTION.map((algorithm) => `<md:EncryptionMethod Algorithm="${algorithm}"/>`).join("");
  const key = (use: string, inner = "") =>
    `<md:KeyDescriptor use="${use}"><ds:KeyInfo xmlns:ds="${DSIG}"><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>${inner}</md:KeyDescriptor>`;
  const formats = [PERSISTENT, EMAIL_ADDRESS].map((format) => `<md:NameIDFormat>${format}</md:NameIDFormat>`).join("");
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="${METADATA}" entityID="${escapeXml(entityID)}"><md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${SAMLP}">${key("signing")}${key("encryption", methods)}<md:SingleLogoutService Binding="${REDIRECT}" Location="${escapeXml(logoutURL)}"/>${formats}<md:AssertionConsumerService Binding="${POST}" Location="${escapeXml(acsURL)}" index="0" isDefault="true"/></md:SPSSODescriptor></md:EntityDescriptor>
`;
}

/** What the provider is told about us. It is there before the provider is complete: each side needs the other's. */
export async function showMetadata(context: SignInContext, connection: SamlConnection): Promise<PlainResponse> {
  const { certificate } = await getServiceKey(context, connection);
  const { entityID, acsURL } = connection.service;
  const body = metadataXml({ entityID, acsURL, logoutURL: getLogoutUrl(connection), certificate });
  return { status: 200, headers: { "content-type": "application/samlmetadata+xml; charset=utf-8" }, body };
}
