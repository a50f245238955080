// Previews of a site: a revision of one space instead of its published content. Every use checks again that the user who created the
// preview may edit the site and read the space, and that the revision or change request is still available.

import type { Preview } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import { sealContexts } from "../../../storage/seal-contexts";
import type { Reader } from "../../../storage/transaction";
import { changeRequests } from "../../content/change-requests/records";
import { revisions } from "../../content/revisions/records";
import { isTrashed, nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewerForPath } from "../../library/tree/rules";
import { findActiveMember } from "../../people/members/records";
import { type SiteRecord, siteItems } from "../records";
import { getSiteRole } from "../site-role";

/** The revision that a preview shows now. */
export interface PreviewState {
  readonly space: string;
  readonly revision: string;
  readonly changeRequest?: string;
  /** The id of the user who created the preview. */
  readonly madeBy: string;
}

/** Returns the revision that a preview shows. A change request is followed until it is merged or archived. */
export async function resolvePreview(
  { tx, secrets }: Pick<TargetContext, "tx" | "secrets">,
  site: SiteRecord,
  preview: Preview,
): Promise<PreviewState | undefined> {
  const { space, changeRequest: changeRequestId } = preview;
  const madeBy = await secrets.decrypt(preview.madeBy, sealContexts.preview(site.id));
  const role = await getSiteRole(tx, await findActiveMember(tx, madeBy), site.id);
  if (!isRoleAtLeast(role, "create") || !(await canPreviewSpace(tx, site, madeBy, space))) return undefined;
  if (changeRequestId === undefined) {
    const revision = await revisions.get(tx, space, preview.revision ?? "");
    return revision && { space, revision: revision.id, madeBy };
  }
  const changeRequest = await changeRequests.get(tx, space, changeRequestId);
  if (changeRequest?.status !== "draft" && changeRequest?.status !== "open") return undefined;
  return { space, revision: changeRequest.revision, changeRequest: changeRequestId, madeBy };
}

/** Checks whether a space is on a site and not in the trash, and a user may read it. */
export async function canPreviewSpace(tx: Reader, site: SiteRecord, user: string, space: string): Promise<boolean> {
  if (!(await siteItems.find(tx, "space", site.id, space))) return false;
  const node = await nodes.get(tx, space);
  const path = node && (await readNodePath(tx, node));
  return (
    path !== undefined &&
    !isTrashed(path) &&
    isRoleAtLeast(getNodeRole(await loadViewerForPath(tx, user, path), path), "read")
  );
}
