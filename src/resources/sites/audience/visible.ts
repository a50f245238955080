// Which items of a site somebody may see. Editors of the site see all of it. Other members see the spaces that they may
// read. A visitor sees what the conditions allow. A section or group without visible items is not visible.

import { conditionHolds } from "../../../content/expressions";
import { atLeast } from "../../../roles";
import type { Role } from "../../../shapes";
import type { Reader } from "../../../store/transaction";
import type { Urls } from "../../../urls";
import { isTrashed, nodes, type Path, pathsOf } from "../../library/tree/records";
import { roleIn, viewerOf } from "../../library/tree/rules";
import type { GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { AtSite } from "../rules";
import { groupsIn, type Structure, sectionsIn, siteSpacesIn, structureOf } from "../structure/structure";
import type { Visitor } from "./audience";

/** Who looks at a site, and from where. */
export interface Viewing extends AtSite {
  readonly tx: Reader;
  readonly actor: { readonly user: { readonly id: string } };
  readonly urls: Urls;
}

/** A space in the tree, and the viewer's role on it. */
export interface SeenSpace {
  readonly path: Path;
  readonly role: Role | null;
}

/** The visible part of a site's structure. Defaults stay the defaults even when they are not visible. */
export interface Visible {
  readonly structure: Structure;
  /** The space of a visible site-space. */
  readonly spaceOf: (siteSpace: SiteSpaceRecord) => SeenSpace;
}

/** Whether a member may edit the organization's sites. */
function mayEdit({ me, visitor }: Pick<AtSite, "me" | "visitor">): boolean {
  return visitor === undefined && atLeast(me?.role ?? null, "create");
}

/** Whether a visitor meets the condition of an item. */
export function meets({ claims }: Visitor, { condition }: SectionRecord | SiteSpaceRecord): boolean {
  return conditionHolds(condition ?? undefined, { visitor: { claims } });
}

/** The visible part of a structure. */
export async function visibleTo(viewing: Omit<Viewing, "urls">, structure: Structure): Promise<Visible> {
  const spaces = await spacesOn(viewing, structure);
  const isEditor = mayEdit(viewing);
  const isMet = (item: SectionRecord | SiteSpaceRecord) =>
    viewing.visitor === undefined || meets(viewing.visitor, item);
  const isSeen = (siteSpace: SiteSpaceRecord) => {
    const space = spaces.get(siteSpace.space);
    if (!space || isEditor) return space !== undefined;
    return isMet(siteSpace) && !isTrashed(space.path) && (viewing.visitor !== undefined || atLeast(space.role, "read"));
  };
  const siteSpaces = siteSpacesIn(structure).filter(isSeen);
  const filled = new Set(siteSpaces.map(({ parent }) => parent));
  const sections = sectionsIn(structure).filter((section) => filled.has(section.id) && isMet(section));
  const kept = new Set<string | null>(sections.flatMap(({ id, parent }) => [id, parent]));
  const groups: GroupRecord[] = groupsIn(structure).filter(({ id }) => isEditor || kept.has(id));
  const items: ItemRecord[] = [
    ...groups,
    ...sections,
    ...siteSpaces.filter(({ parent }) => parent === null || kept.has(parent)),
  ];
  return {
    structure: structureOf(items, structure.defaultItem),
    spaceOf: ({ space }) => spaces.get(space)!,
  };
}

/** The existing spaces of a site, by id. */
async function spacesOn(viewing: Omit<Viewing, "urls">, structure: Structure): Promise<Map<string, SeenSpace>> {
  const tx = viewing.tx.unchecked;
  const ids = siteSpacesIn(structure).map(({ space }) => [space]);
  const found = (await nodes.getMany(tx, ids)).filter((node) => node?.type === "space").map((node) => node!);
  const paths = await pathsOf(tx, found);
  const viewer = viewing.visitor === undefined ? await viewerOf(tx, viewing.actor.user.id) : undefined;
  return new Map(paths.map((path) => [path[0].id, { path, role: viewer ? roleIn(viewer, path) : null }]));
}
