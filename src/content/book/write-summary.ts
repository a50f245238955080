// Writes a new table of contents. Entries that were there before keep their words. So what people wrote in them, such as another
// title for the navigation, stays.

import type { Steps } from "../../utils/concurrency/steps";
import { escapeHeadingText } from "../page-source/title";
import type { Chapter, ComputedChapter, GroupChapter } from "./book";
import type { BookLayout } from "./layout";
import { BROKEN_HREF } from "./page-text";
import {
  encodeLinkPath,
  getParentFolder,
  getRelativePath,
  isUrl,
  joinPath,
  parseResourceHref,
  splitHref,
} from "./paths";
import { escapeLinkText, type SummaryEntry } from "./summary";
import { getChapterKey, type TableOfContents } from "./table-of-contents";

/** Returns whether chapters say the same, whatever their spelling. `comparesTitles` also compares given titles. */
export function hasSameChapters(a: readonly Chapter[], b: readonly Chapter[], comparesTitles: boolean): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i]!;
      if (one.kind === "page") {
        if (other.kind !== "page" || one.path !== other.path || one.isDraft !== other.isDraft) return false;
        if (comparesTitles && one.title !== undefined && one.title !== other.title) return false;
        return hasSameChapters(one.chapters, other.chapters, comparesTitles);
      }
      if (other.kind === "page" || getChapterKey(one) !== getChapterKey(other)) return false;
      if (one.kind !== "group" || other.kind !== "group") return one.kind === other.kind;
      return one.slug === other.slug && hasSameChapters(one.chapters, other.chapters, comparesTitles);
    })
  );
}

/** A chapter that is written with a bullet. */
interface Bullet {
  readonly chapter: Chapter;
  readonly indentation: string;
}

/** Lists chapters, each followed by those below it. */
function listBullets(chapters: readonly Chapter[], indentation = "", bullets: Bullet[] = []): Bullet[] {
  for (const chapter of chapters) {
    bullets.push({ chapter, indentation });
    if ("chapters" in chapter) listBullets(chapter.chapters, `${indentation}  `, bullets);
  }
  return bullets;
}

/** Writes a table of contents. `before` is the one that it replaces. */
export class SummaryWriter {
  readonly #lines: string[] = [];

  constructor(
    readonly layout: BookLayout,
    readonly before: Pick<TableOfContents, "summary" | "entries">,
  ) {}

  *writeInSteps(chapters: readonly Chapter[]): Steps<string> {
    const { summary } = this.before;
    const isMdBook = this.layout.flavor === "mdbook";
    this.#lines.push(summary?.heading ?? (isMdBook ? "# Summary" : "# Table of contents"), "");

    // In mdBook, chapters without a number come before all others or after them.
    let [numberedStart, numberedEnd] = [0, chapters.length];
    if (isMdBook) {
      const isNumbered = (chapter: Chapter) => {
        const hasChildren = "chapters" in chapter && chapter.chapters.length > 0;
        return hasChildren || this.#findEntry(chapter)?.isUnnumbered !== true;
      };
      numberedStart = chapters.findIndex(isNumbered);
      if (numberedStart < 0) numberedStart = chapters.length;
      numberedEnd = chapters.findLastIndex(isNumbered) + 1;
    }

    for (const [i, chapter] of chapters.entries()) {
      const isNumbered = i >= numberedStart && i < numberedEnd;
      let bullets: Bullet[] = [];
      if (chapter.kind === "group") {
        this.#writeHeading(chapter);
        bullets = listBullets(chapter.chapters);
      } else if (isNumbered) {
        // A rule ends the group before. A chapter without a bullet needs none, only an empty line.
        if (chapters[i - 1]?.kind === "group") this.#writeLines("", "---", "");
        else if (i === numberedStart && i > 0) this.#writeLines("");
        bullets = listBullets([chapter]);
      } else if (chapter.kind !== "computed") {
        if (i === numberedEnd) this.#lines.push("");
        this.#lines.push(this.#formatEntry(chapter));
      }
      for (const bullet of bullets) {
        this.#writeBullet(bullet);
        yield;
      }
    }
    while (this.#lines.at(-1) === "") this.#lines.pop();
    const newline = summary?.newline ?? "\n";
    return `${this.#lines.join(newline)}${newline}`;
  }

  /** Writes lines, the first of which is empty. It is left out after an empty line. */
  #writeLines(...lines: ["", ...string[]]): void {
    this.#lines.push(...(this.#lines.at(-1) === "" ? lines.slice(1) : lines));
  }

  #writeHeading(group: GroupChapter): void {
    const entry = this.#findEntry(group);
    let heading = entry?.source;
    if (!entry || entry.slug !== group.slug) {
      const hashes = this.layout.flavor === "mdbook" ? "#" : "##";
      const anchor = group.slug === undefined ? "" : ` <a href="#${group.slug}" id="${group.slug}"></a>`;
      heading = `${hashes} ${escapeHeadingText(group.title)}${anchor}`;
    }
    this.#writeLines("", heading!, "");
  }

  #writeBullet({ chapter, indentation }: Bullet): void {
    if (chapter.kind === "computed") {
      const yaml = chapter.yaml.replace(/(?<!\n)\n+$/, "");
      const title = chapter.title === undefined ? [] : [`title: ${JSON.stringify(chapter.title)}`];
      // A line of the definition must not close it.
      const fence = yaml.match(/(?<!`)`{3,}/g)?.reduce((a, b) => (b.length >= a.length ? `${b}\`` : a), "") ?? "```";
      const lines = [...title, ...yaml.split("\n"), fence].map((line) => `${indentation}  ${line}`);
      this.#lines.push(`${indentation}* ${fence}yaml`, ...lines);
      return;
    }
    this.#lines.push(`${indentation}* ${this.#formatEntry(chapter)}`);
  }

  /** Formats an entry without its bullet. An entry that still says the same keeps its words. */
  #formatEntry(chapter: Exclude<Chapter, ComputedChapter>): string {
    const isDraft = chapter.kind === "page" && chapter.isDraft === true;
    const entry = this.#findEntry(chapter);
    if (entry && entry.title === (chapter.title ?? "") && isDraft === (entry.kind === "draft")) return entry.source;

    const title = escapeLinkText(chapter.title ?? "");
    if (chapter.kind === "page") return `[${title}](${isDraft ? "" : this.#formatPath(chapter.path)})`;
    if (chapter.kind === "group") return title;
    const { href } = chapter;
    if (isUrl(href) || parseResourceHref(href) || href === BROKEN_HREF)
      return `[${title}](${/[\s()<>]/.test(href) ? `<${href}>` : href})`;
    const hash = href.indexOf("#");
    return `[${title}](${this.#formatPath(splitHref(href).path)}${hash < 0 ? "" : href.slice(hash)})`;
  }

  #formatPath(path: string): string {
    const folder = getParentFolder(this.layout.summary);
    return encodeLinkPath(getRelativePath(joinPath(folder, "SUMMARY.md"), path));
  }

  #findEntry(chapter: Chapter): SummaryEntry | undefined {
    return this.before.entries.get(getChapterKey(chapter));
  }
}
