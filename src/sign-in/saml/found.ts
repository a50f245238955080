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
import type { SignInContext, SignInRequest } from "../parts";
import { newOwnKey, type OwnKey } from "./own-key";
import { verifierFor } from "./provider-key";
import type { Trust } from "./signature";

/** A provider, and what it needs to know of us. */
export interface Found {
  readonly place: Place;
  readonly organization: OrganizationRecord;
  readonly provider: SamlProviderRecord;
  readonly service: ReturnType<typeof getSamlServiceUrls>;
}

/** The provider that a path names; undefined when there is none. */
export async function findProvider(house: SignInContext, { params }: SignInRequest): Promise<Found | undefined> {
  return providerAt(house, params.organizationId ?? "", params.samlProviderId ?? "");
}

async function providerAt({ kernel }: SignInContext, organizationId: string, id: string): Promise<Found | undefined> {
  const partition = findOrganizationPartition(organizationId);
  const view = partition === undefined ? undefined : await kernel.store.read(partition);
  const organization = view && (await organizations.get(view, organizationId));
  const provider = view && (await samlProviders.get(view, id));
  if (!organization || !provider) return undefined;
  const service = getSamlServiceUrls(organization.id, provider.id, kernel.urls);
  return { place: getOrganizationPlace(organization.id), organization, provider, service };
}

/** The provider with an id that we have stored; undefined when it was deleted. */
export async function providerOf(house: SignInContext, id: string): Promise<Found | undefined> {
  const code = parsePartitionCode("samlProvider", id);
  return code === undefined ? undefined : providerAt(house, formatOrganizationId(code), id);
}

/** The key pair of an organization. The first who asks makes it; of two at once, one is kept. */
export async function ownKeyOf({ kernel }: SignInContext, { place }: Found): Promise<OwnKey> {
  const known = await samlKeys.get(await kernel.store.read(place.partition), "own");
  if (known?.privateKey !== undefined) return known as OwnKey;
  const made = await newOwnKey(parseUrl(kernel.urls.api("/")).hostname, kernel.store);
  return kernel.store.write(place.partition, async (tx) => {
    const meanwhile = await samlKeys.get(tx, "own");
    if (meanwhile?.privateKey !== undefined) return meanwhile as OwnKey;
    await samlKeys.put(tx, { id: "own", ...made });
    return made;
  });
}

/** Where the provider says that somebody has signed out. */
export function logoutUrlOf({ service }: Found): string {
  return service.acsURL.replace(/acs$/, "logout");
}

/** What a provider signs with, and how it may. */
export function trustIn({ options }: SignInContext, { provider }: Found): Trust {
  const allowsSha1 = options.saml?.sha1?.includes(provider.id) ?? false;
  return { verify: verifierFor(provider.certificate!), allowsSha1 };
}

/** Whether the provider is complete. */
export function isActive({ provider }: Found): boolean {
  return getSamlProviderStatus(provider) === "active";
}
