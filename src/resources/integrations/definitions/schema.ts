// Integrations on the wire, as publishers send them and as others see them. Secrets and the script are never returned.

import * as v from "valibot";
import {
  BooleanParam,
  Id,
  listSchema,
  namedObject,
  recordSchema,
  textSchema,
  UrlString,
  WebUrl,
} from "../../../operation/common-schemas";
import { Organization } from "../../people/organizations/schema";
import { Configurations } from "./configuration-schema";

const targets = ["all", "site", "space", "organization"] as const;
const visibilities = ["public", "private", "unlisted"] as const;
const categories = ["analytics", "collaboration", "content", "gitsync", "marketing", "visitor-auth", "other"] as const;
const scopes = [
  "space:views:read",
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:script:inject",
  "space:script:cookies",
  "space:git:sync",
  "space:visitor:auth",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:visitor:claims",
  "site:adaptive:read",
  "site:adaptive:write",
  "site:ai:ask",
  "openapi:read",
  "openapi:write",
  "page:feedback:read",
  "conversations:ingest",
] as const;

const createPicklist = <const Values extends readonly string[]>(values: Values) =>
  v.picklist(values, `Expected one of ${values.join(", ")}`);
const describeLimit = (count: number, things: string) => `Expected at most ${count} ${things}`;

/** The name in the path: `^[a-zA-Z0-9-_.]+$`, at most 100 characters, and not only dots, which no path can hold. */
export const IntegrationName = v.pipe(v.string(), v.regex(/^(?!\.+$)[a-zA-Z0-9\-_.]{1,100}$/));

export const IntegrationScope = v.pipe(createPicklist(scopes), v.title("IntegrationScope"));
export type IntegrationScope = v.InferOutput<typeof IntegrationScope>;
const Target = v.pipe(createPicklist(targets), v.title("IntegrationTarget"));
const Visibility = v.pipe(createPicklist(visibilities), v.title("IntegrationVisibility"));
const Category = v.pipe(createPicklist(categories), v.title("IntegrationCategory"));

/** The name of a part of an integration: of a block, a source or a component. */
export const PartId = v.pipe(
  v.string("Expected text"),
  v.regex(/^[a-zA-Z0-9\-_.]{1,100}$/, "Expected 1 to 100 letters, digits, dots, hyphens and underscores"),
);

const Icon = textSchema(1, 2048);

export const Block = v.pipe(
  v.strictObject({
    id: PartId,
    title: textSchema(2, 40),
    description: v.optional(textSchema(0, 150)),
    icon: v.optional(Icon),
    urlUnfurl: v.optional(listSchema(textSchema(1, 512), 20, describeLimit(20, "URLs"))),
    markdown: v.optional(v.strictObject({ codeblock: textSchema(1, 100), body: textSchema(1, 100) })),
  }),
  v.title("IntegrationBlock"),
);

const ContentSource = v.pipe(
  v.strictObject({
    id: PartId,
    title: textSchema(2, 40),
    description: v.optional(textSchema(0, 150)),
    icon: v.optional(Icon),
    configuration: v.optional(v.strictObject({ componentId: PartId })),
  }),
  v.title("IntegrationContentSource"),
);

/** A link to a web page: a URL that others are shown must not run code. */
const ExternalLink = v.strictObject({ url: WebUrl, label: textSchema(1, 100) });

/** A header value, which cannot begin another header. */
const SingleLinePolicy = v.pipe(
  v.string("Expected text"),
  v.regex(/^[\x20-\x7e]{1,4096}$/, "Expected 1 to 4096 printable characters of ASCII"),
);
/** People write a policy over several lines. */
const Policy = v.pipe(
  v.string("Expected text"),
  v.transform((policy) => policy.replace(/[\t\n\f\r ]+/g, " ").trim()),
  SingleLinePolicy,
);
const createPolicySchema = (policy: typeof Policy | typeof SingleLinePolicy) =>
  v.union([
    policy,
    recordSchema(
      v.pipe(v.string(), v.regex(/^[a-z-]{1,64}$/, "Expected the name of a directive, such as script-src")),
      policy,
      50,
    ),
  ]);

const described = {
  scopes: listSchema(IntegrationScope, 50, describeLimit(50, "scopes")),
  categories: listSchema(Category, 20, describeLimit(20, "categories")),
  blocks: listSchema(Block, 50, describeLimit(50, "blocks")),
  contentSources: listSchema(ContentSource, 50, describeLimit(50, "sources")),
  externalLinks: listSchema(ExternalLink, 5, describeLimit(5, "links")),
};

export const Integration = namedObject("Integration", {
  object: v.literal("integration"),
  name: v.string(),
  version: v.number(),
  title: v.string(),
  description: v.optional(v.string()),
  summary: v.optional(v.string()),
  previewImages: v.array(UrlString),
  target: Target,
  verified: v.boolean(),
  visibility: Visibility,
  ...described,
  configurations: v.optional(Configurations),
  owner: Organization,
  urls: v.object({
    location: UrlString,
    icon: v.optional(UrlString),
    app: UrlString,
    assets: UrlString,
    publicEndpoint: UrlString,
    publicContentEndpoint: v.pipe(UrlString, v.description("An alias of `publicEndpoint`.")),
  }),
  permissions: v.object({ admin: v.boolean(), install: v.boolean() }),
  contentSecurityPolicy: v.optional(createPolicySchema(SingleLinePolicy)),
});

const Base64 = v.pipe(
  v.string("Expected base64"),
  v.regex(/^(?:data:[\w.+/-]+;base64,)?[A-Za-z0-9+/]+={0,2}$/, "Expected base64"),
);

/** The largest script, in characters. */
const MAX_SCRIPT = 2 * 1024 * 1024;

/** The body that publishes a version of an integration. */
export const IntegrationDefinition = v.strictObject({
  runtime: v.optional(
    v.pipe(
      v.picklist(["v1", "v2"], "Expected v1 or v2"),
      v.description("The runtime that the script was bundled for. All scripts run in the same sandbox."),
    ),
  ),
  icon: v.optional(Base64),
  title: v.optional(textSchema(2, 30)),
  description: v.optional(textSchema(0, 100)),
  summary: v.optional(textSchema(0, 2048)),
  previewImages: v.optional(listSchema(Base64, 3, describeLimit(3, "images"))),
  visibility: v.optional(Visibility),
  target: v.optional(Target),
  scopes: v.optional(described.scopes),
  categories: v.optional(described.categories),
  blocks: v.optional(described.blocks),
  contentSources: v.optional(described.contentSources),
  externalLinks: v.optional(described.externalLinks),
  configurations: v.optional(Configurations),
  script: v.optional(
    v.pipe(v.string("Expected text"), v.maxLength(MAX_SCRIPT, `Expected at most ${MAX_SCRIPT} characters`)),
  ),
  organization: v.optional(
    v.pipe(
      v.string("Expected the id or the subdomain of an organization"),
      v.regex(/^[A-Za-z0-9_-]{1,64}$/, "Expected the id or the subdomain of an organization"),
      v.description("The ID or subdomain of the organization that publishes the integration."),
    ),
  ),
  secrets: v.optional(
    v.pipe(
      recordSchema(
        v.pipe(v.string(), v.regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,99}$/, "Expected a name of letters, digits, _ . and -")),
        textSchema(0, 8192),
        20,
        describeLimit(20, "secrets"),
      ),
      v.description("Secret values. Encrypted at rest, passed to the script, and never returned."),
    ),
  ),
  contentSecurityPolicy: v.optional(
    v.pipe(
      createPolicySchema(Policy),
      v.description("The Content Security Policy. Line breaks and tabs are treated as spaces."),
    ),
  ),
});
export type IntegrationDefinition = v.InferOutput<typeof IntegrationDefinition>;

export const IntegrationFilters = {
  search: v.optional(textSchema(0, 100)),
  category: v.optional(Category),
  blockDomain: v.optional(
    v.pipe(textSchema(1, 253), v.description("The host of URLs that a block of the integration unfurls.")),
  ),
  blocks: v.optional(BooleanParam),
  contentSources: v.optional(BooleanParam),
  owner: v.optional(Id),
  scope: v.optional(IntegrationScope),
  target: v.optional(Target),
};
