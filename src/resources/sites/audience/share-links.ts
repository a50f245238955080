// The operations on share links: named keys that open a site. A key is shown only when it is created.

import type * as v from "valibot";
import { createError } from "../../../errors";
import { defineOperation } from "../../../operation/operation";
import { paginateGroup } from "../../../operation/pagination";
import type { Target, TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import { generateRandomText } from "../../../storage/ids";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { getPublishedUrl } from "../addresses/site-urls";
import { loadEditableSite, type SiteMemberContext, site } from "../rules";
import { checkMayShowSite } from "./right-to-show";
import { computeShareKeyDigests, MAX_SHARE_LINKS, type ShareLinkRecord, shareLinks } from "./visitor-records";
import { NewShareLink, ShareLink, ShareLinkChanges } from "./visitor-schema";

/** 32 characters of five random bits each. */
const KEY_LENGTH = 32;

const shareLink: Target<SiteMemberContext & { readonly link: ShareLinkRecord }, "edit"> = {
  findPartition: site.findPartition,
  async load(scope: TargetContext) {
    const siteContext = await loadEditableSite(scope);
    const link = await shareLinks.get(scope.tx, siteContext.site.id, scope.params.shareLinkId!);
    return link && { ...siteContext, link };
  },
  notFoundReason: "share_link_not_found",
  rights: site.rights,
};

export const listShareLinks = defineOperation("GET /orgs/:organizationId/sites/:siteId/share-links", {
  summary: "List share links",
  target: site,
  right: "edit",
  list: ShareLink,
  async handle(context) {
    const { site } = context;
    return paginateGroup(context, shareLinks, "ofSite", [site.id], (links) =>
      links.map((link) => presentShareLink(context, link)),
    );
  },
});

export const createShareLink = defineOperation("POST /orgs/:organizationId/sites/:siteId/share-links", {
  summary: "Create a share link",
  target: site,
  right: "edit",
  body: NewShareLink,
  returns: ShareLink,
  status: 201,
  async handle(context) {
    const { tx, site, body, now, newId, random, secrets } = context;
    await checkMayIssueKey(context);
    if ((await shareLinks.total(tx, "ofSite", site.id)) >= MAX_SHARE_LINKS) throw createError("too_many_share_links");
    const key = generateRandomText(random, KEY_LENGTH);
    const created: ShareLinkRecord = {
      site: site.id,
      id: newId("shareLink"),
      name: body.name,
      active: true,
      digest: computeShareKeyDigests(secrets, site.id, key)[0]!,
      createdAt: now.toISOString(),
    };
    await shareLinks.put(tx, created);
    return presentShareLink(context, created, key);
  },
});

export const getShareLink = defineOperation("GET /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId", {
  summary: "Get a share link",
  target: shareLink,
  right: "edit",
  returns: ShareLink,
  handle: async (context) => presentShareLink(context, context.link),
});

export const updateShareLink = defineOperation("PATCH /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId", {
  summary: "Update a share link",
  target: shareLink,
  right: "edit",
  body: ShareLinkChanges,
  returns: ShareLink,
  async handle(context) {
    const { tx, link, body } = context;
    if (body.active === true && !link.active) await checkMayIssueKey(context);
    const changed = { ...link, name: body.name ?? link.name, active: body.active ?? link.active };
    await shareLinks.put(tx, changed);
    return presentShareLink(context, changed);
  },
});

export const regenerateShareLink = defineOperation(
  "POST /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId/regenerate",
  {
    summary: "Regenerate the key of a share link",
    target: shareLink,
    right: "edit",
    returns: ShareLink,
    async handle(context) {
      const { tx, link, random, secrets } = context;
      await checkMayIssueKey(context);
      const key = generateRandomText(random, KEY_LENGTH);
      const changed = { ...link, digest: computeShareKeyDigests(secrets, link.site, key)[0]! };
      await shareLinks.put(tx, changed);
      return presentShareLink(context, changed, key);
    },
  },
);

export const deleteShareLink = defineOperation("DELETE /orgs/:organizationId/sites/:siteId/share-links/:shareLinkId", {
  summary: "Delete a share link",
  target: shareLink,
  right: "edit",
  handle: ({ tx, link }) => shareLinks.delete(tx, link.site, link.id),
});

/** Checks the right to issue a key, which admits everybody who has it on a site with share links. */
async function checkMayIssueKey(
  context: SiteMemberContext & { readonly tx: Reader; readonly actor: TargetContext["actor"] },
): Promise<void> {
  if (context.site.visibility === "share-link") await checkMayShowSite(context, context.site);
}

function presentShareLink(
  context: SiteMemberContext & { readonly urls: Urls },
  { id, site, name, active, createdAt }: ShareLinkRecord,
  key?: string,
): v.InferInput<typeof ShareLink> {
  const { organization, urls } = context;
  const published = key === undefined ? undefined : getPublishedUrl(context, key);
  return {
    object: "share-link",
    id,
    name,
    active,
    ...omitUndefined({ key }),
    createdAt,
    urls: {
      location: urls.api(`/orgs/${organization.id}/sites/${site}/share-links/${id}`),
      ...omitUndefined({ published }),
    },
  };
}
