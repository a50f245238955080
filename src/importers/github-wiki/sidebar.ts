// The sidebar of a wiki as chapters: its headings are groups, its lists are pages below each other.

import type { Chapter, PageChapter } from "../../content/book/book";
import type { Block, Inline, List } from "../../content/markdown/nodes";
import { parse } from "../../content/markdown/parse";

/** The page that an address of the sidebar means; undefined when it means none. */
export type FindPage = (href: string) => { readonly path: string; readonly title: string } | undefined;

/** Reads a sidebar. A page appears once; what leads elsewhere is left out. */
export function readSidebar(text: string, find: FindPage): Chapter[] {
  return new Sidebar(find).read(parse(text).children);
}

class Sidebar {
  readonly #taken = new Set<string>();

  constructor(readonly find: FindPage) {}

  read(blocks: readonly Block[]): Chapter[] {
    const chapters: Chapter[] = [];
    let into = chapters;
    for (const block of blocks) {
      if (block.type === "heading") {
        const [page] = this.#pages(block.children);
        const below: Chapter[] = [];
        if (page) chapters.push({ ...page, chapters: below });
        else chapters.push({ kind: "group", title: words(block.children) || "Pages", chapters: below });
        into = below;
      } else for (const chapter of this.#block(block, into === chapters)) into.push(chapter);
    }
    return chapters.filter((chapter) => chapter.kind !== "group" || chapter.chapters.length > 0);
  }

  #block(block: Block, isTop: boolean): Chapter[] {
    if (block.type === "list") return this.#list(block, isTop);
    if (block.type === "paragraph") return this.#pages(block.children);
    return block.type === "details" || block.type === "blockquote"
      ? block.children.flatMap((inner) => this.#block(inner, isTop))
      : [];
  }

  #list({ children }: List, isTop: boolean): Chapter[] {
    return children.flatMap((item): Chapter[] => {
      const line = item.children.find((block) => block.type === "paragraph" || block.type === "heading");
      const pages = line ? this.#pages(line.children) : [];
      const isGroup = isTop && pages.length === 0 && line !== undefined;
      const below = item.children.filter((block) => block !== line).flatMap((block) => this.#block(block, false));
      const [first, ...others] = pages;
      if (first) return [{ ...first, chapters: below }, ...others];
      return isGroup && below.length > 0 ? [{ kind: "group", title: words(line.children), chapters: below }] : below;
    });
  }

  /** The pages that inlines lead to, each once. */
  #pages(nodes: readonly Inline[]): PageChapter[] {
    return nodes.flatMap((node): PageChapter[] => {
      if (node.type !== "link") return "children" in node ? this.#pages(node.children) : [];
      const page = this.find(node.url);
      if (!page || this.#taken.has(page.path)) return [];
      this.#taken.add(page.path);
      return [{ kind: "page", path: page.path, title: words(node.children) || page.title, chapters: [] }];
    });
  }
}

function words(nodes: readonly Inline[]): string {
  return nodes
    .map((node) =>
      "children" in node ? words(node.children) : "value" in node && node.type !== "html" ? node.value : "",
    )
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
