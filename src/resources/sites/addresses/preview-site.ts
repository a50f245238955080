// Previews of a site for its editors: a change request or a revision of a space, as the site would show it. A preview is a visit, so
// it is read in the same ways as the published site. Nothing is stored.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import { Id, namedObject, UrlString } from "../../../operation/common-schemas";
import { type CallContext, defineOperation } from "../../../operation/operation";
import { hasScope } from "../../../operation/roles";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../../content/change-requests/records";
import { checkIsEditable } from "../../content/change-requests/rules";
import { revisions } from "../../content/revisions/records";
import { nodes, type SpaceRecord } from "../../library/tree/records";
import { resolveVisit, type Visitor } from "../audience/audience";
import { canPreviewSpace } from "../audience/previews";
import { type SiteSpaceRecord, siteItems } from "../records";
import { type SiteMemberContext, site as siteTarget } from "../rules";
import { isSection, readStructure } from "../structure/structure";
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
    const { tx, body } = context;
    const { changeRequestId, revisionId } = body;
    const contentOperation = changeRequestId === undefined ? [] : ["getChangeRequestContent"];
    checkPreviewScopes(context, ["getContent", "getRevision", ...contentOperation]);
    const item = await findPreviewedItem(context, body.siteSpaceId, "body.siteSpaceId");
    const { space } = item;
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
    const shown = omitUndefined({ revision: revisionId, changeRequest: changeRequestId });
    return createPreview(context, item, shown, "body.siteSpaceId");
  },
});

export const getSitePreviewUrl = defineOperation("GET /orgs/:organizationId/sites/:siteId/publishing/preview", {
  summary: "Get a preview URL of a site",
  target: siteTarget,
  right: "edit",
  query: {
    siteSpace: v.optional(
      v.pipe(Id, v.description("The ID of the site-space to preview. Defaults to the default site-space.")),
    ),
  },
  returns: namedObject("SitePreviewUrl", {
    url: v.pipe(UrlString, v.description("The preview URL, with the preview token in the `preview` parameter.")),
  }),
  cache: false,
  async handle(context) {
    checkPreviewScopes(context, ["getContent", "getRevision"]);
    const structure = await readStructure(context.tx, context.site);
    const first = structure.get(structure.defaultItem ?? "");
    const siteSpace = context.query.siteSpace ?? (isSection(first) ? first.defaultItem : first?.id);
    if (siteSpace === undefined)
      throw createValidationError("query.siteSpace", "The site has no spaces. Add a space to the site first");
    const item = await findPreviewedItem(context, siteSpace, "query.siteSpace");
    const space = await nodes.get(context.tx, item.space);
    const shown = { revision: (space as SpaceRecord).revision };
    return { url: (await createPreview(context, item, shown, "query.siteSpace")).urls.preview };
  },
});

type PreviewContext = SiteMemberContext &
  Pick<CallContext, "actor" | "apiInfo" | "secrets" | "now" | "urls" | "objects" | "peek" | "jobContext"> & {
    readonly tx: Reader;
  };

/** Refuses a token without the scopes of these operations, because the token of a preview opens more than itself. */
function checkPreviewScopes({ actor, apiInfo }: PreviewContext, operations: readonly string[]): void {
  for (const name of operations) {
    const scope = apiInfo.getScope(name)!;
    if (actor.scopes && !hasScope(actor.scopes, scope) && !actor.scopes.includes(name))
      throw createError("scope_missing", { scope });
  }
}

const createNotFoundError = (field: string) =>
  createValidationError(field, "Site-space not found on this site, or you don't have access to it");

/** Finds a site-space whose space the caller can read. The error names `field`. */
async function findPreviewedItem(
  { tx, site, actor }: PreviewContext,
  id: string,
  field: string,
): Promise<SiteSpaceRecord> {
  const item = await siteItems.get(tx, site.id, id);
  if (item?.type !== "site-space" || !(await canPreviewSpace(tx, site, actor.user.id, item.space)))
    throw createNotFoundError(field);
  return item;
}

/** Creates a preview of a site in which one space shows another state. If nothing is shown, the error names `field`. */
async function createPreview(
  context: PreviewContext,
  item: SiteSpaceRecord,
  shown: { readonly revision?: string; readonly changeRequest?: string },
  field: string,
): Promise<v.InferInput<typeof SitePreview>> {
  const { tx, organization, site, actor, secrets, now, urls, objects, peek, jobContext } = context;
  // The creator is encrypted, because everybody can read a token.
  const madeBy = await secrets.encrypt(actor.user.id, sealContexts.preview(site.id));
  const preview = { space: item.space, ...shown, madeBy };
  const visit = { organization: organization.id, site: site.id, audience: "preview", state: "", claims: {}, preview };
  const visitor = await resolveVisit({ tx, secrets, now, peek }, site, visit);
  if (!visitor) throw createNotFoundError(field);
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
  if (!resolution || resolution.is === "redirect") throw createNotFoundError(field);
  const { urls: placeUrls, ...place } = await presentPlace(siteContext, { url, path }, resolution);
  const { revision } = visitor.preview!;
  return {
    object: "site-preview" as const,
    ...place,
    revision,
    urls: { ...placeUrls, preview: addPreviewToken(url, place.apiToken) },
  };
}
