// Writes a new table of contents. Entries that were there before keep their words, so that what people wrote in them,
// such as another title for the navigation, stays.

import type { Steps } from "../markdown/steps";
import { escapeHeadingText } from "../page-source/title";
import type { Chapter } from "./book";
import { type Contents, keyOf } from "./chapters";
import type { Layout } from "./config";
import { BROKEN } from "./page-text";
import { encodedPath, folderOf, isUrl, joined, outsideRef, relativePath, splitHref } from "./paths";
import { type Entry, linkText } from "./summary";

/** Whether chapters say the same as earlier ones, except for how they are spelled; a title counts where one was
 * given. */
export function sameChapters(a: readonly Chapter[], b: readonly Chapter[], isTitled: boolean): boolean {
  return a.length === b.length && a.every((chapter, i) => sameChapter(chapter, b[i]!, isTitled));
}

function sameChapter(a: Chapter, b: Chapter, isTitled: boolean): boolean {
  if (a.kind !== b.kind || (a.kind === "page" ? a.path : keyOf(a)) !== (b.kind === "page" ? b.path : keyOf(b)))
    return false;
  if (
    a.kind === "page" &&
    b.kind === "page" &&
    (a.draft !== b.draft || (isTitled && a.title !== undefined && a.title !== b.title))
  )
    return false;
  if (a.kind === "group" && b.kind === "group" && a.slug !== b.slug) return false;
  return "chapters" in a && "chapters" in b ? sameChapters(a.chapters, b.chapters, isTitled) : true;
}

/** Writes a table of contents, step by step. */
export function writtenSummary(
  chapters: readonly Chapter[],
  layout: Layout,
  before: Contents | undefined,
): Steps<string> {
  return new Writer(layout, before).write(chapters);
}

class Writer {
  readonly #lines: string[] = [];

  constructor(
    readonly layout: Layout,
    readonly before: Contents | undefined,
  ) {}

  *write(chapters: readonly Chapter[]): Steps<string> {
    const { summary } = this.before ?? {};
    const heading = this.layout.flavour === "mdbook" ? "# Summary" : "# Table of contents";
    this.#lines.push(summary?.heading ?? heading, "");
    const { first, last } = this.#plainEnds(chapters);
    for (const [i, chapter] of chapters.entries()) {
      const isPlain = i < first || i >= last;
      const follows = chapters[i - 1]?.kind;
      if (chapter.kind === "group") yield* this.#group(chapter);
      // What follows a group without belonging to it comes after a rule. A chapter without a bullet needs none.
      else if (!isPlain)
        yield* this.#bullets(chapter, follows === "group" ? ["", "---", ""] : i === first && i > 0 ? [""] : []);
      else if (chapter.kind !== "computed") this.#lines.push(...(i === last ? [""] : []), this.#words(chapter));
    }
    while (this.#lines.at(-1) === "") this.#lines.pop();
    const newline = summary?.newline ?? "\n";
    return `${this.#lines.join(newline)}${newline}`;
  }

  *#group(group: Extract<Chapter, { kind: "group" }>): Steps<void> {
    this.#lines.push(...(this.#lines.at(-1) === "" ? [] : [""]), this.#heading(group), "");
    for (const inside of group.chapters) yield* this.#bullet(inside, "");
  }

  *#bullets(chapter: Chapter, before: readonly string[]): Steps<void> {
    this.#lines.push(...(this.#lines.at(-1) === "" && before[0] === "" ? before.slice(1) : before));
    yield* this.#bullet(chapter, "");
  }

  #heading(chapter: Extract<Chapter, { kind: "group" }>): string {
    const known = this.#entry(chapter);
    if (known && known.slug === chapter.slug) return known.written;
    const hashes = this.layout.flavour === "mdbook" ? "#" : "##";
    const anchor = chapter.slug === undefined ? "" : ` <a href="#${chapter.slug}" id="${chapter.slug}"></a>`;
    return `${hashes} ${escapeHeadingText(chapter.title)}${anchor}`;
  }

  #entry(chapter: Chapter): Entry | undefined {
    return this.before?.written.get(keyOf(chapter));
  }

  /** Chapters of mdBook without a number stand before all others or behind them: how many of either there are. */
  #plainEnds(chapters: readonly Chapter[]): { readonly first: number; readonly last: number } {
    const isNumbered = (chapter: Chapter) => this.#entry(chapter)?.isPlain !== true || hasBelow(chapter);
    if (this.layout.flavour !== "mdbook") return { first: 0, last: chapters.length };
    const first = chapters.findIndex(isNumbered);
    return { first: first < 0 ? chapters.length : first, last: chapters.findLastIndex(isNumbered) + 1 };
  }

  *#bullet(chapter: Chapter, indentation: string): Steps<void> {
    if (chapter.kind === "computed") {
      const yaml = chapter.yaml.replace(/(?<!\n)\n+$/, "");
      const title = chapter.title === undefined ? [] : [`title: ${JSON.stringify(chapter.title)}`];
      // A line of the definition must not close it.
      const fence = yaml.match(/(?<!`)`{3,}/g)?.reduce((a, b) => (b.length >= a.length ? `${b}\`` : a), "") ?? "```";
      const lines = [...title, ...yaml.split("\n"), fence].map((line) => `${indentation}  ${line}`);
      this.#lines.push(`${indentation}* ${fence}yaml`, ...lines);
      return;
    }
    this.#lines.push(`${indentation}* ${this.#words(chapter)}`);
    yield;
    if ("chapters" in chapter) for (const inside of chapter.chapters) yield* this.#bullet(inside, `${indentation}  `);
  }

  #words(chapter: Exclude<Chapter, { kind: "computed" }>): string {
    const known = this.#entry(chapter);
    if (known && known.title === (chapter.title ?? "") && isDraft(chapter) === (known.kind === "draft"))
      return known.written;
    const title = linkText(chapter.title ?? "");
    if (chapter.kind === "page") return `[${title}](${isDraft(chapter) ? "" : this.#address(chapter.path)})`;
    return chapter.kind === "link" ? `[${title}](${this.#href(chapter.href)})` : title;
  }

  #href(href: string): string {
    if (isUrl(href) || outsideRef(href) || href === BROKEN) return /[\s()<>]/.test(href) ? `<${href}>` : href;
    const { path } = splitHref(href);
    const hash = href.indexOf("#");
    return this.#address(path) + (hash < 0 ? "" : href.slice(hash));
  }

  #address(path: string): string {
    const folder = folderOf(this.layout.summary);
    return encodedPath(relativePath(joined(folder, "SUMMARY.md"), path));
  }
}

function isDraft(chapter: Chapter): boolean {
  return chapter.kind === "page" && chapter.draft === true;
}

function hasBelow(chapter: Chapter): boolean {
  return "chapters" in chapter && chapter.chapters.length > 0;
}
