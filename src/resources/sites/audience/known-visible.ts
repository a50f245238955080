// Which items of a site somebody sees, from what is remembered of the structure and of the tree. The memory says where to
// look, and how many there are. What an answer shows is read again and asked about again (`itemViews`).

import { type Memory, remembered } from "../../../parts/memory";
import { seenBy, thingsIn } from "../../library/tree/known-tree";
import { type Standing, wayUp } from "../../library/tree/records";
import { roleIn, type Viewer } from "../../library/tree/rules";
import type { Structure } from "../structure/structure";
import { type SeenSpace, type Viewing, visiblePart, visibleTo } from "./visible";

/** A request that may remember. A transaction may not: a memory knows nothing of its writes. */
export type Remembering = Omit<Viewing, "urls"> & { readonly parts?: { readonly memory: Memory } };

/** About what an item takes in the memory of a visible structure. The items themselves are those of the whole one. */
const ITEM_BYTES = 150;

/** The visible part of a structure, and what was found out on the way. */
export interface KnownVisible {
  readonly visible: Structure;
  /** What decides the rights of a member. */
  readonly viewer?: Viewer;
  /** The spaces of the site, where they had to be read. */
  readonly spaces?: ReadonlyMap<string, SeenSpace>;
}

/** The visible part of a structure. */
export async function knownVisible(viewing: Remembering, structure: Structure): Promise<KnownVisible> {
  const { tx, site, visitor, actor, parts } = viewing;
  // In a preview it is another user who decides what is seen, and another revision is shown.
  if (!parts || structure.stamp === undefined || visitor?.preview) {
    const { structure: visible, spaces } = await visibleTo(viewing, structure);
    return { visible, spaces };
  }
  const looking = { tx, organization: viewing.organization, parts };
  if (visitor) {
    const things = await thingsIn(looking);
    return { visible: visiblePart(viewing, structure, (id) => standing(things, id)) };
  }
  const user = actor.user.id;
  const { viewer, things, stamp } = await seenBy(looking, user);
  const visible = await remembered(
    parts.memory,
    `${site.id} seen ${user}`,
    `${structure.stamp} ${stamp}`,
    async () => visiblePart(viewing, structure, (id) => standing(things, id, viewer)),
    ({ items }) => ITEM_BYTES * items.length,
  );
  return { visible, viewer };
}

/** How a space stands in the tree; undefined when there is none. */
function standing(things: ReadonlyMap<string, Standing>, id: string, viewer?: Viewer) {
  const found = things.get(id);
  if (found?.type !== "space") return undefined;
  const path = wayUp(found, things);
  return { path, role: viewer ? roleIn(viewer, path) : null };
}
