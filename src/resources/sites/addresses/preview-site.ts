// Previews of a site for those who edit it: what a change request proposes for a space, or one of its revisions, as the
// site would show it. A preview is a visit, so it is read in the same ways as the published site. Nothing is stored.

import * as v from "valibot";
import { createError, createValidationError } from "../../../errors";
import type { Actor, Preview } from "../../../operation/actor";
import { Id, UrlString } from "../../../operation/common-schemas";
import { type ApiInfo, defineOperation } from "../../../operation/operation";
import { hasScope } from "../../../operation/roles";
import type { Reader } from "../../../storage/transaction";
import { changeRequests } from "../../content/change-requests/records";
import { checkIsEditable } from "../../content/change-requests/rules";
import { revisions } from "../../content/revisions/records";
import { canPreviewSpace, createPreview } from "../audience/previews";
import { resolveVisit } from "../audience/visits";
import { type SiteRecord, type SiteSpaceRecord, siteItems } from "../records";
import { site as siteTarget } from "../rules";
import { readStructure } from "../structure/structure";
import { getPagePathOnSite } from "./page-urls";
import { addPreviewToken, findAtPath, PublishedPlace, presentPlace } from "./published-url";
import { getPublishedUrl } from "./site-urls";

const PreviewRequest = v.strictObject({
  siteSpaceId: Id,
  changeRequestId: v.optional(
    v.pipe(Id, v.description("The change request to show. The preview follows it until it is merged or archived.")),
  ),
  revisionId: v.optional(v.pipe(Id, v.description("The revision of the space to show."))),
});

const SitePreview = v.pipe(
  v.object({
    object: v.literal("site-preview"),
    ...PublishedPlace,
    revision: v.pipe(Id, v.description("The revision that the preview shows now.")),
    urls: v.object({
      preview: v.pipe(
        UrlString,
        v.description("The URL to open, with the token of the preview as its parameter `preview`."),
      ),
      published: v.pipe(UrlString, v.description("The URL that the space has on the site, once it is published.")),
    }),
  }),
  v.title("SitePreview"),
);

export const previewSite = defineOperation("POST /orgs/:organizationId/sites/:siteId/preview", {
  summary: "Preview a change request or a revision of a space on its site",
  description:
    "Expects one of `changeRequestId` and `revisionId`. The caller needs to read the space, and a token of theirs the scopes that read its content. The answer is that of `resolvePublishedUrl`, for a visitor of whom nothing is known and who sees this state of this space. The site need not be published. The preview ends after ten minutes, or earlier: with the rights of the user who made it, or when the change request is merged or archived.",
  target: siteTarget,
  right: "edit",
  body: PreviewRequest,
  returns: SitePreview,
  isReadOnly: true,
  async handle(context) {
    const { tx, organization, site, body, actor, apiInfo, secrets, now, urls, objects, peek, jobContext } = context;
    checkScopes(
      actor,
      apiInfo,
      body.changeRequestId === undefined ? READ_OPERATIONS : [...READ_OPERATIONS, "getChangeRequestContent"],
    );
    const item = await siteSpaceOf(tx, site, actor.user.id, body.siteSpaceId);
    const preview = await createPreview(secrets, site, actor.user.id, await stateOf(tx, item.space, body));
    const visit = { organization: organization.id, site: site.id, audience: "preview", state: "", claims: {}, preview };
    const visitor = await resolveVisit({ tx, secrets, now, peek }, site, visit);
    if (!visitor) throw createNoSiteSpaceError();
    const until = actor.expiresAt === null ? {} : { until: Date.parse(actor.expiresAt) / 1000 };
    const structure = await readStructure(tx, site);
    const asVisitor = { me: undefined, visitor: { ...visitor, ...until }, actor, urls, structure, secrets, now };
    const reading = { tx, objects, peek, jobContext, organization, site, ...asVisitor };
    const parts = getPagePathOnSite(structure, item, "");
    const url = getPublishedUrl(reading, undefined, parts)!;
    const found = await findAtPath(reading, parts);
    if (!found || found.is === "redirect") throw createNoSiteSpaceError();
    const { urls: places, ...place } = presentPlace(reading, { url, parts }, found);
    const { revision } = visitor.preview!;
    return {
      object: "site-preview" as const,
      ...place,
      revision,
      urls: { ...places, preview: addPreviewToken(url, place.apiToken) },
    };
  },
});

/** The operations that read what a preview shows. */
const READ_OPERATIONS = ["getContent", "getRevision"];

/** A preview opens what its token does not open by itself, so a caller with few scopes must have those. */
function checkScopes({ scopes }: Actor, about: ApiInfo, operations: readonly string[]): void {
  for (const name of operations) {
    const scope = about.getScope(name)!;
    if (scopes && !hasScope(scopes, scope) && !scopes.includes(name)) throw createError("scope_missing", { scope });
  }
}

/** A site-space whose space the user may read. */
async function siteSpaceOf(tx: Reader, site: SiteRecord, user: string, id: string): Promise<SiteSpaceRecord> {
  const item = await siteItems.get(tx, site.id, id);
  if (item?.type !== "site-space" || !(await canPreviewSpace(tx, site, user, item.space)))
    throw createNoSiteSpaceError();
  return item;
}

function createNoSiteSpaceError() {
  return createValidationError("body.siteSpaceId", "The site has no such site-space that you may read");
}

/** The state that a request names. */
async function stateOf(
  tx: Reader,
  space: string,
  { changeRequestId, revisionId }: v.InferOutput<typeof PreviewRequest>,
): Promise<Omit<Preview, "madeBy">> {
  if ((changeRequestId === undefined) === (revisionId === undefined))
    throw createValidationError("body", "Expected either changeRequestId or revisionId");
  if (changeRequestId === undefined) {
    if (!(await revisions.get(tx, space, revisionId!)))
      throw createValidationError("body.revisionId", "The space has no such revision");
    return { space, revision: revisionId! };
  }
  const changeRequest = await changeRequests.get(tx, space, changeRequestId);
  if (!changeRequest) throw createValidationError("body.changeRequestId", "The space has no such change request");
  checkIsEditable(changeRequest);
  return { space, changeRequest: changeRequestId };
}
