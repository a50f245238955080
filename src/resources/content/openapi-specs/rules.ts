// Rights on OpenAPI specifications. Members who are not guests see them, and those who may create content change them.
// Installations do either within the scopes of their tokens.

import { createError } from "../../../errors";
import type { Target, TargetContext } from "../../../operation/target";
import { getPartitionByCode, parsePartitionCode } from "../../../storage/ids";
import { visits } from "../../library/spaces/space-visits";
import { isInstallationMember } from "../../people/members/records";
import { organizations } from "../../people/organizations/records";
import { loadParentOrganization, type OrganizationContext, organization } from "../../people/organizations/rules";
import { type SpecRecord, specs, type VersionRecord, versions } from "./records";

const { findPartition: partition, rights: ofOrganization } = organization;
const rights = {
  view: (it: OrganizationContext & { readonly isVisited?: boolean }) =>
    it.isVisited === true || ofOrganization.viewOpenAPISpecs(it) || isInstallationMember(it.me),
  edit: (it: OrganizationContext) => ofOrganization.createOpenAPISpec(it) || isInstallationMember(it.me),
};

export const specifications: Target<OrganizationContext, "list" | "add"> = {
  ...organization,
  rights: { view: ofOrganization.view, list: rights.view, add: rights.edit },
};

/** A specification that the caller reads. */
export interface SpecContext extends OrganizationContext {
  readonly spec: SpecRecord;
  /** True for a visitor of a site. A page that the visitor sees names the specification. */
  readonly isVisited?: boolean;
}

/** A specification that may or may not exist yet. */
export const specSlot: Target<OrganizationContext & { readonly spec: SpecRecord | undefined }, "edit"> = {
  findPartition: partition,
  async load(scope) {
    const above = await loadParentOrganization(scope);
    return { ...above, spec: await specs.find(scope.tx, "slug", scope.params.specSlug!) };
  },
  notFoundReason: "openapi_spec_not_found",
  rights,
};

export const openApiSpec: Target<SpecContext, "edit"> = {
  findPartition: partition,
  async load(scope) {
    if (!scope.actor.visit) {
      const found = await specSlot.load(scope);
      return found?.spec && { ...found, spec: found.spec };
    }
    // For visitors, the organization is not found otherwise.
    const { tx, params } = scope;
    const found = await organizations.get(tx, params.organizationId!);
    const spec = await specs.find(tx, "slug", params.specSlug!);
    if (!found || !spec || !(await visits.implementation.isSpecNamed(scope, spec))) return undefined;
    return { organization: found, me: undefined, ownedTeams: 0, spec, isVisited: true };
  },
  notFoundReason: "openapi_spec_not_found",
  rights,
};

/** A version of a specification that the caller reads. */
export interface SpecVersionContext extends SpecContext {
  readonly version: VersionRecord;
}

/** Loads the version whose id `getId` returns. */
async function loadVersion(scope: TargetContext, getId: (spec: SpecRecord) => string | undefined) {
  const found = await openApiSpec.load(scope);
  // A missing specification has its own reason.
  if (!found || !rights.view(found)) throw createError("openapi_spec_not_found");
  const version = await versions.get(scope.tx, found.spec.id, getId(found.spec) ?? "");
  return version && { ...found, version };
}

export const specVersion: Target<SpecVersionContext, "view"> = {
  findPartition: partition,
  load: (scope) => loadVersion(scope, () => scope.params.versionId),
  notFoundReason: "openapi_spec_version_not_found",
  rights,
};

export const latestVersion: Target<SpecVersionContext, "view"> = {
  ...specVersion,
  load: (scope) => loadVersion(scope, (spec) => spec.lastVersion),
};

/** The latest version of a public specification, for everybody with the link. */
export const publishedVersion: Target<{ readonly spec: SpecRecord; readonly version: VersionRecord }, "view"> = {
  findPartition({ specId }) {
    const code = parsePartitionCode("openApiSpec", specId!);
    return code && getPartitionByCode(code);
  },
  async load({ tx, params }) {
    const spec = await specs.get(tx, params.specId!);
    if (spec?.visibility !== "public") return undefined;
    const version = await versions.get(tx, spec.id, spec.lastVersion ?? "");
    return version && { spec, version };
  },
  notFoundReason: "openapi_spec_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};
