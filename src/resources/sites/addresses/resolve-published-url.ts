// What is published at a URL, for those who may see it. Every caller is a visitor here, whatever their token. Absent,
// hidden and unpublished things get the same answer.

import * as v from "valibot";
import { failure } from "../../../errors";
import { operation, type Target } from "../../../operation/operation";
import { Id, jsonWithin, Link, recordOf, WebUrl } from "../../../shapes";
import { DIRECTORY } from "../../../store/ids";
import { admit } from "../audience/audience";
import { MAX_CLAIMS, visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { publishedUrl } from "./addresses";
import { type Located, locate } from "./locate-site";
import { lookUp, type Shown } from "./look-up-path";
import type { SiteReading } from "./targets";

const PublishedUrlRequest = v.strictObject({
  url: v.pipe(WebUrl, v.description("On a site with share links the key stands in it, behind the site's own URL.")),
  visitorToken: visitorQuery.visitorToken,
  unsignedClaims: v.optional(
    v.pipe(
      recordOf(v.string(), v.unknown(), 1000, "Expected at most 1000 claims"),
      jsonWithin(MAX_CLAIMS, "characters"),
    ),
  ),
});

const PublishedUrl = v.pipe(
  v.variant("type", [
    v.object({
      object: v.literal("published-url"),
      type: v.literal("content"),
      organization: Id,
      site: Id,
      siteSection: v.optional(Id),
      siteSpace: Id,
      space: Id,
      revision: Id,
      page: v.optional(v.pipe(Id, v.description("Absent where a space has no page to show."))),
      pagePath: v.optional(v.string()),
      urls: v.object({ published: Link }),
    }),
    v.object({
      object: v.literal("published-url"),
      type: v.literal("redirect"),
      organization: Id,
      site: Id,
      urls: v.object({ target: v.pipe(Link, v.description("Where the URL leads.")) }),
    }),
  ]),
  v.title("PublishedUrl"),
);

/** Everybody may ask about a URL. */
const anyUrl: Target<object, "view"> = {
  partition: () => DIRECTORY,
  load: async () => ({}),
  absent: "published_url_not_found",
  rights: { view: () => true },
  open: true,
};

export const resolvePublishedUrl = operation("POST /urls/published", {
  summary: "Get what is published at a URL: the site, the space and the page, or where it leads",
  on: anyUrl,
  right: "view",
  body: PublishedUrlRequest,
  returns: PublishedUrl,
  isQuestion: true,
  async handle(context) {
    const { body, urls, actor, objects, secrets, now, peek, work } = context;
    const located = await locate(context, body.url);
    if (!located) throw failure("published_url_not_found");
    const { tx, organization, site } = located;
    const { parts, shareKey } = withoutKey(located);
    const visitor = await admit({ tx, secrets, now, peek }, site, { ...body, shareKey });
    if (!visitor) throw failure("published_url_not_found");
    const structure = await readStructure(tx, site);
    const sources = { tx, objects: objects.at(tx), peek, work };
    const reading = { ...sources, organization, site, me: undefined, visitor, actor, urls, structure };
    const found = await lookUp(reading, parts);
    if (!found) throw failure("published_url_not_found");
    const at = { object: "published-url" as const, organization: organization.id, site: site.id };
    return found.is === "redirect"
      ? { ...at, type: "redirect" as const, urls: { target: found.url } }
      : { ...at, ...shownView(reading, found.shown, found.path) };
  },
});

function withoutKey({ site, parts }: Located) {
  if (site.visibility !== "share-link") return { parts, shareKey: undefined };
  return { parts: parts.slice(1), shareKey: parts[0] };
}

function shownView(reading: SiteReading, { siteSpace, space, page }: Shown, path: readonly string[]) {
  return {
    type: "content" as const,
    ...(siteSpace.parent === null ? {} : { siteSection: siteSpace.parent }),
    siteSpace: siteSpace.id,
    space: space.id,
    revision: space.revision,
    ...(page ? { page: page.id, pagePath: page.path } : {}),
    urls: { published: publishedUrl(reading, reading.visitor.shareKey, path)! },
  };
}
