// Previews of a site for its editors: a change request or a revision of a space, as the site would show it. A preview is a visit, so
// it is read in the same ways as the published site. Nothing is stored.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { Id, namedObject, UrlString } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { hasScope } from "../../../operation/roles";
import { sealContexts } from "../../../storage/seal-contexts";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../../content/change-requests/records";
import { checkIsEditable } from "../../content/change-requests/rules";
import { revisions } from "../../content/revisions/records";
import { resolveVisit, type Visitor } from "../audience/audience";
import { canPreviewSpace } from "../audience/previews";
import { siteItems } from "../records";
import { site as siteTarget } from "../rules";
import { readStructure } from "../structure/structure";
import { addPreviewToken, PublishedPlace, presentPlace, resolvePathOrSpace } from "./resolve-published-url";
import { getPagePathOnSite, getPublishedUrl } from "./site-urls";

const PreviewRequest = v.strictObject({
  siteSpaceId: Id,
  changeRequestId: v.optional(
    v.pipe(
      Id,
      v.description(
        "The ID of the change request to preview. The preview shows its latest content until it is merged or archived.",
      ),
    ),
  ),
  revisionId: v.optional(v.pipe(Id, v.description("The ID of the space revision to preview."))),
});

const SitePreview = namedObject("SitePreview", {
  object: v.literal("site-preview"),
  ...PublishedPlace,
  revision: v.pipe(Id, v.description("The ID of the revision that the preview currently shows.")),
  urls: v.object({
    preview: v.pipe(UrlString, v.description("The preview URL, with the preview token in the `preview` parameter.")),
    published: v.pipe(UrlString, v.description("The public URL of the space once the site is published.")),
  }),
});

export const previewSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/preview", {
  summary: "Create a site preview",
  target: siteTarget,
  right: "edit",
  body: PreviewRequest,
  returns: SitePreview,
  isReadOnly: true,
  async handle(context) {
    const { tx, organization, site, body, actor, apiInfo, secrets, now, urls, objects, peek, jobContext } = context;
    // The token of a preview opens more than itself, so a caller with few scopes needs those of these operations.
    const operations = ["getContent", "getRevision"];
    if (body.changeRequestId !== undefined) operations.push("getChangeRequestContent");
    for (const name of operations) {
      const scope = apiInfo.getScope(name)!;
      if (actor.scopes && !hasScope(actor.scopes, scope) && !actor.scopes.includes(name))
        throw createError("scope_missing", { scope });
    }

    const notFound = createValidationError(
      "body.siteSpaceId",
      "Site-space not found on this site, or you don't have access to it",
    );
    const item = await siteItems.get(tx, site.id, body.siteSpaceId);
    if (item?.type !== "site-space" || !(await canPreviewSpace(tx, site, actor.user.id, item.space))) throw notFound;
    const { space } = item;
    const { changeRequestId, revisionId } = body;
    if ((changeRequestId === undefined) === (revisionId === undefined))
      throw createValidationError("body", "Expected either `changeRequestId` or `revisionId`");
    if (changeRequestId === undefined) {
      if (!(await revisions.get(tx, space, revisionId!)))
        throw createValidationError("body.revisionId", "Revision not found in this space");
    } else {
      const changeRequest = await changeRequests.get(tx, space, changeRequestId);
      if (!changeRequest) throw createValidationError("body.changeRequestId", "Change request not found in this space");
      checkIsEditable(changeRequest);
    }
    // The creator is encrypted, because everybody can read a token.
    const madeBy = await secrets.encrypt(actor.user.id, sealContexts.preview(site.id));
    const preview = { space, ...omitUndefined({ revision: revisionId, changeRequest: changeRequestId }), madeBy };
    const visit = { organization: organization.id, site: site.id, audience: "preview", state: "", claims: {}, preview };
    const visitor = await resolveVisit({ tx, secrets, now, peek }, site, visit);
    if (!visitor) throw notFound;
    // The preview ends with the token of the caller.
    const previewVisitor: Visitor = {
      ...visitor,
      ...omitUndefined({
        expiresAtSeconds: actor.expiresAt === null ? undefined : Date.parse(actor.expiresAt) / 1000,
      }),
    };
    const structure = await readStructure(tx, site);
    const asVisitor = { me: undefined, visitor: previewVisitor, actor, urls, structure, secrets, now };
    const siteContext = { tx, objects, peek, jobContext, organization, site, ...asVisitor };
    const path = getPagePathOnSite(structure, item, "");
    const url = getPublishedUrl(siteContext, undefined, path)!;
    const resolution = await resolvePathOrSpace(siteContext, path);
    if (!resolution || resolution.is === "redirect") throw notFound;
    const { urls: placeUrls, ...place } = presentPlace(siteContext, { url, path }, resolution);
    const { revision } = visitor.preview!;
    return {
      object: "site-preview" as const,
      ...place,
      revision,
      urls: { ...placeUrls, preview: addPreviewToken(url, place.apiToken) },
    };
  },
});
