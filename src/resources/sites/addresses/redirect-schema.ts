// Redirects on the wire.

import * as v from "valibot";
import { Id, Link, Timestamp, text, WebUrl } from "../../../shapes";
import { targetWith } from "./target-schema";
import { joined, partsOf } from "./url-paths";

/** A path under a site's URL in its stored form: decoded, without empty segments. */
export const SourcePath = v.pipe(
  text(1, 512),
  v.startsWith("/", "Expected a path that begins with a slash"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const parts = partsOf(dataset.value);
    if (parts && !/[?#\\]/.test(dataset.value)) return joined(parts);
    addIssue({ message: "Expected a path without a query, a fragment or a way up" });
    return NEVER;
  }),
);

const Destination = v.pipe(targetWith(WebUrl), v.title("SiteRedirectDestination"));

export const SiteRedirect = v.pipe(
  v.object({
    object: v.literal("site-redirect"),
    id: Id,
    source: v.pipe(v.string(), v.description("The path under the site's URL that it begins at, decoded.")),
    destination: Destination,
    createdAt: Timestamp,
    urls: v.object({ location: Link }),
  }),
  v.title("SiteRedirect"),
);

export const NewSiteRedirect = v.strictObject({ source: SourcePath, destination: Destination });

export const SiteRedirectChanges = v.strictObject({
  source: v.optional(SourcePath),
  destination: v.optional(Destination),
});

/** The target of a path. */
export const RedirectTarget = v.pipe(v.object({ source: v.string(), target: Link }), v.title("SiteRedirectTarget"));
