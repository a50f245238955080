// Draws a page of a site with a look that is being edited, by the functions that the reader has. Nothing of it leads anywhere.

import type { Site, SiteSpace, SiteStructure } from "../../../../generated/resources";
import { getTextDirection } from "../../../../locales/languages";
import { articleOf, wayTo } from "../../../../site/article";
import { bodyOf } from "../../../../site/frame/body";
import type { TreeNode } from "../../../../site/frame/framed";
import { lookClasses, themeOf } from "../../../../site/frame/theme";
import { outlineOf } from "../../../../site/outline";
import type { Drawing } from "../../../../site/visit";
import { wordsOf } from "../../../../site/words";
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
  const drawing: Drawing = {
    look: shownLook(look),
    language: languageOf(look),
    words: wordsOf(look.internationalization.locale),
    profile: { site, structure } as unknown as Drawing["profile"],
    siteSpaces,
    siteSpace,
    // The shapes of all icons weigh more than the rest of the console.
    icon: () => undefined,
    isFile: false,
    isPublic: true,
    local: () => NOWHERE,
    own: () => NOWHERE,
    url: { origin: location.origin },
    found: {},
  };
  const tree = pages as unknown as readonly TreeNode[];
  const way = page ? wayTo(tree, page.id) : [];
  const drawn = document ? await drawDocument(document, place, pages) : undefined;
  const { previous, next } = neighbours(tree, page?.id);
  const main = page
    ? articleOf(
        {
          ...page,
          updatedAt: site.createdAt,
          urls: { published: NOWHERE },
          ...omitUndefined({ editURL: look.git.showEditLink ? NOWHERE : undefined, previous, next }),
        } as never,
        { way, references: { file: () => undefined }, body: html`${drawn?.body}${drawn?.notes}` },
        drawing,
      )
    : html``;
  const outline = document ? outlineOf((document as unknown as { nodes: never[] }).nodes, () => undefined) : [];
  return bodyOf(drawing, { tree: linked(tree), way, outline, main }, look.title ?? site.title);
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
function linked(tree: readonly TreeNode[]): readonly TreeNode[] {
  return tree.map((page) => ({ ...page, urls: { published: NOWHERE }, pages: linked(page.pages) }) as TreeNode);
}

function neighbours(tree: readonly TreeNode[], id: string | undefined) {
  const flat: TreeNode[] = [];
  const walk = (pages: readonly TreeNode[]): void => {
    for (const page of pages) {
      if (page.kind === "sheet") flat.push(page);
      walk(page.pages);
    }
  };
  walk(tree);
  const at = flat.findIndex((page) => page.id === id);
  const named = (page: TreeNode | undefined) => page && { title: page.title, urls: { published: NOWHERE } };
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
    classes: lookClasses({ ...look, themes }),
    language,
    direction: getTextDirection(language),
    rules: themeOf(look),
  };
}
