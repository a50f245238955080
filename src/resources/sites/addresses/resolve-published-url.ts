// What is published at a URL, for those who may see it, with the token by which a renderer reads it. Every caller is a
// visitor here, whatever their token. Absent, hidden and unpublished things get the same answer.

import * as v from "valibot";
import { createError } from "../../../errors";
import { maxJsonSize, recordSchema, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Target } from "../../../operation/target";
import { DIRECTORY } from "../../../storage/ids";
import { type AdmissionContext, admitVisitor, type Visitor } from "../audience/audience";
import { findLoginUrl } from "../audience/login";
import { isVisitToken, readVisitToken } from "../audience/visit-tokens";
import { resolveVisit } from "../audience/visits";
import { MAX_CLAIMS_LENGTH, visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { getPathOnSite, locateSite, type SiteLocation } from "./locate-site";
import { addPreviewToken, findAtPath, PublishedUrl, presentPlace, presentRedirect, previewIn } from "./published-url";
import { formatUrlPath } from "./url-paths";

const UnsignedClaims = v.pipe(
  recordSchema(v.string(), v.unknown(), 1000, "Expected at most 1000 claims"),
  maxJsonSize(MAX_CLAIMS_LENGTH, "characters"),
);

const PublishedUrlRequest = v.strictObject({
  url: v.pipe(WebUrl, v.description("On a site with share links the key stands in it, behind the site's own URL.")),
  visitor: v.optional(
    v.pipe(
      v.strictObject({
        jwtToken: visitorQuery.visitorToken,
        unsignedClaims: v.optional(
          v.pipe(
            UnsignedClaims,
            v.description("What the visitor says of themselves; the adaptive schema's `unsigned`."),
          ),
        ),
      }),
      v.description("Who asks. Default: somebody of whom nothing is known."),
    ),
  ),
  redirectOnError: v.optional(
    v.pipe(
      v.boolean(),
      v.description("True leads a visitor who is not signed in to the login of the site, if it has one."),
    ),
  ),
  visitorToken: v.optional(v.pipe(visitorQuery.visitorToken.wrapped, v.description("The same as `visitor.jwtToken`."))),
  unsignedClaims: v.optional(v.pipe(UnsignedClaims, v.description("The same as `visitor.unsignedClaims`."))),
});

/** Everybody may ask about a URL. */
const anyUrl: Target<object, "view"> = {
  findPartition: () => DIRECTORY,
  load: async () => ({}),
  notFoundReason: "published_url_not_found",
  rights: { view: () => true },
  allowsAnonymous: true,
};

export const resolvePublishedUrl = defineOperation("POST /urls/published", {
  summary:
    "Get what is published at a URL: the site, the space and the page with a token to read them, or where it leads",
  description:
    "A path that names no page leads to its space, with the rest in `pathname`. What the visitor may not see is 404. A URL of a preview (`previewSite`) leads to what is previewed.",
  target: anyUrl,
  right: "view",
  body: PublishedUrlRequest,
  returns: PublishedUrl,
  isReadOnly: true,
  async handle(context) {
    const { body, urls, actor, objects, secrets, now, peek, jobContext } = context;
    const located = await locateSite(context, body.url);
    if (!located) throw createError("published_url_not_found");
    const { tx, organization, site } = located;
    const preview = tokenOfPreview(body.url);
    const { parts, shareKey } =
      preview === undefined ? withoutKey(located) : { parts: located.segments, shareKey: undefined };
    const admitting = { tx, secrets, now, peek };
    const visitor =
      preview === undefined
        ? await admitVisitor(admitting, site, { ...presented(body), shareKey })
        : await previewer(admitting, located, preview);
    if (!visitor) {
      const login =
        body.redirectOnError && preview === undefined
          ? await findLoginUrl({ tx, peek, urls }, organization.id, site, formatUrlPath(parts))
          : undefined;
      if (login === undefined) throw createError("published_url_not_found");
      return presentRedirect(located, "external", login);
    }
    const structure = await readStructure(tx, site);
    const sources = { tx, objects: objects.at(tx), peek, jobContext };
    const reading = { ...sources, organization, site, me: undefined, visitor, actor, urls, structure, secrets, now };
    const found = await findAtPath(reading, parts);
    if (!found) throw createError("published_url_not_found");
    if (found.is === "redirect") {
      if (!getPathOnSite(reading, found.url)) return presentRedirect(located, "external", found.url);
      return presentRedirect(
        located,
        "content",
        preview === undefined ? found.url : addPreviewToken(found.url, preview),
      );
    }
    const place = presentPlace(reading, { url: body.url, parts, shareKey }, found);
    return { object: "published-url" as const, type: "content" as const, ...place };
  },
});

/** The token of a preview in a URL. A parameter of that name that holds anything else is the site's own matter. */
function tokenOfPreview(url: string): string | undefined {
  const given = previewIn(url);
  return given !== undefined && isVisitToken(given) ? given : undefined;
}

/** The visitor of a preview. Their next token ends with this one. */
async function previewer(
  scope: AdmissionContext,
  { organization, site }: SiteLocation,
  token: string,
): Promise<Visitor | undefined> {
  const read = readVisitToken(scope.secrets, token, scope.now);
  if (!read?.visit.preview || read.visit.organization !== organization.id) return undefined;
  const visitor = await resolveVisit(scope, site, read.visit);
  return visitor && { ...visitor, expiresAtSeconds: read.exp };
}

function presented({ visitor, visitorToken, unsignedClaims }: v.InferOutput<typeof PublishedUrlRequest>) {
  return {
    visitorToken: visitor?.jwtToken ?? visitorToken,
    unsignedClaims: visitor?.unsignedClaims ?? unsignedClaims,
  };
}

function withoutKey({ site, segments: parts }: SiteLocation) {
  if (site.visibility !== "share-link") return { parts, shareKey: undefined };
  return { parts: parts.slice(1), shareKey: parts[0] };
}
