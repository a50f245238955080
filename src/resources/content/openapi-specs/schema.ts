// OpenAPI specifications on the wire.

import * as v from "valibot";
import { Id, Progress, Timestamp, UrlString, WebUrl } from "../../../operation/common-schemas";
import { tryParseUrl } from "../../../utils/url";

export const Slug = v.pipe(
  v.string("Expected a slug"),
  v.maxLength(100, "Expected at most 100 characters"),
  v.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "Expected lower-case letters and digits, with single hyphens between them"),
);

/** A URL that members are shown, so it must not hold a name or a password. */
const SourceUrl = v.pipe(
  WebUrl,
  v.check(
    (url) => tryParseUrl(url) !== undefined && !/^https?:\/\/[^/?#]*@/i.test(url),
    "Expected a URL without a name and a password",
  ),
);

const Source = v.pipe(
  v.union(
    [v.strictObject({ url: SourceUrl }), v.strictObject({ text: v.pipe(v.string(), v.minLength(1)) })],
    "Expected {url} with an http or https URL without a password, or {text} with JSON or YAML",
  ),
  v.description("`url`: fetched and refreshed periodically. `text`: JSON or YAML."),
);

export const NewOpenApiSpec = v.strictObject({ slug: Slug, source: Source });
export const OpenApiSource = v.strictObject({ source: Source });
export const OpenApiSpecChanges = v.strictObject({
  visibility: v.picklist(["private", "public"], "Expected private or public"),
});

export const OpenApiSpec = v.pipe(
  v.object({
    object: v.literal("openapi-spec"),
    id: Id,
    createdAt: Timestamp,
    updatedAt: Timestamp,
    slug: v.string(),
    sourceURL: v.optional(v.string()),
    processingState: v.pipe(
      v.picklist(["pending", "progress", "complete"]),
      v.description("`complete` is also the state after a failed run, with a `lastProcessErrorCode`."),
    ),
    progress: v.optional(Progress),
    visibility: v.picklist(["private", "public"]),
    lastVersion: v.optional(Id),
    lastProcessedAt: v.optional(Timestamp),
    lastProcessErrorCode: v.optional(
      v.pipe(
        v.picklist(["FETCH_TIMEOUT", "FETCH_ERROR", "PARSE_ERROR"]),
        v.description(
          "The error code of the last run. Cleared by the next successful run. A failed run doesn't change the versions.",
        ),
      ),
    ),
    lastProcessErrorMessage: v.optional(v.pipe(v.string(), v.description("The error message of the last run."))),
    permissions: v.object({ view: v.boolean(), edit: v.boolean() }),
    urls: v.object({
      location: UrlString,
      app: UrlString,
      published: v.optional(v.pipe(UrlString, v.description("The public URL of a public specification."))),
    }),
  }),
  v.title("OpenApiSpec"),
);

export const OpenApiSpecVersion = v.pipe(
  v.object({
    object: v.literal("openapi-spec-version"),
    id: Id,
    createdAt: v.optional(Timestamp),
    url: v.pipe(
      v.string(),
      v.description("The URL that the text was fetched from, or its own URL if it was provided as text."),
    ),
    urls: v.object({ location: UrlString }),
  }),
  v.title("OpenApiSpecVersion"),
);

export const OpenApiSpecContent = v.pipe(
  v.object({
    filesystem: v.pipe(
      v.record(
        v.string(),
        v.object({
          dir: v.string(),
          isEntrypoint: v.boolean(),
          filename: v.string(),
          references: v.array(v.string()),
          specification: v.unknown(),
        }),
      ),
      v.description(
        "The specification and all documents that it refers to, by name. A `$ref` to another document starts with the name of that document.",
      ),
    ),
    url: v.string(),
  }),
  v.title("OpenApiSpecContent"),
);
