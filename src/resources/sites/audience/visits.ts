// Visits by a visitor's token. Everything that let the visitor in is looked at again at every use: the site is published
// to the same audience, the share link or the key is the same, and somebody still vouches. What has changed ends the
// visit, and the site is as absent as for anybody else who is not let in.

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

/** The visitor of a visit; undefined when the visit is over. A share key is used for URLs, if it is that of the visit. */
export async function resolveVisit(
  scope: AdmissionContext,
  site: SiteRecord,
  visit: Visit,
  shareKey?: string | undefined,
): Promise<Visitor | undefined> {
  if (visit.preview) return previewerOf(scope, site, visit);
  if (!(await isStillAdmitted(scope, site, visit))) return undefined;
  const { unsigned, ...signed } = visit.claims;
  const known = await readSignedClaims(scope, site, signed);
  if (!known) return undefined;
  const claims = {
    ...known,
    unsigned: await readUnsignedClaims(scope, site, unsigned as Visitor["claims"] | undefined),
  };
  const { site: at, audience, state, shareLink, vouchedBy, member } = visit;
  const letIn = { site: at, audience, state, ...omitUndefined({ shareLink, vouchedBy, member }) };
  const isKey = shareLink !== undefined && (await findShareLink(scope, site, shareKey))?.id === shareLink;
  return { claims, admission: letIn, ...omitUndefined({ shareKey: isKey ? shareKey! : undefined }) };
}

/** The visitor of a preview. Of them nothing is known, and the site need not be published. */
async function previewerOf(scope: AdmissionContext, site: SiteRecord, visit: Visit): Promise<Visitor | undefined> {
  const { site: at, audience, state, preview } = visit;
  const shown = at === site.id ? await resolvePreview(scope, site, preview!) : undefined;
  return (
    shown && { claims: { unsigned: {} }, admission: { site: at, audience, state, preview: preview! }, preview: shown }
  );
}

/** Whether what let somebody in is as it was. */
export async function isStillAdmitted(
  scope: Pick<AdmissionContext, "tx" | "peek" | "secrets">,
  site: SiteRecord,
  letIn: VisitAdmission,
): Promise<boolean> {
  if (site.id !== letIn.site) return false;
  if (letIn.preview) return (await resolvePreview(scope, site, letIn.preview)) !== undefined;
  if (!site.published || site.visibility !== letIn.audience) return false;
  if ((await computeAdmissionState(scope, site, letIn)) !== letIn.state) return false;
  if (letIn.vouchedBy === "member") return canVisitAsMember(scope, site, letIn.member ?? "");
  if (letIn.vouchedBy !== "integration") return true;
  return (await findSiteSigner(scope, await loadPublishingAuth(scope.tx, site))) !== undefined;
}
