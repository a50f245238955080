// Organizations on the wire.

import * as v from "valibot";
import {
  Id,
  listSchema,
  MemberRole,
  namedObject,
  permissionsSchema,
  Role,
  Timestamp,
  textSchema,
  UrlString,
  WebUrl,
} from "../../../operation/common-schemas";

const types = ["business", "community"] as const;
const useCases = [
  "internalDocs",
  "docsSite",
  "audienceControlledSite",
  "productDocs",
  "teamKnowledgeBase",
  "designSystem",
  "openSourceDocs",
  "notes",
  "other",
] as const;
const UseCase = v.pipe(v.picklist(useCases, `Expected one of ${useCases.join(", ")}`), v.title("OrganizationUseCase"));
const communityTypes = ["nonProfit", "openSource", "education"] as const;

/** A label of a host name, for organizations and their content: `^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$`. */
export const Subdomain = v.pipe(
  v.string("Expected text"),
  v.regex(
    /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/,
    "Expected 3 to 32 small letters, digits and hyphens, with none of the hyphens at an end",
  ),
);

/** A host name of at least two labels, in lower case. */
export const EmailDomain = v.pipe(
  v.string("Expected text"),
  v.maxLength(253, "Expected at most 253 characters"),
  v.toLowerCase(),
  v.regex(
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/,
    "Expected a domain such as example.com",
  ),
);

/** The state of a domain's verification, and the record that proves it. */
export const DomainProof = namedObject("DomainProof", {
  domain: v.string(),
  verified: v.pipe(v.boolean(), v.description("Whether the domain is verified. An unverified domain has no effect.")),
  record: v.pipe(
    v.object({ type: v.literal("TXT"), name: v.string(), value: v.string() }),
    v.description("The DNS record to publish, if the server verifies domains by DNS."),
  ),
});

export const organizationPermissions = [
  "view",
  "admin",
  "ownTeam",
  "createContent",
  "createOpenAPISpec",
  "ingestConversations",
  "viewBilling",
  "listMembers",
  "listTeams",
  "listIntegrations",
  "listInstallations",
  "installIntegration",
] as const;

export const Organization = namedObject("Organization", {
  object: v.literal("organization"),
  id: Id,
  title: v.string(),
  createdAt: Timestamp,
  emailDomains: v.array(v.string()),
  domainProofs: v.optional(
    v.pipe(v.array(DomainProof), v.description("The verification records of the email domains. Returned to admins.")),
  ),
  hostname: v.optional(v.string()),
  type: v.picklist(types),
  useCase: v.optional(UseCase),
  communityType: v.optional(v.picklist(communityTypes)),
  defaultRole: v.optional(v.nullable(Role)),
  defaultContent: v.optional(v.object({ type: v.literal("site"), site: Id })),
  sso: v.optional(v.boolean()),
  ai: v.optional(v.boolean()),
  inviteLinks: v.boolean(),
  plan: v.string(),
  trial: v.object({ status: v.literal("notapplicable") }),
  urls: v.object({ location: UrlString, app: UrlString, logo: v.optional(v.string()) }),
  permissions: permissionsSchema(organizationPermissions),
});

const settings = {
  emailDomains: v.optional(listSchema(EmailDomain, 50, "Expected at most 50 domains")),
  hostname: v.optional(Subdomain),
  defaultRole: v.optional(MemberRole),
};

export const NewOrganization = v.strictObject({
  title: textSchema(2, 255),
  ...settings,
  type: v.optional(v.picklist(types, `Expected one of ${types.join(", ")}`)),
  useCase: v.optional(UseCase),
  communityType: v.optional(v.picklist(communityTypes, `Expected one of ${communityTypes.join(", ")}`)),
});

export const OrganizationChanges = v.strictObject({
  title: v.optional(textSchema(2, 255)),
  ...settings,
  defaultContent: v.optional(v.nullable(v.strictObject({ type: v.literal("site"), site: Id }))),
  logo: v.optional(v.nullable(WebUrl)),
  sso: v.optional(v.boolean()),
  ai: v.optional(v.boolean()),
  inviteLinks: v.optional(v.boolean()),
});

export const SubdomainInfo = namedObject("Subdomain", {
  object: v.literal("subdomain"),
  subdomain: v.string(),
  target: v.object({ type: v.literal("organization"), organization: Id }),
  isActive: v.boolean(),
});
