// The parser of tables of contents: headings, bullets nested by their indentation, and links. It reads line by line, in linear
// time. Lines that make no sense as an entry are skipped.

import type { Steps } from "../../utils/concurrency/steps";
import { tryParseJson } from "../../utils/json";
import type { InlineNode } from "../markdown/nodes";
import { parseMarkdown } from "../markdown/parse";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import { getInlineText } from "../page-source/title";
import { MAX_PAGE_DEPTH } from "../revision/view";
import type { BookFlavor } from "./settings";

export interface SummaryFile {
  /** The heading of the file, as it is written. Undefined if there is none. */
  readonly heading: string | undefined;
  readonly entries: SummaryEntry[];
  /** The line ending. */
  readonly newline: string;
}

export interface SummaryEntry {
  readonly kind: "group" | "link" | "draft" | "computed";
  readonly title: string;
  /** The target of a link, as it is written. */
  readonly href: string;
  /** The slug that a heading states. */
  readonly slug?: string | undefined;
  /** The definition of a computed entry. */
  readonly yaml?: string | undefined;
  /** The text of the entry as it is written, without the bullet. */
  readonly source: string;
  /** The entry has no bullet: it is a chapter of mdBook without a number. */
  readonly isUnnumbered: boolean;
  readonly entries: SummaryEntry[];
}

/** A longer line is no entry. */
const MAX_LINE_LENGTH = 8192;
/** The number of lines between two yields to the event loop. */
const LINES_PER_YIELD = 50;

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})[ \t]*$/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const BULLET = /^([ \t]*)(?:[*+-]|\d{1,9}[.)])(?:[ \t](.*))?$/s;
const FENCE = /^(`{3,}|~{3,})/;
/** The target of links that name it by a label. */
const DEFINITION = /^ {0,3}\[([^[\]]{1,200})\]:[ \t]*(\S{1,2048})/;
/** A path with spaces is not a link in Markdown, but people write it and other programs read it. */
const LOOSE_LINK = /^\[([^\]]*)\]\(([^()<>]*)\)/;

export function parseSummaryInSteps(text: string, flavor: BookFlavor): Steps<SummaryFile> {
  return new SummaryParser(text, flavor).parseInSteps();
}

class SummaryParser {
  readonly newline: string;
  readonly #lines: string[];
  /** The index of the current line. */
  #position = 0;
  readonly #labels = new Map<string, string>();
  #heading: string | undefined;
  readonly #entries: SummaryEntry[] = [];
  /** The list that entries at the left edge belong to: that of the current group, if there is one. */
  #topEntries: SummaryEntry[] = this.#entries;
  /** The bullets that a deeper one may belong to, from the outermost to the innermost. */
  #openBullets: { readonly indent: number; readonly entries: SummaryEntry[] }[] = [];

  constructor(
    text: string,
    readonly flavor: BookFlavor,
  ) {
    this.newline = text.includes("\r\n") ? "\r\n" : "\n";
    this.#lines = text.slice(findFrontMatter(text)?.after ?? skipByteOrderMark(text)).split(/\r?\n/);
    for (const line of this.#lines) {
      const [, label, href] = DEFINITION.exec(line) ?? [];
      if (label === undefined) continue;
      const name = normalizeLinkLabel(label);
      if (!this.#labels.has(name)) this.#labels.set(name, href!);
    }
  }

  *parseInSteps(): Steps<SummaryFile> {
    for (; this.#position < this.#lines.length; this.#position++) {
      this.#parseLine(this.#lines[this.#position]!);
      if (this.#position % LINES_PER_YIELD === 0) yield;
    }
    return { heading: this.#heading, entries: this.#entries, newline: this.newline };
  }

  #parseLine(line: string): void {
    if (line.length > MAX_LINE_LENGTH || DEFINITION.test(line)) return;
    const trimmed = line.trimStart();
    const heading = HEADING.exec(line);
    const bullet = BULLET.exec(line);
    if (trimmed.startsWith("<!--")) this.#skipTo((it) => it.includes("-->"));
    else if (FENCE.test(trimmed)) this.#skipFence(trimmed);
    else if (heading) {
      // Hashes may close the heading.
      const words = line.slice(heading[0].length).trim();
      this.#addHeading(heading[1]!.length, words.replace(/(?:^|\s)#+$/, "").trim(), line);
    } else if (RULE.test(line)) this.#leaveGroup();
    else if (bullet) this.#addBullet(bullet[1]!, (bullet[2] ?? "").trimStart());
    else if (UNDERLINE.test(this.#lines[this.#position + 1] ?? "") && line.trim() !== "") {
      this.#position++;
      const depth = this.#lines[this.#position]!.includes("=") ? 1 : 2;
      this.#addHeading(depth, line.trim(), `${"#".repeat(depth)} ${line.trim()}`);
    } else if (this.flavor === "mdbook" && line.startsWith("[")) this.#addUnnumberedChapter(line);
  }

  #skipTo(isLast: (line: string) => boolean): void {
    while (this.#position < this.#lines.length && !isLast(this.#lines[this.#position]!)) this.#position++;
  }

  #skipFence(line: string): void {
    const [fence] = FENCE.exec(line)!;
    this.#position++;
    this.#skipTo((it) => it.trimStart().startsWith(fence));
  }

  /** Adds a group, or sets the title: a heading of the first level. In mdBook, only the first of these is the title. */
  #addHeading(depth: number, words: string, line: string): void {
    const canBeTitle = this.flavor !== "mdbook" || (this.#heading === undefined && this.#entries.length === 0);
    if (depth === 1 && canBeTitle) {
      this.#heading ??= line.trim();
      return;
    }

    const slug = /<a\b[^<>]*\bid\s*=\s*["']([^"'\n]+)["']/i.exec(words)?.[1];
    const title = parseHeadingInlines(words).map(getInlineText).join("").trim();
    this.#leaveGroup();
    if (title === "") return;
    const source = line.trim();
    const group: SummaryEntry = { kind: "group", title, href: "", slug, source, isUnnumbered: false, entries: [] };
    this.#entries.push(group);
    this.#topEntries = group.entries;
  }

  #leaveGroup(): void {
    this.#topEntries = this.#entries;
    this.#openBullets = [];
  }

  #addBullet(indentation: string, words: string): void {
    let indent = 0;
    for (const character of indentation) indent = character === "\t" ? indent + 4 - (indent % 4) : indent + 1;
    while (this.#openBullets.length > 0 && indent < this.#openBullets.at(-1)!.indent + 2) this.#openBullets.pop();
    // The group that an entry is in counts as a level, too.
    while (this.#openBullets.length > MAX_PAGE_DEPTH - 2) this.#openBullets.pop();
    const entry = FENCE.test(words) ? this.#parseComputed(words) : this.#parseLabeledEntry(words, false);
    if (!entry) return;
    (this.#openBullets.at(-1)?.entries ?? this.#topEntries).push(entry);
    this.#openBullets.push({ indent, entries: entry.entries });
  }

  /** Adds a chapter of mdBook without a number. It is at the top level, outside of parts. */
  #addUnnumberedChapter(line: string): void {
    const entry = this.#parseLabeledEntry(line, true);
    if (!entry) return;
    this.#leaveGroup();
    this.#entries.push(entry);
  }

  /** Parses an entry whose link may name its target by a label. */
  #parseLabeledEntry(words: string, isUnnumbered: boolean): SummaryEntry | undefined {
    if (this.#labels.size === 0) return parseEntry(words, isUnnumbered);
    const definitions: string[] = [];
    for (const [, label = ""] of words.matchAll(/\[([^[\]]{1,200})\]/g)) {
      const href = this.#labels.get(normalizeLinkLabel(label));
      if (href !== undefined) definitions.push(`[${label}]: ${href}`);
    }
    if (definitions.length === 0) return parseEntry(words, isUnnumbered);
    const entry = parseEntry(words, isUnnumbered, `\n\n${definitions.join("\n")}\n`);
    // Definitions are not written again, so the entry has to name the target itself.
    return entry?.kind === "link" ? { ...entry, source: `[${escapeLinkText(entry.title)}](${entry.href})` } : entry;
  }

  #parseComputed(words: string): SummaryEntry {
    const start = this.#position + 1;
    this.#skipFence(words);
    const indented = this.#lines.slice(start, this.#position);
    const indent = indented.reduce(
      (least, line) => (line.trim() === "" ? least : Math.min(least, line.length - line.trimStart().length)),
      MAX_LINE_LENGTH,
    );
    const lines = indented.map((line) => line.slice(indent));

    const titleIndex = lines.findIndex((line) => line.startsWith("title:"));
    let title = titleIndex < 0 ? "" : lines[titleIndex]!.slice("title:".length).trim();
    // A title in quotes is JSON, which is YAML as well.
    const quoted = tryParseJson(title);
    if (typeof quoted === "string") title = quoted;

    const yamlLines = lines.filter((_, i) => i !== titleIndex);
    const yaml = yamlLines.map((line) => `${line}\n`).join("");
    return { kind: "computed", title, href: "", yaml, source: "", isUnnumbered: false, entries: [] };
  }
}

function normalizeLinkLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Escapes a title between brackets, so that it reads as the same words. */
export function escapeLinkText(title: string): string {
  const words = title.replace(/\s+/g, " ").trim();
  const candidates = [/[\\`*_[\]<>~$&]/g, /[!-/:-@[-`{-~]/g].map((syntax) => words.replace(syntax, "\\$&"));
  return candidates.find((it) => parseEntry(`[${it}](x)`, false)?.title === words) ?? candidates.at(-1)!;
}

/** Parses the words of an entry. Definitions of labels may follow them. Returns undefined if nothing is left. */
function parseEntry(words: string, isUnnumbered: boolean, definitions = ""): SummaryEntry | undefined {
  const source = words.trim();
  const rest = { source, isUnnumbered, entries: [] };
  const inlines = parseHeadingInlines(words, definitions);
  const link = findLink(inlines);
  if (link) {
    const title = link.children.map(getInlineText).join("").trim();
    return { kind: link.url === "" ? "draft" : "link", title, href: link.url, ...rest };
  }
  const [, looseTitle = "", looseHref = ""] = LOOSE_LINK.exec(source) ?? [];
  if (looseHref !== "") return { kind: "link", title: looseTitle.trim(), href: looseHref.trim(), ...rest };
  const title = inlines.map(getInlineText).join("").trim();
  return title === "" ? undefined : { kind: "draft", title, href: "", ...rest };
}

/** Parses words of one line, as a heading. So they are nothing else, whatever they begin with. */
function parseHeadingInlines(words: string, definitions = ""): readonly InlineNode[] {
  const [heading] = parseMarkdown(`# ${words}${definitions}`).children;
  return heading?.type === "heading" ? heading.children : [];
}

/** Returns the first link among inlines, or in them. */
function findLink(inlines: readonly InlineNode[]): Extract<InlineNode, { type: "link" }> | undefined {
  for (const inline of inlines) {
    if (inline.type === "link") return inline;
    const link = "children" in inline ? findLink(inline.children) : undefined;
    if (link) return link;
  }
  return undefined;
}
