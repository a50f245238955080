// The connection between an organization and one of its identity providers, with the keys of both sides.

import { importX509 } from "jose";
import {
  findOrganizationPartition,
  type OrganizationRecord,
  organizations,
} from "../../resources/people/organizations/records";
import { type SamlProviderRecord, samlKeys, samlProviders } from "../../resources/people/saml/records";
import { getSamlServiceUrls } from "../../resources/people/saml/rules";
import { getPartitionRef, type PartitionRef } from "../../storage/ids";
import { parseUrl } from "../../utils/url";
import type { SignInContext } from "../context";
import { generateServiceKey, type ServiceKey } from "./service-key";
import type { SignaturePolicy, VerifySignature } from "./signature";

/** A provider of an organization, and the URLs of this service provider that belong to it. */
export interface SamlConnection {
  readonly place: PartitionRef;
  readonly organization: OrganizationRecord;
  readonly provider: SamlProviderRecord;
  readonly service: ReturnType<typeof getSamlServiceUrls>;
}

/** Returns a connection by the ids of its organization and its provider. */
export async function findConnection(
  { kernel }: SignInContext,
  organizationId: string,
  id: string,
): Promise<SamlConnection | undefined> {
  const partition = findOrganizationPartition(organizationId);
  const view = partition === undefined ? undefined : await kernel.store.read(partition);
  const organization = view && (await organizations.get(view, organizationId));
  const provider = view && (await samlProviders.get(view, id));
  if (!organization || !provider) return undefined;
  const service = getSamlServiceUrls(organization.id, provider.id, kernel.urls);
  return { place: getPartitionRef(organization.id), organization, provider, service };
}

/** Returns the key pair of an organization. The first call generates it; of two simultaneous ones, the first to commit wins. */
export async function getServiceKey({ kernel }: SignInContext, { place }: SamlConnection): Promise<ServiceKey> {
  const existing = await samlKeys.get(await kernel.store.read(place.partition), "own");
  if (existing?.privateKey !== undefined) return existing as ServiceKey;
  const generated = await generateServiceKey(parseUrl(kernel.urls.api("/")).hostname, kernel.store);
  return kernel.store.write(place.partition, async (tx) => {
    const current = await samlKeys.get(tx, "own");
    if (current?.privateKey !== undefined) return current as ServiceKey;
    await samlKeys.put(tx, { id: "own", ...generated });
    return generated;
  });
}

/** Returns the URL of the single logout service, to which the provider sends logout messages. */
export function getLogoutUrl({ service }: SamlConnection): string {
  return service.acsURL.replace(/acs$/, "logout");
}

export function getSignaturePolicy({ options }: SignInContext, { provider }: SamlConnection): SignaturePolicy {
  const allowsSha1 = options.saml?.sha1?.includes(provider.id) ?? false;
  return { verifySignature: createSignatureVerifier(provider.certificate!), allowsSha1 };
}

/** The elliptic curves, each with the algorithm by which jose imports it. */
const CURVES = [
  ["ES256", "P-256"],
  ["ES384", "P-384"],
  ["ES512", "P-521"],
] as const;

/** Returns a function that verifies signatures with the key of a certificate. Keys in messages are ignored. */
export function createSignatureVerifier(certificate: string): VerifySignature {
  const publicKey = exportPublicKey(certificate);
  return async (method, signature, signed) => {
    const { curve, bytes } = await publicKey;
    const { name, hash } = method;
    if ((name === "ECDSA") !== (curve !== undefined)) return false;
    const algorithm = curve === undefined ? { name, hash } : { name, namedCurve: curve };
    const key = await crypto.subtle.importKey("spki", bytes, algorithm, false, ["verify"]);
    return crypto.subtle.verify(method as AlgorithmIdentifier, key, signature as BufferSource, signed as BufferSource);
  };
}

/** Returns the public key of a certificate (SPKI), and its curve unless it is an RSA key. */
async function exportPublicKey(certificate: string): Promise<{ readonly curve?: string; readonly bytes: ArrayBuffer }> {
  const exportKey = async (algorithm: string) =>
    crypto.subtle.exportKey("spki", (await importX509(certificate, algorithm, { extractable: true })) as CryptoKey);
  for (const [algorithm, curve] of CURVES) {
    const bytes = await exportKey(algorithm).catch(() => undefined);
    if (bytes) return { curve, bytes };
  }
  return { bytes: await exportKey("RS256") };
}
