// Draws a page of a site with a look that is being edited, by the functions that the reader has. Nothing of it leads anywhere.

import type { Site, SiteSpace, SiteStructure } from "../../../../generated/resources";
import { getTextDirection } from "../../../../locales/languages";
import { getThemeClasses, renderTheme } from "../../../../site/appearance/theme";
import { renderBody } from "../../../../site/layout/body";
import type { PublishedTreePage } from "../../../../site/layout/layout-content";
import { getSiteMessages } from "../../../../site/messages";
import { findPageTrail, renderArticle } from "../../../../site/pages/article";
import { buildOutline } from "../../../../site/pages/outline";
import type { PageContext } from "../../../../site/request/request-context";
import { html, type Markup } from "../../../../utils/html";
import { omitUndefined } from "../../../../utils/objects";
import { drawDocument } from "../../preview/draw";
import type { Dress } from "../../preview/preview";
import type { Document, PageInTree, Place } from "../../space/place";
import type { Look } from "./settings";

/** What is shown: a page of one of the spaces on the site. */
export interface Subject {
  readonly site: Site;
  readonly structure: SiteStructure;
  readonly siteSpaces: readonly SiteSpace[];
  readonly siteSpace: SiteSpace;
  readonly place: Place;
  readonly pages: readonly PageInTree[];
  readonly page: PageInTree | undefined;
  readonly document: Document | undefined;
}

const NOWHERE = "#";

export async function drawLook(subject: Subject, look: Look): Promise<Markup> {
  const { site, structure, siteSpaces, siteSpace, place, pages, page, document } = subject;
  const drawing: PageContext = {
    customization: shownLook(look),
    language: languageOf(look),
    messages: getSiteMessages(look.internationalization.locale),
    profile: { site, structure } as unknown as PageContext["profile"],
    siteSpaces,
    siteSpace,
    // The shapes of all icons weigh more than the rest of the console.
    renderIcon: () => undefined,
    isExport: false,
    isPublic: true,
    toLocalUrl: () => NOWHERE,
    toSiteUrl: () => NOWHERE,
    url: { origin: location.origin },
    resolved: {},
  };
  const tree = pages as unknown as readonly PublishedTreePage[];
  const way = page ? findPageTrail(tree, page.id) : [];
  const drawn = document ? await drawDocument(document, place, pages) : undefined;
  const { previous, next } = neighbours(tree, page?.id);
  const main = page
    ? renderArticle(
        {
          ...page,
          updatedAt: site.createdAt,
          urls: { published: NOWHERE },
          ...omitUndefined({ editURL: look.git.showEditLink ? NOWHERE : undefined, previous, next }),
        } as never,
        { trail: way, references: { resolveFile: () => undefined }, body: html`${drawn?.body}${drawn?.notes}` },
        drawing,
      )
    : html``;
  const outline = document ? buildOutline((document as unknown as { nodes: never[] }).nodes, () => undefined) : [];
  return renderBody(drawing, { tree: linked(tree), trail: way, outline, main }, look.title ?? site.title);
}

/** Links of a look have addresses for visitors only. Here they all lead nowhere, and are seen. */
function shownLook(look: Look): Look {
  const led = <One extends { readonly to: unknown }>(link: One) => ({
    ...link,
    ...omitUndefined({ url: link.to === null ? undefined : NOWHERE }),
  });
  const { header, footer, announcement } = look;
  return {
    ...look,
    header: { ...header, links: header.links.map((link) => ({ ...led(link), links: link.links.map(led) })) },
    footer: { ...footer, groups: footer.groups.map((group) => ({ ...group, links: group.links.map(led) })) },
    ...omitUndefined({
      announcement: announcement
        ? { ...announcement, ...(announcement.link ? { link: led(announcement.link) } : {}) }
        : undefined,
    }),
  };
}

/** Pages of a space have no published address. */
function linked(tree: readonly PublishedTreePage[]): readonly PublishedTreePage[] {
  return tree.map(
    (page) => ({ ...page, urls: { published: NOWHERE }, pages: linked(page.pages) }) as PublishedTreePage,
  );
}

function neighbours(tree: readonly PublishedTreePage[], id: string | undefined) {
  const flat: PublishedTreePage[] = [];
  const walk = (pages: readonly PublishedTreePage[]): void => {
    for (const page of pages) {
      if (page.kind === "sheet") flat.push(page);
      walk(page.pages);
    }
  };
  walk(tree);
  const at = flat.findIndex((page) => page.id === id);
  const named = (page: PublishedTreePage | undefined) => page && { title: page.title, urls: { published: NOWHERE } };
  return at < 0 ? {} : { previous: named(flat[at - 1]), next: named(flat[at + 1]) };
}

export function languageOf({ internationalization: { locale, language = locale } }: Look): string {
  return language;
}

/** The classes and rules of a look. With a theme it is shown in that one. */
export function dressOf(look: Look, theme: "light" | "dark" | "as-set"): Dress {
  const themes = theme === "as-set" ? look.themes : { ...look.themes, followsDevice: false, default: theme };
  const language = languageOf(look);
  return {
    classes: getThemeClasses({ ...look, themes }),
    language,
    direction: getTextDirection(language),
    rules: renderTheme(look),
  };
}
