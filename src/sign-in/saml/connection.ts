// The provider that a request is about, what it signs with, and our own key towards it.

import {
  findOrganizationPartition,
  type OrganizationRecord,
  organizations,
} from "../../resources/people/organizations/records";
import { type SamlProviderRecord, samlKeys, samlProviders } from "../../resources/people/saml/records";
import { getSamlProviderStatus, getSamlServiceUrls } from "../../resources/people/saml/rules";
import { formatOrganizationId, getOrganizationPlace, type Place, parsePartitionCode } from "../../storage/ids";
import { parseUrl } from "../../utils/url";
import type { SignInContext, SignInRequest } from "../context";
import { createSignatureVerifier } from "./provider-key";
import { generateServiceKey, type ServiceKey } from "./service-key";
import type { SignaturePolicy } from "./signature";

/** A provider, and what it needs to know of us. */
export interface SamlConnection {
  readonly place: Place;
  readonly organization: OrganizationRecord;
  readonly provider: SamlProviderRecord;
  readonly service: ReturnType<typeof getSamlServiceUrls>;
}

/** The provider that a path names; undefined when there is none. */
export async function findConnection(
  context: SignInContext,
  { params }: SignInRequest,
): Promise<SamlConnection | undefined> {
  return loadConnection(context, params.organizationId ?? "", params.samlProviderId ?? "");
}

async function loadConnection(
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
  return { place: getOrganizationPlace(organization.id), organization, provider, service };
}

/** The provider with an id that we have stored; undefined when it was deleted. */
export async function findConnectionByProvider(
  context: SignInContext,
  id: string,
): Promise<SamlConnection | undefined> {
  const code = parsePartitionCode("samlProvider", id);
  return code === undefined ? undefined : loadConnection(context, formatOrganizationId(code), id);
}

/** The key pair of an organization. The first who asks makes it; of two at once, one is kept. */
export async function getServiceKey({ kernel }: SignInContext, { place }: SamlConnection): Promise<ServiceKey> {
  const known = await samlKeys.get(await kernel.store.read(place.partition), "own");
  if (known?.privateKey !== undefined) return known as ServiceKey;
  const made = await generateServiceKey(parseUrl(kernel.urls.api("/")).hostname, kernel.store);
  return kernel.store.write(place.partition, async (tx) => {
    const meanwhile = await samlKeys.get(tx, "own");
    if (meanwhile?.privateKey !== undefined) return meanwhile as ServiceKey;
    await samlKeys.put(tx, { id: "own", ...made });
    return made;
  });
}

/** Where the provider says that somebody has signed out. */
export function getLogoutUrl({ service }: SamlConnection): string {
  return service.acsURL.replace(/acs$/, "logout");
}

/** What a provider signs with, and how it may. */
export function getSignaturePolicy({ options }: SignInContext, { provider }: SamlConnection): SignaturePolicy {
  const allowsSha1 = options.saml?.sha1?.includes(provider.id) ?? false;
  return { verifySignature: createSignatureVerifier(provider.certificate!), allowsSha1 };
}

/** Whether the provider is complete. */
export function isActiveConnection({ provider }: SamlConnection): boolean {
  return getSamlProviderStatus(provider) === "active";
}
