// The places for installations below an organization: spaces and sites as a caller sees them, and the errors if there is none.

import type { Reason } from "../../../errors";
import type { ReadRows } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import type { TargetContext } from "../../../operation/target";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { presentSpace } from "../../library/spaces/views";
import { isTrashed, nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewerForPath } from "../../library/tree/rules";
import { findActiveMember } from "../../people/members/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { sites } from "../../sites/records";
import { site } from "../../sites/rules";
import { getSiteRole } from "../../sites/site-role";
import { presentSite } from "../../sites/views";
import type { PlaceKind } from "../records";

/** A space or a site, as a caller sees it. */
export interface InstallPlace {
  readonly isVisible: boolean;
  /** True if the caller may install on it. */
  readonly canManage: boolean;
  /** Returns it as it is on the wire. */
  readonly view: (urls: Urls) => Promise<object>;
}

type FindPlace = (
  lookup: Pick<TargetContext, "tx" | "actor">,
  above: OrganizationContext,
  id: string,
) => Promise<InstallPlace | undefined>;

interface PlaceType {
  readonly find: FindPlace;
  /** Lists all places of this kind in an organization. */
  readonly list: (
    tx: Reader,
    slice: Parameters<ReadRows<unknown>>[0],
  ) => Promise<PositionedRecord<{ readonly id: string }>[]>;
  /** The message if an id leads to nothing that the caller may see. */
  readonly notFoundMessage: string;
  /** The reason if an integration is not made for this kind of place. */
  readonly wrongTargetReason: Reason;
}

export const places: { readonly [kind in PlaceKind]: PlaceType } = {
  space: {
    // A space in the trash counts as absent.
    async find({ tx, actor }, above, id) {
      const node = await nodes.get(tx, id);
      if (node?.type !== "space") return undefined;
      const path = await readNodePath(tx, node);
      if (isTrashed(path)) return undefined;
      const role = getNodeRole(await loadViewerForPath(tx, actor.user.id, path), path);
      return {
        isVisible: isRoleAtLeast(role, "read"),
        canManage: isRoleAtLeast(role, "create"),
        view: (urls) => presentSpace(tx, { ...above, path, role }, urls),
      };
    },
    list: (tx, slice) => nodes.list(tx, "spaces", slice),
    notFoundMessage: "Space not found in this organization",
    wrongTargetReason: "not_for_spaces",
  },
  site: {
    async find({ tx, actor }, { organization }, id) {
      const record = await sites.get(tx, id);
      if (!record) return undefined;
      const me = await findActiveMember(tx, actor.user.id);
      const role = await getSiteRole(tx, me, record.id);
      const siteContext = { organization, me, ownedTeams: 0, site: record, role };
      return {
        isVisible: site.rights.view(siteContext),
        canManage: site.rights.edit(siteContext),
        view: (urls) => presentSite({ tx, organization, urls }, record),
      };
    },
    list: (tx, slice) => sites.list(tx, "byAge", slice),
    notFoundMessage: "Site not found in this organization",
    wrongTargetReason: "not_for_sites",
  },
};
