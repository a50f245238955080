// Organizations: creating, settings, e-mail domains, the subdomain, and `ping`.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import { getNextVerification } from "../../../ports/domain-verification";
import type { Ports } from "../../../ports/ports";
import { holdName, nameClaims, releaseName, reserveName } from "../../../storage/claims";
import type { Store } from "../../../storage/store";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { findActiveMember, getMembershipId, members, memberships, syncMembership } from "../members/records";
import { teamMembers } from "../teams/records";
import { self } from "../users/rules";
import {
  domains,
  findOrganizationPartition,
  getProvenDomains,
  getUnprovenDomains,
  type OrganizationRecord,
  organizations,
  proveDomains,
  releaseHostname,
  syncDomains,
  verifyDomains,
} from "./records";
import { hasSite, newOrganization, type OrganizationContext, organization, subdomain } from "./rules";
import { EmailDomain, NewOrganization, Organization, OrganizationChanges, SubdomainInfo } from "./schema";
import { presentOrganization, presentOrganizationToStranger } from "./views";
import { hasReaderAccess, signVisitorClaims } from "./visitor-claims";

export const listOrganizations = defineOperation("GET /orgs", {
  summary: "List organizations",
  target: self,
  right: "view",
  list: Organization,
  cache: false,
  async handle({ tx, actor, pageRequest, peek, urls }) {
    const me = actor.user.id;
    return paginateGroup({ tx, pageRequest }, memberships, "ofUser", [me], async (mine) => {
      const contexts = await Promise.all(mine.map((row) => loadOrganizationContext(peek, row.organization, me)));
      return contexts.flatMap((it) => (it?.me ? [presentOrganization(it, urls)] : []));
    });
  },
});

export const createOrganization = defineOperation("POST /orgs", {
  summary: "Create an organization",
  target: newOrganization,
  right: "found",
  body: NewOrganization,
  returns: Organization,
  status: 201,
  gather: ({ organizationId, body, ports }) =>
    verifyDomains(ports, organizationId, "email", [...new Set(body.emailDomains)]),
  async prepare({ store, partition, body, gathered }) {
    return { attempt: await reserveHostname(store, partition, body.hostname), proven: gathered };
  },
  async handle({ tx, organizationId, actor, body, prepared, now, urls, ports, enqueueJob }) {
    const emailDomains = [...new Set(body.emailDomains)];
    const newRecord: OrganizationRecord = {
      id: organizationId,
      title: body.title,
      createdAt: now.toISOString(),
      emailDomains,
      hostname: body.hostname ?? null,
      type: body.type ?? "business",
      useCase: body.useCase ?? null,
      communityType: body.communityType ?? null,
      defaultRole: body.defaultRole === undefined ? "read" : body.defaultRole,
      logo: null,
      sso: false,
      ai: false,
      inviteLinks: true,
      plan: "internal",
    };
    const organization = setEmailDomains({ ports, now, enqueueJob }, newRecord, emailDomains, prepared.proven);
    if (body.hostname !== undefined) await holdName(tx, nameClaims.subdomain(body.hostname), prepared.attempt!);
    const user = actor.user.id;
    const joinedAt = now.toISOString();
    const me = { user, role: "admin" as const, disabled: false, sso: false, joinedAt, lastSeenAt: joinedAt };
    await organizations.put(tx, organization);
    await members.put(tx, me);
    enqueueJob(syncMembership, { organization: organization.id, user });
    if (organization.emailDomains.length > 0) enqueueJob(syncDomains, { organization: organization.id });
    return presentOrganization({ organization, me, ownedTeams: 0 }, urls, ports.domainVerifier);
  },
});

export const getOrganization = defineOperation("GET /orgs/:organizationId", {
  summary: "Get an organization",
  target: organization,
  right: "view",
  returns: Organization,
  handle: async ({ organization, me, ownedTeams, urls, ports }) =>
    presentOrganization({ organization, me, ownedTeams }, urls, ports.domainVerifier),
});

export const updateOrganization = defineOperation("PATCH /orgs/:organizationId", {
  summary: "Update an organization",
  target: organization,
  right: "admin",
  body: OrganizationChanges,
  returns: Organization,
  gather: ({ organization, body, ports }) =>
    verifyDomains(
      ports,
      organization.id,
      "email",
      [...new Set(body.emailDomains)].filter((domain) => !getProvenDomains(organization).includes(domain)),
    ),
  async prepare({ store, partition, organization, body, gathered }) {
    const isSame = body.hostname === organization.hostname;
    return { attempt: isSame ? undefined : await reserveHostname(store, partition, body.hostname), proven: gathered };
  },
  async handle({ tx, organization, me, ownedTeams, body, prepared, now, urls, ports, enqueueJob }) {
    const { hostname = organization.hostname, emailDomains, defaultContent, ...changes } = body;
    if (defaultContent && !(await hasSite.implementation(tx, defaultContent.site)))
      throw createValidationError("body.defaultContent.site", "Site not found in this organization");
    if (hostname !== organization.hostname && hostname !== null) {
      await holdName(tx, nameClaims.subdomain(hostname), prepared.attempt ?? "");
      if (organization.hostname !== null) {
        releaseName(tx, nameClaims.subdomain(organization.hostname));
        enqueueJob(releaseHostname, { organization: organization.id, hostname: organization.hostname });
      }
    }
    const withSettings: OrganizationRecord = {
      ...organization,
      ...omitUndefined(changes),
      hostname,
      defaultSite: defaultContent === undefined ? (organization.defaultSite ?? null) : (defaultContent?.site ?? null),
    };
    const changed = emailDomains
      ? setEmailDomains({ ports, now, enqueueJob }, withSettings, [...new Set(emailDomains)], prepared.proven)
      : withSettings;
    await organizations.put(tx, changed);
    if (emailDomains) enqueueJob(syncDomains, { organization: organization.id });
    return presentOrganization({ organization: changed, me, ownedTeams }, urls, ports.domainVerifier);
  },
});

export const listOrganizationsByEmailDomain = defineOperation("GET /email-domains/:emailDomain/orgs", {
  summary: "List organizations by email domain",
  target: self,
  right: "view",
  returns: v.object({ organizations: v.array(Organization) }),
  cache: false,
  async handle({ tx, actor, params, peek, urls }) {
    const domain = v.safeParse(EmailDomain, params.emailDomain);
    if (!domain.success) throw createValidationError("params.emailDomain", domain.issues[0].message);
    const rows = await domains.list(tx, "ofDomain", { under: [domain.output], limit: 200 });
    const contexts = await Promise.all(
      rows.map(({ record }) => loadOrganizationContext(peek, record.organization, actor.user.id)),
    );
    const isInDomain = actor.user.email.toLowerCase().endsWith(`@${domain.output}`);
    const visible = contexts.filter(
      (it) => it && getProvenDomains(it.organization).includes(domain.output) && (it.me || isInDomain),
    );
    return {
      organizations: visible.map((it) =>
        it!.me ? presentOrganization(it!, urls) : presentOrganizationToStranger(it!, [domain.output], urls),
      ),
    };
  },
});

export const pingOrganization = defineOperation("POST /orgs/:organizationId/ping", {
  summary: "Record your activity",
  target: organization,
  right: "view",
  returns: v.object({ serviceVisitorClaims: v.optional(v.string()) }),
  async handle({ tx, organization, me, actor, now, secrets }) {
    await members.put(tx, { ...me!, lastSeenAt: now.toISOString() });
    if (!(await hasReaderAccess(tx, actor.user.id))) return {};
    const { id: sub, email } = actor.user;
    const claims = { sub, email, organization: organization.id, membership: getMembershipId(me!) };
    return { serviceVisitorClaims: await signVisitorClaims(secrets, claims, now) };
  },
});

export const getSubdomain = defineOperation("GET /subdomains/:subdomain", {
  summary: "Get a subdomain",
  target: subdomain,
  right: "view",
  returns: SubdomainInfo,
  cache: false,
  async handle({ owner, params }) {
    const target = { type: "organization" as const, organization: owner.id };
    return { object: "subdomain" as const, subdomain: params.subdomain, target, isActive: true };
  },
});

/** Loads an organization and the caller's membership from outside its partition. */
async function loadOrganizationContext(
  peek: (partition: string) => Promise<Reader>,
  id: string,
  user: string,
): Promise<OrganizationContext | undefined> {
  const view = await peek(findOrganizationPartition(id)!);
  const organization = await organizations.get(view, id);
  if (!organization) return undefined;
  return {
    organization,
    me: await findActiveMember(view, user),
    ownedTeams: await teamMembers.total(view, "owned", user),
  };
}

async function reserveHostname(
  store: Store,
  partition: string,
  hostname: string | undefined,
): Promise<string | undefined> {
  if (hostname === undefined) return undefined;
  const attempt = await reserveName(store, partition, nameClaims.subdomain(hostname));
  if (attempt === undefined) throw createError("hostname_taken");
  return attempt;
}

/** Returns an organization with other e-mail domains. Unproven domains are checked again later. */
function setEmailDomains(
  { ports, now, enqueueJob }: DomainsContext,
  organization: OrganizationRecord,
  emailDomains: readonly string[],
  proven: readonly string[],
): OrganizationRecord {
  const provenDomains = [...getProvenDomains(organization), ...proven].filter((it) => emailDomains.includes(it));
  const changed = { ...organization, emailDomains, provenDomains: [...new Set(provenDomains)] };
  if (getUnprovenDomains(changed).length === 0 || !ports.domainVerifier.canVerify) return changed;
  const namedAt = now.toISOString();
  enqueueJob(proveDomains, { organization: organization.id, namedAt }, getNextVerification(namedAt, now));
  return { ...changed, domainsNamedAt: namedAt };
}

interface DomainsContext {
  readonly ports: Pick<Ports, "domainVerifier">;
  readonly now: Date;
  readonly enqueueJob: (
    jobType: typeof proveDomains,
    payload: { organization: string; namedAt: string },
    when?: Date,
  ) => void;
}
