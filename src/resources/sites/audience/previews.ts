// Previews of a site: one state of one space in place of its content. Whoever made a preview is looked at again at every
// use: they may still edit the site and read the space, and the state is still there to be seen.

import type { Preview } from "../../../operation/actor";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { Secrets } from "../../../storage/secrets";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { changeRequests } from "../../content/change-requests/records";
import { revisions } from "../../content/revisions/records";
import { isTrashed, nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewerForPath } from "../../library/tree/rules";
import { findActiveMember } from "../../people/members/records";
import { type SiteRecord, siteItems } from "../records";
import { getSiteRole } from "../site-role";

/** What a preview shows now. */
export interface PreviewState {
  readonly space: string;
  readonly revision: string;
  readonly changeRequest?: string;
  /** The user who made it. */
  readonly madeBy: string;
}

/** A preview for a token. Whoever reads the token does not learn who made it. */
export async function createPreview(
  secrets: Secrets,
  site: SiteRecord,
  user: string,
  state: Omit<Preview, "madeBy">,
): Promise<Preview> {
  return { ...state, madeBy: await secrets.encrypt(user, getPreviewSecretContext(site)) };
}

function getPreviewSecretContext({ id }: SiteRecord): string {
  return `preview ${id}`;
}

/** What a preview shows now; undefined when it is over. */
export async function resolvePreview(
  { tx, secrets }: Pick<TargetContext, "tx" | "secrets">,
  site: SiteRecord,
  preview: Preview,
): Promise<PreviewState | undefined> {
  const { space, changeRequest } = preview;
  const madeBy = await secrets.decrypt(preview.madeBy, getPreviewSecretContext(site));
  const role = await getSiteRole(tx, await findActiveMember(tx, madeBy), site.id);
  if (!isRoleAtLeast(role, "create") || !(await canPreviewSpace(tx, site, madeBy, space))) return undefined;
  const revision = await revisionOf(tx, preview);
  return revision === undefined ? undefined : { space, revision, ...omitUndefined({ changeRequest }), madeBy };
}

/** Whether a space is on a site, in use, and a user may read it. */
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

/** The revision of a preview. A change request is followed until it is merged or archived. */
async function revisionOf(tx: Reader, { space, changeRequest, revision }: Preview): Promise<string | undefined> {
  if (changeRequest === undefined) return (await revisions.get(tx, space, revision ?? ""))?.id;
  const proposed = await changeRequests.get(tx, space, changeRequest);
  return proposed?.status === "draft" || proposed?.status === "open" ? proposed.revision : undefined;
}
