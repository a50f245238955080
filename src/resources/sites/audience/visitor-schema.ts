// The schemas of share links, publishing auth and the adaptive schema in the API.

import * as v from "valibot";
import { type ClaimsSchema, findSchemaIssue } from "../../../content/claims";
import { Id, namedObject, RedirectUrl, Timestamp, textSchema, UrlString } from "../../../operation/common-schemas";

const LinkName = textSchema(1, 50);

export const ShareLink = namedObject("ShareLink", {
  object: v.literal("share-link"),
  id: Id,
  name: v.string(),
  active: v.boolean(),
  key: v.optional(
    v.pipe(
      v.string(),
      v.description("The secret key. Returned only once, when the link is created or its key is replaced."),
    ),
  ),
  createdAt: Timestamp,
  urls: v.object({
    location: UrlString,
    published: v.optional(
      v.pipe(UrlString, v.description("The site URL including the key. Returned only together with the key.")),
    ),
  }),
});

export const NewShareLink = v.strictObject({ name: LinkName });
export const ShareLinkChanges = v.strictObject({
  name: v.optional(LinkName),
  active: v.optional(v.boolean("Expected true or false")),
});

const Backend = v.picklist(["custom", "integration"], "Expected custom or integration");
export const IntegrationName = v.pipe(
  v.string("Expected the name of an integration"),
  v.regex(/^[a-zA-Z0-9\-_.]{1,100}$/, "Expected 1 to 100 letters, digits, dots, hyphens and underscores"),
);

const authEntries = {
  object: v.literal("publishing-auth"),
  backend: Backend,
  integration: v.optional(v.string()),
  fallbackURL: v.optional(
    v.pipe(v.string(), v.description("The URL that unauthenticated visitors are redirected to.")),
  ),
  hasPrivateKey: v.boolean(),
  privateKey: v.optional(
    v.pipe(
      v.string(),
      v.description(
        "The secret for signing visitor JWTs with HS256. Returned only to callers who can publish every space on the site.",
      ),
    ),
  ),
  privateKeyCreatedAt: v.optional(Timestamp),
  urls: v.object({
    location: UrlString,
    login: v.pipe(
      UrlString,
      v.description("The URL to redirect visitors without access to, with the path as `location`."),
    ),
  }),
};

export const PublishingAuth = namedObject("PublishingAuth", authEntries);

export const RegeneratedAuth = namedObject("RegeneratedPublishingAuth", {
  ...authEntries,
  privateKey: v.pipe(
    v.string(),
    v.description("The new secret for signing visitor JWTs with HS256. The previous secret is revoked."),
  ),
});

export const PublishingAuthChanges = v.strictObject({
  backend: v.optional(Backend),
  integration: v.optional(v.nullable(IntegrationName)),
  fallbackURL: v.optional(v.nullable(RedirectUrl)),
});

/** A schema in the allowed form. The issue has the path of the first invalid field. */
const JsonSchema = v.pipe(
  v.looseObject({}, "Expected an object"),
  v.description("A JSON Schema (draft-07) in the supported format."),
  v.rawCheck(({ dataset, addIssue }) => {
    const issue = findSchemaIssue(dataset.value);
    if (!issue) return;
    const [first, ...rest] = issue.path.map((key) => ({
      type: "unknown" as const,
      origin: "value" as const,
      input: dataset.value as unknown,
      key,
      value: undefined,
    }));
    if (first) addIssue({ message: issue.message, path: [first, ...rest] });
    else addIssue({ message: issue.message });
  }),
  v.transform((checked) => checked as unknown as ClaimsSchema),
);

export const AdaptiveSchemaChange = v.strictObject({ jsonSchema: JsonSchema });

export const AdaptiveSchema = namedObject("SiteAdaptiveSchema", {
  object: v.literal("site-adaptive-schema"),
  jsonSchema: v.pipe(
    v.looseObject({ type: v.literal("object"), additionalProperties: v.literal(false) }),
    v.description(
      "A JSON Schema (draft-07) of booleans, strings (plain or `enum`), numbers, arrays of these, and objects of these.",
    ),
  ),
  updatedAt: Timestamp,
});

export const TemplateConditions = v.object({
  items: v.array(v.object({ description: v.string(), condition: v.string() })),
});
