// The places for installations below an organization: how a space or a site is found, and the errors when it is not.

import type { Reason } from "../../../errors";
import type { Actor } from "../../../operation/actor";
import type { ReadRows } from "../../../operation/pagination";
import { isRoleAtLeast } from "../../../operation/roles";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import type { PositionedRecord } from "../../../storage/transaction-budget";
import { presentSpace } from "../../library/spaces/views";
import { isTrashed, nodes, readNodePath } from "../../library/tree/records";
import { getNodeRole, loadViewerForPath } from "../../library/tree/rules";
import { findActiveMember } from "../../people/members/records";
import type { OrganizationContext } from "../../people/organizations/rules";
import { sites } from "../../sites/records";
import { createSiteMemberContext, site } from "../../sites/rules";
import { presentSite } from "../../sites/views";
import type { PlaceKind } from "../records";

/** A space or a site, as a caller sees it. */
export interface InstallPlace {
  readonly isVisible: boolean;
  /** Whether the caller may install on it. */
  readonly canManage: boolean;
  /** The complete view, as in other answers. */
  readonly view: (urls: Urls) => Promise<object>;
}

interface Looking {
  readonly tx: Reader;
  readonly actor: Actor;
}

type Find = (looking: Looking, above: OrganizationContext, id: string) => Promise<InstallPlace | undefined>;

/** Undefined when there is none, or it is in the trash. */
const findSpace: Find = async ({ tx, actor }, above, id) => {
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
};

const findSite: Find = async ({ tx, actor }, { organization }, id) => {
  const found = await sites.get(tx, id);
  if (!found) return undefined;
  const above = { organization, me: await findActiveMember(tx, actor.user.id), ownedTeams: 0 };
  const seen = await createSiteMemberContext(tx, above, found);
  return {
    isVisible: site.rights.view(seen),
    canManage: site.rights.edit(seen),
    view: (urls) => presentSite({ tx, organization, urls }, found),
  };
};

interface PlaceType {
  readonly find: Find;
  /** All of an organization. */
  readonly list: (
    tx: Reader,
    slice: Parameters<ReadRows<unknown>>[0],
  ) => Promise<PositionedRecord<{ readonly id: string }>[]>;
  /** The reason when an id leads to nothing that the caller may see. */
  readonly notFoundMessage: string;
  /** The reason when an integration is not made for this kind of place. */
  readonly wrongTargetReason: Reason;
}

export const places: { readonly [kind in PlaceKind]: PlaceType } = {
  space: {
    find: findSpace,
    list: (tx, slice) => nodes.list(tx, "spaces", slice),
    notFoundMessage: "The organization has no such space",
    wrongTargetReason: "not_for_spaces",
  },
  site: {
    find: findSite,
    list: (tx, slice) => sites.list(tx, "byAge", slice),
    notFoundMessage: "The organization has no such site",
    wrongTargetReason: "not_for_sites",
  },
};
