// Renders a page of a site with an edited appearance, with the functions of the published site. None of its links lead anywhere.

import type { Site, SiteSpace, SiteStructure } from "../../../../generated/resources";
import { getTextDirection } from "../../../../locales/languages";
import { loadMessages } from "../../../../locales/messages";
import { getThemeClasses, renderTheme } from "../../../../site/appearance/theme";
import { type PublishedTreePage, renderBody } from "../../../../site/layout/layout";
import { buildOutline, findPageTrail, renderArticle } from "../../../../site/pages/article";
import type { PageContext } from "../../../../site/request/request-context";
import { html, type Markup } from "../../../../utils/html";
import { omitUndefined } from "../../../../utils/objects";
import { drawDocument } from "../../preview/draw-document";
import type { FrameAppearance } from "../../preview/preview";
import type { ContentPlace, Document, PageInTree } from "../../space/content-place";
import type { SiteLook } from "./settings";

/** The page to preview, with its space and its site. */
export interface LookPreviewSubject {
  readonly site: Site;
  readonly structure: SiteStructure;
  readonly siteSpaces: readonly SiteSpace[];
  readonly siteSpace: SiteSpace;
  readonly place: ContentPlace;
  readonly pages: readonly PageInTree[];
  readonly page: PageInTree | undefined;
  readonly document: Document | undefined;
}

const NOWHERE = "#";

export async function drawLook(subject: LookPreviewSubject, look: SiteLook): Promise<Markup> {
  const { site, structure, siteSpaces, siteSpace, place, pages, page, document } = subject;
  // The URLs of links are resolved for visitors only. Here all links are visible and lead nowhere.
  const disable = <One extends { readonly to: unknown }>(link: One) => ({
    ...link,
    ...omitUndefined({ url: link.to === null ? undefined : NOWHERE }),
  });
  const { header, footer, announcement } = look;
  const { locale, language = locale } = look.internationalization;
  const drawing: PageContext = {
    customization: {
      ...look,
      header: { ...header, links: header.links.map((link) => ({ ...disable(link), links: link.links.map(disable) })) },
      footer: { ...footer, groups: footer.groups.map((group) => ({ ...group, links: group.links.map(disable) })) },
      ...omitUndefined({
        announcement: announcement
          ? { ...announcement, ...omitUndefined({ link: announcement.link ? disable(announcement.link) : undefined }) }
          : undefined,
      }),
    },
    language,
    messages: (await loadMessages(locale)).site,
    profile: { site, structure } as unknown as PageContext["profile"],
    siteSpaces,
    siteSpace,
    // The shapes of all icons are larger than the rest of the console.
    renderIcon: () => undefined,
    isExport: false,
    isPublic: true,
    toLocalUrl: () => NOWHERE,
    toSiteUrl: () => NOWHERE,
    url: { origin: location.origin },
    resolved: {},
  };
  const tree = pages as unknown as readonly PublishedTreePage[];
  const trail = page ? findPageTrail(tree, page.id) : [];
  const drawn = document ? await drawDocument(document, place, pages) : undefined;
  // The pages before and after this one, in the order of the readers.
  const sheets: PublishedTreePage[] = [];
  const collectSheets = (inner: readonly PublishedTreePage[]): void => {
    for (const one of inner) {
      if (one.kind === "sheet") sheets.push(one);
      collectSheets(one.pages);
    }
  };
  collectSheets(tree);
  const at = sheets.findIndex(({ id }) => id === page?.id);
  const [previous, next] = (at < 0 ? [] : [sheets[at - 1], sheets[at + 1]]).map(
    (one) => one && { title: one.title, urls: { published: NOWHERE } },
  );
  const main = page
    ? renderArticle(
        {
          ...page,
          updatedAt: site.createdAt,
          urls: { published: NOWHERE },
          ...omitUndefined({ editURL: look.git.showEditLink ? NOWHERE : undefined, previous, next }),
        } as never,
        { trail, references: { resolveFile: () => undefined }, body: html`${drawn?.body}${drawn?.notes}` },
        drawing,
      )
    : html``;
  const outline = document ? buildOutline((document as unknown as { nodes: never[] }).nodes, () => undefined) : [];
  return renderBody(drawing, { tree: addPageUrls(tree), trail, outline, main }, look.title ?? site.title);
}

/** Adds a URL to each page, because the pages of a space have no published one. */
function addPageUrls(tree: readonly PublishedTreePage[]): readonly PublishedTreePage[] {
  return tree.map(
    (page) => ({ ...page, urls: { published: NOWHERE }, pages: addPageUrls(page.pages) }) as PublishedTreePage,
  );
}

/** Returns the classes and rules of an appearance, shown in the given theme. */
export function getFrameAppearance(look: SiteLook, theme: "light" | "dark" | "as-set"): FrameAppearance {
  const themes = theme === "as-set" ? look.themes : { ...look.themes, followsDevice: false, default: theme };
  const { locale, language = locale } = look.internationalization;
  return {
    classes: getThemeClasses({ ...look, themes }),
    language,
    direction: getTextDirection(language),
    rules: renderTheme(look),
  };
}
