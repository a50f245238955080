// Custom hostnames by their names: what is known of a host, another check of its proof, and its removal from its site. The site is
// found in the organization that has proven the host, or else in the organizations of the caller.

import * as v from "valibot";
import { createError } from "../../../errors";
import { Id, namedObject, UrlString } from "../../../operation/common-schemas";
import { MovedError } from "../../../operation/moved-error";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { getNextVerification } from "../../../ports/domain-verification";
import { getClaimingPartition, nameClaims } from "../../../storage/claims";
import { DIRECTORY, getOrganizationPartition } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findActiveMember, memberships } from "../../people/members/records";
import { findPartitionOrganization, verifyDomains } from "../../people/organizations/records";
import { DomainProof } from "../../people/organizations/schema";
import { teamMembers } from "../../people/teams/records";
import { type SiteRecord, sites } from "../records";
import { type SiteMemberContext, site as siteTarget } from "../rules";
import { Hostname } from "../schema";
import { getSiteRole } from "../site-role";
import { presentDomainProofs } from "../views";
import { confirmHosts, proveHosts, releaseHost, releaseHosts, reserveHost } from "./hosts";

/** The most organizations of a caller in which a host without a proof is looked for. */
const MAX_SEARCHED_ORGANIZATIONS = 100;

const CustomHostname = namedObject("CustomHostname", {
  object: v.literal("custom-hostname"),
  hostname: v.string(),
  target: v.object({ type: v.literal("site"), organization: Id, site: Id }),
  isActive: v.boolean(),
  status: v.picklist(["pending", "active"]),
  record: v.optional(DomainProof.entries.record),
  urls: v.object({ location: UrlString }),
});

const customHostname: Target<SiteMemberContext, "edit"> = {
  findPartition: () => DIRECTORY,
  async load({ tx, params, actor, partitionCode, peek }) {
    const hostname = params.hostname!;
    if (!v.is(Hostname, hostname)) return undefined;
    if (partitionCode !== "") return findHostedSite(tx, actor.user.id, hostname);
    const claiming = await getClaimingPartition(tx, nameClaims.siteHost(hostname));
    const mine = await memberships.list(tx, "ofUser", { under: [actor.user.id], limit: MAX_SEARCHED_ORGANIZATIONS });
    const partitions = mine.map(({ record }) => getOrganizationPartition(record.organization));
    for (const partition of new Set([...(claiming === undefined ? [] : [claiming]), ...partitions])) {
      const found = await findHostedSite(await peek(partition), actor.user.id, hostname);
      if (found && siteTarget.rights.view(found)) throw new MovedError(partition);
    }
    return undefined;
  },
  notFoundReason: "custom_hostname_not_found",
  rights: { view: siteTarget.rights.view, edit: siteTarget.rights.edit },
};

async function findHostedSite(tx: Reader, user: string, hostname: string): Promise<SiteMemberContext | undefined> {
  const found = await sites.find(tx, "hostname", hostname);
  const organization = found && (await findPartitionOrganization(tx));
  if (!organization) return undefined;
  const me = await findActiveMember(tx, user);
  const ownedTeams = me ? await teamMembers.total(tx, "owned", user) : 0;
  return { organization, me, ownedTeams, site: found, role: await getSiteRole(tx, me, found.id) };
}

export const getCustomHostname = defineOperation("GET /custom-hostnames/:hostname", {
  summary: "Get a custom hostname",
  target: customHostname,
  right: "view",
  returns: CustomHostname,
  cache: false,
  async handle(context) {
    const { organization, site, urls, params } = context;
    const { hostname } = params;
    const isActive = site.proven?.includes(hostname) === true;
    const proof = presentDomainProofs(context, site).domainProofs?.find(({ domain }) => domain === hostname);
    return {
      object: "custom-hostname" as const,
      hostname,
      target: { type: "site" as const, organization: organization.id, site: site.id },
      isActive,
      status: isActive ? ("active" as const) : ("pending" as const),
      ...omitUndefined({ record: proof?.record }),
      urls: { location: urls.api(`/custom-hostnames/${hostname}`) },
    };
  },
});

export const revalidateCustomHostname = defineOperation("PATCH /custom-hostnames/:hostname", {
  summary: "Check a custom hostname",
  target: customHostname,
  right: "edit",
  gather: async ({ organization, site, ports, params }) =>
    site.proven?.includes(params.hostname) ? [] : verifyDomains(ports, organization.id, "site", [params.hostname]),
  async prepare(context) {
    const attempts = new Map<string, string>();
    for (const host of context.gathered) {
      const attempt = await reserveHost(context, host);
      if (attempt === undefined) throw createError("site_host_taken");
      attempts.set(host, attempt);
    }
    return attempts;
  },
  async handle({ tx, organization, site, params, prepared, ports, now, enqueueJob }) {
    if (site.proven?.includes(params.hostname)) return;
    const proven = await confirmHosts(tx, site, site, prepared);
    const isProven = proven.includes(params.hostname);
    const namedAt = now.toISOString();
    await sites.put(tx, { ...site, proven, ...(isProven ? {} : { namedAt }) });
    if (isProven || !ports.domainVerifier.canVerify) return;
    enqueueJob(
      proveHosts,
      { organization: organization.id, site: site.id, namedAt },
      getNextVerification(namedAt, now),
    );
  },
});

export const removeCustomHostname = defineOperation("DELETE /custom-hostnames/:hostname", {
  summary: "Remove a custom hostname",
  target: customHostname,
  right: "edit",
  async handle({ tx, organization, site, enqueueJob }) {
    const addresses = { hostname: null, proxy: site.proxy };
    const changed: SiteRecord = { ...site, ...addresses, proven: await confirmHosts(tx, site, addresses, new Map()) };
    await sites.put(tx, changed);
    for (const host of await releaseHosts(tx, site, changed))
      enqueueJob(releaseHost, { organization: organization.id, host });
  },
});
