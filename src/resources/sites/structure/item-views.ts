// The views of sections, groups, external links and site-spaces in the API, for members and for visitors. A visitor sees nothing that is internal to the
// organization.

import type * as v from "valibot";
import { groupBy } from "../../../utils/group-by";
import { omitUndefined } from "../../../utils/objects";
import { buildSpaceView, HIDDEN_COUNTS, presentSpaces } from "../../library/spaces/views";
import type { SpaceRecord } from "../../library/tree/records";
import { getItemPath, getPublishedUrl } from "../addresses/site-urls";
import {
  type CachedViewingContext,
  createItemVisibilityCheck,
  getVisibleStructure,
  loadSiteSpaces,
  type Viewing,
} from "../audience/visible-items";
import { evaluateTexts } from "../customization/evaluate-texts";
import type { ExternalLinkRecord, GroupRecord, ItemRecord, SectionRecord, SiteSpaceRecord } from "../records";
import type { SiteExternalLink, SiteSection, SiteSectionGroup, SiteSpace, SiteStructure } from "../schema";
import {
  getChildSiteSpaces,
  getSections,
  getSiteSpaces,
  isDefaultItem,
  isExternalLink,
  isSection,
  isSectionGroup,
  isSiteSpace,
  type Structure,
} from "./structure";

const PATHS_BY_TYPE = {
  "site-space": "site-spaces",
  "site-section": "sections",
  "site-section-group": "section-groups",
  "site-external-link": "external-links",
};

type Space = v.InferOutput<typeof SiteSpace>["space"];

/** Presents the items of a site in order: all visible ones, or those that are given. */
export interface ItemPresenter {
  readonly visible: Structure;
  presentSiteSpaces(items?: readonly SiteSpaceRecord[]): Promise<v.InferOutput<typeof SiteSpace>[]>;
  presentSections(items?: readonly SectionRecord[]): Promise<v.InferOutput<typeof SiteSection>[]>;
  presentExternalLinks(items?: readonly ExternalLinkRecord[]): Promise<v.InferOutput<typeof SiteExternalLink>[]>;
  presentGroups(items?: readonly GroupRecord[]): Promise<v.InferOutput<typeof SiteSectionGroup>[]>;
  presentStructure(): Promise<v.InferOutput<typeof SiteStructure>>;
}

/** Creates the presenter of a structure. `shareKey` is for the URLs of members; visitors present their own. */
export async function createItemPresenter(
  viewing: Viewing & CachedViewingContext & { readonly shareKey?: string | undefined },
  structure: Structure,
): Promise<ItemPresenter> {
  const { organization, me, site, urls, visitor } = viewing;
  const { visible, viewer, spaces: loadedSpaces } = await getVisibleStructure(viewing, structure);
  const isVisible = createItemVisibilityCheck(viewing, structure);
  const getLocation = ({ type, id }: ItemRecord) =>
    urls.api(`/orgs/${organization.id}/sites/${site.id}/${PATHS_BY_TYPE[type]}/${id}`);
  const getUrls = (item: ItemRecord) => {
    const shareKey = visitor?.shareKey ?? viewing.shareKey;
    const published = getPublishedUrl(viewing, shareKey, getItemPath(structure, item.id));
    return { location: getLocation(item), ...omitUndefined({ published }) };
  };
  const evaluate = <View extends object>(view: View) => (visitor ? evaluateTexts(view, visitor.claims) : view);
  /** Visitors can't see the conditions that decide about them. */
  const presentCondition = ({ condition }: SectionRecord | SiteSpaceRecord | ExternalLinkRecord) =>
    omitUndefined({ condition: visitor === undefined ? (condition ?? undefined) : undefined });

  async function presentSiteSpaces(items = getSiteSpaces(visible)): Promise<v.InferOutput<typeof SiteSpace>[]> {
    const spaces = loadedSpaces ?? (await loadSiteSpaces(viewing, items, viewer));
    const visibleItems = items.filter((item) => isVisible(item, spaces.get(item.space)));
    const contexts = visibleItems.map(({ space }) => ({ organization, me, ownedTeams: 0, ...spaces.get(space)! }));
    const readable = contexts.filter(({ role }) => role !== null);
    const views = await presentSpaces(viewing.tx.unchecked, readable, urls);
    const viewsById = new Map(views.map((view) => [view.id, view]));
    const presentedSpaces = contexts.map(({ path }): Space => {
      const space = path[0] as SpaceRecord;
      const deletedAt = path.find((node) => node.deletedAt !== null)?.deletedAt;
      // Viewers who may not read a space get only its public fields.
      const view =
        viewsById.get(space.id) ??
        buildSpaceView(space, organization.id, urls, {
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
      return deletedAt && view.deletedAt === undefined ? { ...view, deletedAt } : view;
    });
    return visibleItems.map((item, i) => {
      const space = presentedSpaces[i]!;
      return evaluate({
        object: "site-space" as const,
        id: item.id,
        path: item.path,
        ...omitUndefined({ section: item.parent ?? undefined }),
        space,
        title: space.title,
        default: isDefaultItem(structure, item),
        ...presentCondition(item),
        hasAdvancedCustomizationFeature: true as const,
        urls: getUrls(item),
      });
    });
  }

  async function presentSections(items = getSections(visible)): Promise<v.InferOutput<typeof SiteSection>[]> {
    const siteSpaces = await presentSiteSpaces(items.flatMap(({ id }) => getChildSiteSpaces(visible, id)));
    const siteSpacesBySection = groupBy(siteSpaces, ({ section }) => section);
    return items.map((item) => {
      const { id, title, description, path, parent, icon } = item;
      const view = {
        object: "site-section" as const,
        id,
        title,
        ...omitUndefined({ description: description ?? undefined }),
        default: isDefaultItem(structure, item),
        path,
        ...presentCondition(item),
        ...omitUndefined({ sectionGroup: parent ?? undefined, icon: icon ?? undefined }),
        urls: getUrls(item),
      };
      return { ...evaluate(view), siteSpaces: siteSpacesBySection.get(id) ?? [] };
    });
  }

  async function presentExternalLinks(
    items = visible.items.filter(isExternalLink),
  ): Promise<v.InferOutput<typeof SiteExternalLink>[]> {
    return items.map((item) => {
      const { id, title, description, icon, url, parent, draft } = item;
      return evaluate({
        object: "site-external-link" as const,
        id,
        title,
        ...omitUndefined({ description: description ?? undefined, icon: icon ?? undefined }),
        url,
        ...omitUndefined({ sectionGroup: parent ?? undefined }),
        draft,
        ...presentCondition(item),
        urls: { location: getLocation(item) },
      });
    });
  }

  async function presentGroups(
    items = visible.getChildren(null).filter(isSectionGroup),
  ): Promise<v.InferOutput<typeof SiteSectionGroup>[]> {
    const children = items.flatMap(({ id }) => visible.getChildren(id));
    const sections = await presentSections(children.filter(isSection));
    const links = await presentExternalLinks(children.filter(isExternalLink));
    const sectionsByGroup = groupBy(sections, ({ sectionGroup }) => sectionGroup);
    const viewsById = new Map([...sections, ...links].map((view) => [view.id, view]));
    return items.map((item) => {
      const { id, title, icon } = item;
      const optional = omitUndefined({ icon: icon ?? undefined });
      const urls = { location: getLocation(item) };
      const view = { object: "site-section-group" as const, id, title, ...optional, urls };
      const ownItems = visible.getChildren(id);
      const ownViews = ownItems.some(isExternalLink) ? ownItems.map((child) => viewsById.get(child.id)!) : undefined;
      return {
        ...evaluate(view),
        sections: sectionsByGroup.get(id) ?? [],
        ...omitUndefined({ children: ownViews }),
      };
    });
  }

  return {
    visible,
    presentSiteSpaces,
    presentSections,
    presentExternalLinks,
    presentGroups,
    async presentStructure() {
      if (getSections(structure).length === 0) return { type: "siteSpaces", structure: await presentSiteSpaces() };
      const topItems = visible.getChildren(null).filter((item) => !isSiteSpace(item));
      const views = [
        ...(await presentGroups()),
        ...(await presentSections(topItems.filter(isSection))),
        ...(await presentExternalLinks(topItems.filter(isExternalLink))),
      ];
      const viewsById = new Map(views.map((view) => [view.id, view]));
      return { type: "sections", structure: topItems.map(({ id }) => viewsById.get(id)!) };
    },
  };
}
