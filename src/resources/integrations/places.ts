// What an integration can be installed on below an organization, each kind looked up through one function.

import type { Actor, Urls } from "../../operation";
import { atLeast } from "../../roles";
import type { Reader } from "../../store/transaction";
import type { InOrganization } from "../organizations/rules";
import { spaceView } from "../spaces/views";
import { isTrashed, nodes, pathOf } from "../tree/records";
import { roleIn, viewerOn } from "../tree/rules";
import type { PlaceKind } from "./records";

/** A space or a site as somebody sees it. */
export interface Place {
  readonly isSeen: boolean;
  /** Whether they may install on it. */
  readonly isManaged: boolean;
  /** The whole of it, as it is answered elsewhere. */
  readonly view: (urls: Urls) => Promise<object>;
}

interface Looking {
  readonly tx: Reader;
  readonly actor: Actor;
}

type Find = (looking: Looking, above: InOrganization, id: string) => Promise<Place | undefined>;

/** Undefined when there is none, or it is in the trash. */
const findSpace: Find = async ({ tx, actor }, above, id) => {
  const node = await nodes.get(tx, id);
  if (node?.type !== "space") return undefined;
  const path = await pathOf(tx, node);
  if (isTrashed(path)) return undefined;
  const role = roleIn(await viewerOn(tx, actor.user.id, path), path);
  return {
    isSeen: atLeast(role, "read"),
    isManaged: atLeast(role, "create"),
    view: (urls) => spaceView(tx, { ...above, path, role }, urls),
  };
};

export const places: { readonly [kind in PlaceKind]: { readonly find: Find } } = {
  space: { find: findSpace },
  // There are no sites: none is ever found.
  site: { find: async () => undefined },
};
