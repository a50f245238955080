// Reads the sidebar of a wiki as chapters: its headings are groups, and its lists are nested pages.

import type { Chapter, PageChapter } from "../../content/book/book";
import type { BlockNode, InlineNode, ListNode } from "../../content/markdown/nodes";
import { parseMarkdown } from "../../content/markdown/parse";

/** Returns the page that an href of the sidebar means, or undefined if it means none. */
export type FindPage = (href: string) => { readonly path: string; readonly title: string } | undefined;

/** Reads a sidebar. A page appears once. Links that lead elsewhere are left out. */
export function readSidebar(text: string, find: FindPage): Chapter[] {
  return new SidebarReader(find).read(parseMarkdown(text).children);
}

class SidebarReader {
  readonly #takenPaths = new Set<string>();

  constructor(readonly find: FindPage) {}

  read(blocks: readonly BlockNode[]): Chapter[] {
    const chapters: Chapter[] = [];
    let siblings = chapters;
    for (const block of blocks) {
      if (block.type === "heading") {
        const [page] = this.#readPages(block.children);
        const children: Chapter[] = [];
        if (page) chapters.push({ ...page, chapters: children });
        else chapters.push({ kind: "group", title: getInlinesText(block.children) || "Pages", chapters: children });
        siblings = children;
      } else for (const chapter of this.#readBlock(block, siblings === chapters)) siblings.push(chapter);
    }
    return chapters.filter((chapter) => chapter.kind !== "group" || chapter.chapters.length > 0);
  }

  #readBlock(block: BlockNode, isTop: boolean): Chapter[] {
    if (block.type === "list") return this.#readList(block, isTop);
    if (block.type === "paragraph") return this.#readPages(block.children);
    if (block.type !== "details" && block.type !== "blockquote") return [];
    return block.children.flatMap((child) => this.#readBlock(child, isTop));
  }

  #readList({ children }: ListNode, isTop: boolean): Chapter[] {
    return children.flatMap((item): Chapter[] => {
      const line = item.children.find((block) => block.type === "paragraph" || block.type === "heading");
      const [first, ...others] = line ? this.#readPages(line.children) : [];
      const chapters = item.children
        .filter((block) => block !== line)
        .flatMap((block) => this.#readBlock(block, false));
      if (first) return [{ ...first, chapters }, ...others];
      if (!isTop || !line || chapters.length === 0) return chapters;
      return [{ kind: "group", title: getInlinesText(line.children), chapters }];
    });
  }

  /** Returns the pages that inlines lead to, each once. */
  #readPages(nodes: readonly InlineNode[]): PageChapter[] {
    return nodes.flatMap((node): PageChapter[] => {
      if (node.type !== "link") return "children" in node ? this.#readPages(node.children) : [];
      const page = this.find(node.url);
      if (!page || this.#takenPaths.has(page.path)) return [];
      this.#takenPaths.add(page.path);
      const title = getInlinesText(node.children) || page.title;
      return [{ kind: "page", path: page.path, title, chapters: [] }];
    });
  }
}

/** Returns the words of inlines on one line. */
function getInlinesText(nodes: readonly InlineNode[]): string {
  return nodes
    .map((node) => {
      if ("children" in node) return getInlinesText(node.children);
      return "value" in node && node.type !== "html" ? node.value : "";
    })
    .join("")
    .replace(/\s+/g, " ")
    .trim();
}
