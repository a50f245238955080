// Resolves the visits of visitors' tokens. Every use checks the grounds of the admission again: the site is published to the same audience,
// the share link or the key is the same, and the issuer still vouches. If one of them has changed, the visit ends, and the site is
// treated as absent, as it is for anybody who isn't admitted.

import type { Visit } from "../../../operation/actor";
import { omitUndefined } from "../../../utils/objects";
import type { SiteRecord } from "../records";
import {
  type AdmissionContext,
  computeAdmissionState,
  findShareLink,
  readSignedClaims,
  readUnsignedClaims,
  type Visitor,
} from "./audience";
import { resolvePreview } from "./previews";
import type { VisitAdmission } from "./visit-tokens";
import { loadPublishingAuth } from "./visitor-records";
import { canVisitAsMember, findSiteSigner } from "./visitor-tokens";

/** Returns the visitor of a visit, or undefined if the visit has ended. `shareKey` is used for URLs if it is that of the visit. */
export async function resolveVisit(
  context: AdmissionContext,
  site: SiteRecord,
  visit: Visit,
  shareKey?: string | undefined,
): Promise<Visitor | undefined> {
  const { site: visitedSite, audience, state, shareLink, vouchedBy, member } = visit;
  if (visit.preview) {
    // The visitor of a preview has no claims, and the site may be unpublished.
    const preview = visitedSite === site.id ? await resolvePreview(context, site, visit.preview) : undefined;
    const admission = { site: visitedSite, audience, state, preview: visit.preview };
    return preview && { claims: { unsigned: {} }, admission, preview };
  }
  if (!(await isStillAdmitted(context, site, visit))) return undefined;
  const { unsigned, ...signed } = visit.claims;
  const signedClaims = await readSignedClaims(context, site, signed);
  if (!signedClaims) return undefined;
  const claims = {
    ...signedClaims,
    unsigned: await readUnsignedClaims(context, site, unsigned as Visitor["claims"] | undefined),
  };
  const admission = { site: visitedSite, audience, state, ...omitUndefined({ shareLink, vouchedBy, member }) };
  const isKeyOfVisit = shareLink !== undefined && (await findShareLink(context, site, shareKey))?.id === shareLink;
  return { claims, admission, ...omitUndefined({ shareKey: isKeyOfVisit ? shareKey! : undefined }) };
}

/** Checks whether the grounds of an admission are unchanged. */
export async function isStillAdmitted(
  context: Pick<AdmissionContext, "tx" | "peek" | "secrets">,
  site: SiteRecord,
  admission: VisitAdmission,
): Promise<boolean> {
  if (site.id !== admission.site) return false;
  if (admission.preview) return (await resolvePreview(context, site, admission.preview)) !== undefined;
  if (!site.published || site.visibility !== admission.audience) return false;
  if ((await computeAdmissionState(context, site, admission)) !== admission.state) return false;
  if (admission.vouchedBy === "member") return canVisitAsMember(context, site, admission.member ?? "");
  if (admission.vouchedBy !== "integration") return true;
  return (await findSiteSigner(context, await loadPublishingAuth(context.tx, site))) !== undefined;
}
