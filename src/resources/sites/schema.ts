// Wire schemas of sites and their items.

import * as v from "valibot";
import {
  Id,
  listSchema,
  namedObject,
  permissionsSchema,
  Timestamp,
  textSchema,
  UrlString,
} from "../../operation/common-schemas";
import { parseJsonObject } from "../../utils/json";
import { Space } from "../library/spaces/schema";
import { DomainProof } from "../people/organizations/schema";
import { MAX_SIBLINGS } from "./records";

export const SiteVisibility = v.pipe(
  v.picklist(
    ["public", "unlisted", "share-link", "visitor-auth"],
    "Expected public, unlisted, share-link or visitor-auth",
  ),
  v.title("SiteVisibility"),
);

const plans = ["basic", "premium", "ultimate", "sponsored", "legacy-basic", "legacy-premium"] as const;
const SiteType = v.picklist(plans, `Expected one of ${plans.join(", ")}`);
const AgentsContext = v.picklist(["excluded", "included"], "Expected excluded or included");
export const AdsTopic = v.picklist(["webdev", "crypto"], "Expected webdev or crypto");

const Ads = v.variant("status", [
  v.object({ status: v.literal("pending"), submittable: v.boolean() }),
  v.object({ status: v.literal("in-review"), topic: AdsTopic }),
  v.object({ status: v.literal("rejected"), reason: v.optional(v.string()) }),
  v.object({ status: v.picklist(["live", "disabled"]), topic: AdsTopic, zoneId: v.string() }),
]);

const Feature = v.object({
  id: v.string(),
  plan: v.picklist(plans),
  frozen: v.boolean(),
  customizations: v.optional(v.array(v.string())),
});

export const Site = namedObject("Site", {
  object: v.literal("site"),
  id: Id,
  type: v.picklist(plans),
  title: v.string(),
  icon: v.optional(
    v.nullable(
      v.union([
        v.object({ icon: v.object({ light: v.string(), dark: v.string() }) }),
        v.object({ emoji: v.string() }),
        v.strictObject({}),
      ]),
    ),
  ),
  hostname: v.optional(v.string()),
  basename: v.optional(v.string()),
  proxy: v.optional(
    v.object({
      origin: v.pipe(
        v.string(),
        v.description("The public location of the site: a domain and a subdirectory, such as `www.example.com/docs`."),
      ),
      target: v.pipe(UrlString, v.description("The URL that the proxy forwards requests to.")),
    }),
  ),
  domainProofs: v.optional(
    v.pipe(
      v.array(DomainProof),
      v.description(
        "The verification records of the custom domains. Returned for a single site, to callers who can change it.",
      ),
    ),
  ),
  visibility: SiteVisibility,
  published: v.boolean(),
  siteSpaces: v.number(),
  createdAt: Timestamp,
  adaptiveContent: v.optional(v.object({ enabled: v.boolean() })),
  ads: v.optional(Ads),
  agentsContext: AgentsContext,
  features: v.array(Feature),
  urls: v.object({ location: UrlString, app: UrlString, published: v.optional(UrlString) }),
  permissions: v.optional(permissionsSchema(["view", "edit", "admin"])),
});

/** A name in a URL. It has groups of letters and digits with single separators, so it is never a path or an escape. */
export const UrlName = v.pipe(
  textSchema(1, 100),
  v.regex(
    /^[\p{L}\p{N}]\p{M}*(?:[-._]?[\p{L}\p{N}]\p{M}*)*$/u,
    "Expected letters and digits, with single dashes, dots or underscores between them",
  ),
  v.transform((name) => name.normalize("NFC")),
);

export const Hostname = v.pipe(
  v.string("Expected a host name"),
  v.maxLength(512, "Expected at most 512 characters"),
  v.regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/,
    "Expected a host name of three parts or more, such as docs.example.com",
  ),
);

/** A directory of a host. The host is case-insensitive and stored in lower case. */
const ProxyAddress = v.pipe(
  v.string("Expected a directory of a host"),
  v.maxLength(512, "Expected at most 512 characters"),
  v.regex(
    /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/,
    "Expected a host and a directory without a scheme, such as example.com/docs",
  ),
  v.transform((proxy) => proxy.replace(/^[^/]+/, (host) => host.toLowerCase())),
);

const SiteTitle = textSchema(2, 128);

export const NewSite = v.strictObject({
  type: v.optional(SiteType),
  title: v.optional(SiteTitle),
  visibility: v.optional(SiteVisibility),
  spaces: v.optional(
    v.union(
      [
        v.pipe(
          listSchema(Id, MAX_SIBLINGS, `Expected at most ${MAX_SIBLINGS} spaces`, "Expected a list of spaces"),
          v.check((ids) => new Set(ids).size === ids.length, "Expected each space once"),
        ),
        v.picklist(["sample", "empty"]),
      ],
      "Expected a list of spaces, sample or empty",
    ),
  ),
});

export const SiteChanges = v.strictObject({
  title: v.optional(SiteTitle),
  visibility: v.optional(SiteVisibility),
  basename: v.optional(UrlName),
  adaptiveContent: v.optional(v.strictObject({ enabled: v.boolean("Expected true or false") })),
  agentsContext: v.optional(AgentsContext),
  hostname: v.optional(v.nullable(v.pipe(Hostname, v.description("The custom domain. Null removes it.")))),
  proxy: v.optional(
    v.nullable(
      v.pipe(
        ProxyAddress,
        v.description("A domain and subdirectory that proxies requests to the site. Null removes it."),
      ),
    ),
  ),
  defaultSiteSpace: v.optional(Id),
  defaultSiteSection: v.optional(Id),
});

export const AdsRequest = v.strictObject({
  status: v.picklist(["in-review", "disabled"], "Expected in-review or disabled"),
  topic: AdsTopic,
});

const urls = v.object({ location: UrlString, published: v.optional(UrlString) });

export const SiteSpace = namedObject("SiteSpace", {
  object: v.literal("site-space"),
  id: Id,
  path: v.string(),
  section: v.optional(Id),
  space: Space,
  title: v.string(),
  default: v.boolean(),
  condition: v.optional(v.string()),
  hasAdvancedCustomizationFeature: v.boolean(),
  urls,
});

export const SiteSection = namedObject("SiteSection", {
  object: v.literal("site-section"),
  id: Id,
  title: v.string(),
  description: v.optional(v.string()),
  default: v.boolean(),
  path: v.string(),
  condition: v.optional(v.string()),
  sectionGroup: v.optional(Id),
  icon: v.optional(v.string()),
  siteSpaces: v.array(SiteSpace),
  urls,
});

export const SiteExternalLink = namedObject("SiteExternalLink", {
  object: v.literal("site-external-link"),
  id: Id,
  title: v.string(),
  description: v.optional(v.string()),
  icon: v.optional(v.string()),
  url: v.string(),
  sectionGroup: v.optional(Id),
  draft: v.boolean(),
  condition: v.optional(v.string()),
  urls: v.object({ location: UrlString }),
});

export const SiteSectionGroup = namedObject("SiteSectionGroup", {
  object: v.literal("site-section-group"),
  id: Id,
  title: v.string(),
  icon: v.optional(v.string()),
  sections: v.array(SiteSection),
  children: v.optional(
    v.pipe(
      v.array(v.union([SiteSection, SiteExternalLink])),
      v.description("The sections and the external links in their order. Omitted if the group has no external links."),
    ),
  ),
  urls: v.object({ location: UrlString }),
});

export const SiteStructure = v.pipe(
  v.variant("type", [
    v.object({
      type: v.literal("sections"),
      structure: v.array(v.union([SiteSection, SiteSectionGroup, SiteExternalLink])),
    }),
    v.object({ type: v.literal("siteSpaces"), structure: v.array(SiteSpace) }),
  ]),
  v.title("SiteStructure"),
);

/** Maximum length of the JSON of a visitor's unsigned claims. */
export const MAX_CLAIMS_LENGTH = 4096;

/** The query parameters with which visitors identify themselves. */
export const visitorQuery = {
  shareKey: v.optional(v.pipe(textSchema(1, 128), v.description("The key of a share link."))),
  visitorToken: v.optional(
    v.pipe(textSchema(1, 8192), v.description("A JWT that identifies the visitor, signed with the key of the site.")),
  ),
  unsignedClaims: v.optional(
    v.pipe(
      textSchema(2, MAX_CLAIMS_LENGTH),
      v.description("Unsigned claims of the visitor as a JSON object: `unsigned` in the adaptive schema."),
      v.rawTransform(({ dataset, addIssue, NEVER }) => {
        const claims = parseJsonObject(dataset.value);
        if (claims) return claims;
        addIssue({ message: "Expected a JSON object" });
        return NEVER;
      }),
    ),
  ),
};
