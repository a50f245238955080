// Sections, groups and site-spaces on the wire, for members and for visitors. A visitor sees nothing internal to the
// organization.

import type * as v from "valibot";
import { omitUndefined } from "../../../utils/objects";
import { buildSpaceView, HIDDEN_COUNTS, presentSpaces } from "../../library/spaces/views";
import type { SpaceRecord } from "../../library/tree/records";
import { getItemPath, getPublishedUrl } from "../addresses/site-urls";
import {
  createItemVisibilityCheck,
  loadSiteSpaces,
  type SiteSpaceAccess,
  type Viewing,
} from "../audience/visible-items";
import { type CachedViewingContext, getVisibleStructure } from "../audience/visible-structure";
import { evaluateTexts } from "../customization/evaluate-texts";
import type { GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from "../schema";
import {
  getChildSiteSpaces,
  getGroups,
  getSections,
  getSiteSpaces,
  isDefaultItem,
  isSection,
  isSiteSpace,
  type Structure,
} from "./structure";

type Space = v.InferOutput<typeof SiteSpace>["space"];

/** The views of a site's items, of all or of those given, in order. */
export interface ItemPresenter {
  /** The visible structure. */
  readonly visible: Structure;
  presentSiteSpaces(some?: readonly SiteSpaceRecord[]): Promise<v.InferOutput<typeof SiteSpace>[]>;
  presentSections(some?: readonly SectionRecord[]): Promise<v.InferOutput<typeof SiteSection>[]>;
  presentGroups(some?: readonly GroupRecord[]): Promise<v.InferOutput<typeof SiteSectionGroup>[]>;
  presentStructure(): Promise<v.InferOutput<typeof SiteStructure>>;
}

/**
 * The views of a structure for a caller. `shareKey` is a valid key of the site, for the URLs of members; visitors
 * present their own.
 */
export async function createItemPresenter(
  viewing: Viewing & CachedViewingContext & { readonly shareKey?: string | undefined },
  whole: Structure,
): Promise<ItemPresenter> {
  const { visible, viewer, spaces: known } = await getVisibleStructure(viewing, whole);
  const isSeen = createItemVisibilityCheck(viewing, whole);
  const urls = (item: ItemRecord) => urlsOf(viewing, whole, item);
  const { visitor } = viewing;
  /** Titles and descriptions of an item, evaluated for a visitor. */
  const worded = <View extends object>(view: View) => (visitor ? evaluateTexts(view, visitor.claims) : view);

  async function siteSpaces(some = getSiteSpaces(visible)) {
    const found = known ?? (await loadSiteSpaces(viewing, some, viewer));
    const shown = some.filter((item) => isSeen(item, found.get(item.space)));
    const spaces = await spacesOf(
      viewing,
      shown.map(({ space }) => found.get(space)!),
    );
    return shown.map((item, i) => worded(siteSpaceView(viewing, whole, item, spaces[i]!, urls(item))));
  }

  async function sections(some = getSections(visible)) {
    const inside = gathered(
      await siteSpaces(some.flatMap(({ id }) => getChildSiteSpaces(visible, id))),
      (it) => it.section,
    );
    return some.map((it) => ({
      ...worded(sectionView(viewing, whole, it, urls(it))),
      siteSpaces: inside.get(it.id) ?? [],
    }));
  }

  async function groups(some = getGroups(visible)) {
    const inside = gathered(
      await sections(some.flatMap(({ id }) => visible.getChildren(id).filter(isSection))),
      (it) => it.sectionGroup,
    );
    return some.map((it) => ({ ...worded(groupView(viewing, it)), sections: inside.get(it.id) ?? [] }));
  }

  async function structure(): Promise<v.InferOutput<typeof SiteStructure>> {
    if (getSections(whole).length === 0) return { type: "siteSpaces", structure: await siteSpaces() };
    const top = visible.getChildren(null).filter((item) => !isSiteSpace(item));
    const views = [...(await groups()), ...(await sections(top.filter(isSection)))];
    const byId = new Map(views.map((view) => [view.id, view]));
    return { type: "sections", structure: top.map(({ id }) => byId.get(id)!) };
  }

  return {
    visible,
    presentSiteSpaces: siteSpaces,
    presentSections: sections,
    presentGroups: groups,
    presentStructure: structure,
  };
}

function gathered<View>(
  views: readonly View[],
  under: (view: View) => string | undefined,
): Map<string | undefined, View[]> {
  const found = new Map<string | undefined, View[]>();
  for (const view of views) {
    const others = found.get(under(view));
    if (others) others.push(view);
    else found.set(under(view), [view]);
  }
  return found;
}

const rooms = { "site-space": "site-spaces", "site-section": "sections", "site-section-group": "section-groups" };

/** The URL of an item in this API. */
function locationOf({ organization, site, urls }: Viewing, { type, id }: ItemRecord): string {
  return urls.api(`/orgs/${organization.id}/sites/${site.id}/${rooms[type]}/${id}`);
}

/** The URLs of an item, in this API and published. */
function urlsOf(
  viewing: Viewing & { readonly shareKey?: string | undefined },
  structure: Structure,
  item: ItemRecord,
): Urls {
  const url = getPublishedUrl(viewing, viewing.visitor?.shareKey ?? viewing.shareKey, getItemPath(structure, item.id));
  return { location: locationOf(viewing, item), ...omitUndefined({ published: url }) };
}

interface Urls {
  readonly location: string;
  readonly published?: string;
}

function siteSpaceView(
  { visitor }: Viewing,
  structure: Structure,
  item: SiteSpaceRecord,
  space: Space,
  urls: Urls,
): v.InferOutput<typeof SiteSpace> {
  return {
    object: "site-space",
    id: item.id,
    path: item.path,
    ...omitUndefined({ section: item.parent === null ? undefined : item.parent }),
    space,
    title: space.title,
    default: isDefaultItem(structure, item),
    ...conditionFor(visitor, item),
    hasAdvancedCustomizationFeature: true,
    urls,
  };
}

function sectionView(
  { visitor }: Viewing,
  structure: Structure,
  section: SectionRecord,
  urls: Urls,
): Omit<v.InferOutput<typeof SiteSection>, "siteSpaces"> {
  const { id, title, description, path, parent, icon } = section;
  return {
    object: "site-section",
    id,
    title,
    ...omitUndefined({ description: description === null ? undefined : description }),
    default: isDefaultItem(structure, section),
    path,
    ...conditionFor(visitor, section),
    ...omitUndefined({ sectionGroup: parent === null ? undefined : parent, icon: icon === null ? undefined : icon }),
    urls,
  };
}

function groupView(viewing: Viewing, group: GroupRecord): Omit<v.InferOutput<typeof SiteSectionGroup>, "sections"> {
  const { id, title, icon } = group;
  const urls = { location: locationOf(viewing, group) };
  return {
    object: "site-section-group",
    id,
    title,
    ...omitUndefined({ icon: icon === null ? undefined : icon }),
    urls,
  };
}

/** Visitors do not see the conditions that decide about them. */
function conditionFor(visitor: Viewing["visitor"], { condition }: SectionRecord | SiteSpaceRecord) {
  return condition === null || visitor !== undefined ? {} : { condition };
}

/** Spaces on the wire: complete for those who may read them, and only public fields for everybody else. */
async function spacesOf(viewing: Viewing, some: readonly SiteSpaceAccess[]): Promise<Space[]> {
  const { organization, me } = viewing;
  const found = some.map((seen) => ({ organization, me, ownedTeams: 0, ...seen }));
  const readable = found.filter(({ role }) => role !== null);
  const views = await presentSpaces(viewing.tx.unchecked, readable, viewing.urls);
  const byId = new Map(views.map((view) => [view.id, view]));
  return found.map(({ path }) => {
    const space = path[0] as SpaceRecord;
    const deletedAt = path.find((node) => node.deletedAt !== null)?.deletedAt;
    const view = byId.get(space.id) ?? spaceFromOutside(viewing, space);
    return deletedAt && view.deletedAt === undefined ? { ...view, deletedAt } : view;
  });
}

function spaceFromOutside({ organization, visitor, urls }: Viewing, space: SpaceRecord): Space {
  return buildSpaceView(space, organization.id, urls, {
    defaultLevel: null,
    counts: HIDDEN_COUNTS,
    permissions: {
      view: visitor !== undefined,
      access: false,
      admin: false,
      viewInviteLinks: false,
      edit: false,
      triggerGitSync: false,
      comment: false,
      merge: false,
      review: false,
      installIntegration: false,
    },
  });
}
