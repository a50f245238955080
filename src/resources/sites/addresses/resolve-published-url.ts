// What is published at a URL, for those who may see it, with the token by which a renderer reads it. Every caller is a
// visitor here, whatever their token. Absent, hidden and unpublished things get the same answer.

import * as v from "valibot";
import { failure } from "../../../errors";
import { operation, type Target } from "../../../operation/operation";
import { fingerprint } from "../../../secrets";
import { Id, jsonWithin, Link, recordOf, WebUrl } from "../../../shapes";
import { DIRECTORY } from "../../../store/ids";
import { readAddress } from "../../../web-address";
import type { SpaceRecord } from "../../library/tree/records";
import { admit } from "../audience/audience";
import { loginUrl } from "../audience/login";
import { visibleTo } from "../audience/visible";
import { visitToken } from "../audience/visit-tokens";
import { MAX_CLAIMS, visitorQuery } from "../schema";
import { readStructure } from "../structure/structure";
import { publishedUrl } from "./addresses";
import { type Located, locate, ownParts } from "./locate-site";
import { lookUp, type Shown } from "./look-up-path";
import { placeAt } from "./page-urls";
import type { SiteReading } from "./targets";
import { joined, partsOf } from "./url-paths";

const UnsignedClaims = v.pipe(
  recordOf(v.string(), v.unknown(), 1000, "Expected at most 1000 claims"),
  jsonWithin(MAX_CLAIMS, "characters"),
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
      siteBasePath: v.pipe(
        v.string(),
        v.description("The path of the site at the host of the URL, with a slash at its end."),
      ),
      basePath: v.pipe(v.string(), v.description("The same of the space: `siteBasePath` and what leads to the space.")),
      pathname: v.pipe(
        v.string(),
        v.description("The rest of the path behind `basePath`, with a slash at its beginning."),
      ),
      complete: v.pipe(
        v.boolean(),
        v.description("False where `pathname` names no page that the visitor sees. The space is the one to look in."),
      ),
      page: v.optional(v.pipe(Id, v.description("Absent where there is no page to show."))),
      pagePath: v.optional(v.string()),
      apiToken: v.pipe(
        v.string(),
        v.description(
          "A JWT for some minutes. As a bearer token it reads what this visitor sees of this site; its `claims` are what is known of the visitor.",
        ),
      ),
      shareKey: v.optional(v.pipe(v.string(), v.description("The key of the share link that stands in the URL."))),
      contextId: v.optional(
        v.pipe(
          v.string(),
          v.description(
            "Visitors of whom the same is known have the same one; left out where nothing is known of anybody.",
          ),
        ),
      ),
      canonicalUrl: v.pipe(Link, v.description("The URL that the site itself has for this.")),
      urls: v.object({ published: Link }),
    }),
    v.object({
      object: v.literal("published-url"),
      type: v.literal("redirect"),
      organization: Id,
      site: Id,
      target: v.pipe(
        v.picklist(["application", "content", "external"]),
        v.description("`content`: on the same site; `external`: anywhere else, such as a login."),
      ),
      redirect: v.pipe(Link, v.description("Where the URL leads.")),
      urls: v.object({ target: v.pipe(Link, v.description("The same as `redirect`.")) }),
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
  summary:
    "Get what is published at a URL: the site, the space and the page with a token to read them, or where it leads",
  description:
    "A path that names no page leads to its space, with the rest in `pathname`. What the visitor may not see is 404.",
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
    const visitor = await admit({ tx, secrets, now, peek }, site, { ...presented(body), shareKey });
    if (!visitor) {
      const login = body.redirectOnError
        ? await loginUrl({ tx, peek, urls }, organization.id, site, joined(parts))
        : undefined;
      if (login === undefined) throw failure("published_url_not_found");
      return redirectView(located, "external", login);
    }
    const structure = await readStructure(tx, site);
    const sources = { tx, objects: objects.at(tx), peek, work };
    const reading = { ...sources, organization, site, me: undefined, visitor, actor, urls, structure };
    const found = (await lookUp(reading, parts)) ?? (await spaceAt(reading, parts));
    if (!found) throw failure("published_url_not_found");
    if (found.is === "redirect")
      return redirectView(located, ownParts(reading, found.url) ? "content" : "external", found.url);
    const visit = { organization: organization.id, ...visitor.letIn, claims: visitor.claims };
    return {
      object: "published-url" as const,
      organization: organization.id,
      site: site.id,
      ...shownView(reading, found.shown, found.path),
      ...pathsOf(body.url, located, {
        parts,
        rest: found.is === "space" ? found.rest : placeAt(structure, parts)!.rest,
        shareKey,
      }),
      complete: found.is === "content",
      apiToken: visitToken(secrets, visit, now, visitor.until),
      ...(visitor.shareKey === undefined ? {} : { shareKey: visitor.shareKey }),
      ...(site.adaptiveContent ? { contextId: contextOf(visitor.claims) } : {}),
    };
  },
});

function presented({ visitor, visitorToken, unsignedClaims }: v.InferOutput<typeof PublishedUrlRequest>) {
  return {
    visitorToken: visitor?.jwtToken ?? visitorToken,
    unsignedClaims: visitor?.unsignedClaims ?? unsignedClaims,
  };
}

function withoutKey({ site, parts }: Located) {
  if (site.visibility !== "share-link") return { parts, shareKey: undefined };
  return { parts: parts.slice(1), shareKey: parts[0] };
}

function redirectView({ organization, site }: Located, target: "content" | "external", redirect: string) {
  return {
    object: "published-url" as const,
    type: "redirect" as const,
    organization: organization.id,
    site: site.id,
    target,
    redirect,
    urls: { target: redirect },
  };
}

/**
 * The space that a path leads into, though nothing that the visitor sees is at the path. What is hidden takes no part in
 * it, so a path of something hidden leads where any other path does that names nothing.
 */
async function spaceAt(reading: SiteReading, parts: readonly string[]) {
  const seen = await visibleTo(reading, reading.structure);
  const place = placeAt(seen.structure, parts);
  if (!place) return undefined;
  const { siteSpace, rest } = place;
  const space = seen.spaceOf(siteSpace).path[0] as SpaceRecord;
  return { is: "space" as const, shown: { siteSpace, space }, path: parts, rest };
}

/** The paths of the site and of the space at the host that was asked for, and the rest. */
function pathsOf(
  url: string,
  { parts: behind }: Located,
  at: {
    readonly parts: readonly string[];
    readonly rest: readonly string[];
    readonly shareKey: string | undefined;
  },
) {
  const asked = partsOf(readAddress(url)!.pathname)!;
  const before = asked.slice(0, asked.length - behind.length);
  const site = at.shareKey === undefined ? before : [...before, at.shareKey];
  const space = [...site, ...at.parts.slice(0, at.parts.length - at.rest.length)];
  return { siteBasePath: folder(site), basePath: folder(space), pathname: `/${encoded(at.rest)}` };
}

function encoded(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join("/");
}

function folder(parts: readonly string[]): string {
  return parts.length === 0 ? "/" : `/${encoded(parts)}/`;
}

const CONTEXT_CHARACTERS = 16;

function contextOf(claims: object): string {
  return fingerprint(JSON.stringify(claims)).slice(0, CONTEXT_CHARACTERS);
}

function shownView(reading: SiteReading, { siteSpace, space, page }: Shown, path: readonly string[]) {
  const published = publishedUrl(reading, reading.visitor.shareKey, path)!;
  return {
    type: "content" as const,
    ...(siteSpace.parent === null ? {} : { siteSection: siteSpace.parent }),
    siteSpace: siteSpace.id,
    space: space.id,
    ...(page ? { page: page.id, pagePath: page.path } : {}),
    canonicalUrl: published,
    urls: { published },
  };
}
