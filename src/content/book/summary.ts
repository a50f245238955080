// A table of contents as it is written: headings, bullets nested by their indentation, links. It is read line by line, in
// linear time; what makes no sense as an entry is passed over.

import type { Inline } from "../markdown/nodes";
import { parse } from "../markdown/parse";
import { runStepsSync, type Steps } from "../markdown/steps";
import { findFrontMatter, skipByteOrderMark } from "../page-source/find-front-matter";
import { getInlineText } from "../page-source/title";
import { MAX_PAGE_DEPTH } from "../revision/view";
import type { Flavour } from "./settings";

/** An entry of a table of contents, as it is written. */
export interface Entry {
  readonly kind: "group" | "link" | "draft" | "computed";
  readonly title: string;
  /** Where a link leads, as it is written. */
  readonly href: string;
  /** The slug that a heading states. */
  readonly slug?: string | undefined;
  /** The YAML of what is computed. */
  readonly yaml?: string | undefined;
  /** The words of the entry as they are written, without the bullet. */
  readonly written: string;
  /** Whether it has no bullet, as the chapters of mdBook that have no number. */
  readonly isPlain: boolean;
  readonly entries: Entry[];
}

/** A table of contents that was read. */
export interface Summary {
  /** Its own heading, as it is written; undefined when it has none. */
  readonly heading: string | undefined;
  readonly entries: Entry[];
  /** What ends its lines. */
  readonly newline: string;
}

/** A line that is longer is no entry. */
const MAX_LINE = 8192;

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const BULLET = /^([ \t]*)(?:[*+-]|\d{1,9}[.)])(?:[ \t](.*))?$/s;
const FENCE = /^(`{3,}|~{3,})/;
/** Where a link leads that an entry names by a label. */
const DEFINITION = /^ {0,3}\[([^[\]]{1,200})\]:[ \t]*(\S{1,2048})/;

/** Reads a table of contents. */
export function readSummary(text: string, flavour: Flavour): Summary {
  return runStepsSync(readSummaryInSteps(text, flavour));
}

/** The same, with turns for others. */
export function readSummaryInSteps(text: string, flavour: Flavour): Steps<Summary> {
  return new Reader(text, flavour).read();
}

/** Lines that are read before others may have their turn. */
const LINES_A_TURN = 50;

class Reader {
  readonly #lines: string[];
  readonly #labels = new Map<string, string>();
  readonly #entries: Entry[] = [];
  /** What entries at the left edge are put into: that of a group, once there is one. */
  #top: Entry[] = this.#entries;
  #open: { readonly indent: number; readonly entries: Entry[] }[] = [];
  #heading: string | undefined;
  #at = 0;

  constructor(
    text: string,
    readonly flavour: Flavour,
  ) {
    this.newline = text.includes("\r\n") ? "\r\n" : "\n";
    this.#lines = text.slice(findFrontMatter(text)?.after ?? skipByteOrderMark(text)).split(/\r?\n/);
    for (const line of this.#lines) {
      const [, label, href] = DEFINITION.exec(line) ?? [];
      if (label !== undefined && !this.#labels.has(nameOf(label))) this.#labels.set(nameOf(label), href!);
    }
  }

  readonly newline: string;

  *read(): Steps<Summary> {
    for (; this.#at < this.#lines.length; this.#at++) {
      this.#line(this.#lines[this.#at]!);
      if (this.#at % LINES_A_TURN === 0) yield;
    }
    return { heading: this.#heading, entries: this.#entries, newline: this.newline };
  }

  #line(line: string): void {
    if (line.length > MAX_LINE || DEFINITION.test(line)) return;
    const heading = HEADING.exec(line);
    const bullet = BULLET.exec(line);
    if (line.trimStart().startsWith("<!--")) this.#skipTo((it) => it.includes("-->"));
    else if (FENCE.test(line.trimStart())) this.#skipFence(line.trimStart());
    else if (heading) this.#head(heading[1]!.length, headingWords(line.slice(heading[0].length)), line);
    else if (RULE.test(line)) this.#leaveGroup();
    else if (bullet) this.#bullet(widthOf(bullet[1]!), (bullet[2] ?? "").trimStart());
    else if (isUnderline(this.#lines[this.#at + 1]) && line.trim() !== "") this.#underlined(line);
    else if (this.flavour === "mdbook" && line.startsWith("[")) this.#chapter(line);
  }

  #skipTo(isLast: (line: string) => boolean): void {
    while (this.#at < this.#lines.length && !isLast(this.#lines[this.#at]!)) this.#at++;
  }

  #skipFence(line: string): void {
    const [fence] = FENCE.exec(line)!;
    this.#at++;
    this.#skipTo((it) => it.trimStart().startsWith(fence));
  }

  /** A heading of the first level is the title, except for mdBook, where those that follow begin parts. */
  #head(depth: number, words: string, line: string): void {
    const isTitle =
      depth === 1 && (this.flavour !== "mdbook" || (this.#heading === undefined && isEmpty(this.#entries)));
    if (isTitle) this.#heading ??= line.trim();
    else this.#openGroup(words, line.trim());
  }

  #underlined(line: string): void {
    this.#at++;
    const depth = this.#lines[this.#at]!.includes("=") ? 1 : 2;
    this.#head(depth, line.trim(), `${"#".repeat(depth)} ${line.trim()}`);
  }

  #openGroup(words: string, written: string): void {
    const anchor = /<a\b[^<>]*\bid\s*=\s*["']([^"'\n]+)["']/i.exec(words)?.[1];
    const title = inlinesOf(words).map(getInlineText).join("").trim();
    if (title === "") {
      this.#leaveGroup();
      return;
    }
    const group: Entry = { kind: "group", title, href: "", slug: anchor, written, isPlain: false, entries: [] };
    this.#entries.push(group);
    this.#top = group.entries;
    this.#open = [];
  }

  #leaveGroup(): void {
    this.#top = this.#entries;
    this.#open = [];
  }

  #bullet(indent: number, words: string): void {
    while (this.#open.length > 0 && indent < this.#open.at(-1)!.indent + 2) this.#open.pop();
    // A group and what is in it are pages inside each other, too.
    while (this.#open.length > MAX_PAGE_DEPTH - 2) this.#open.pop();
    const entry = FENCE.test(words) ? this.#computed(words) : this.#entry(words, false);
    if (!entry) return;
    (this.#open.at(-1)?.entries ?? this.#top).push(entry);
    this.#open.push({ indent, entries: entry.entries });
  }

  /** A chapter of mdBook without a number stands at the top, outside of parts. */
  #chapter(line: string): void {
    const entry = this.#entry(line, true);
    if (!entry) return;
    this.#leaveGroup();
    this.#entries.push(entry);
  }

  /** An entry whose link may be named by a label. */
  #entry(words: string, isPlain: boolean): Entry | undefined {
    if (this.#labels.size === 0) return entryOf(words, isPlain);
    const labels = [...words.matchAll(/\[([^[\]]{1,200})\]/g)].map(([, label = ""]) => label);
    const known = labels.flatMap((label) => {
      const href = this.#labels.get(nameOf(label));
      return href === undefined ? [] : [`[${label}]: ${href}`];
    });
    const entry = entryOf(words, isPlain, known.length === 0 ? "" : `\n\n${known.join("\n")}\n`);
    const isNamed = entry?.kind === "link" && known.length > 0;
    // The labels are not written again, so the words lead there themselves.
    return isNamed ? { ...entry, written: `[${linkText(entry.title)}](${entry.href})` } : entry;
  }

  #computed(words: string): Entry {
    const from = this.#at + 1;
    this.#skipFence(words);
    const lines = this.#lines.slice(from, this.#at);
    const indent = lines.reduce((least, it) => (it.trim() === "" ? least : Math.min(least, indentOf(it))), MAX_LINE);
    const plain = lines.map((it) => it.slice(indent));
    const named = plain.findIndex((it) => it.startsWith("title:"));
    const yaml = plain.flatMap((it, i) => (i === named ? [] : [`${it}\n`])).join("");
    const title = named < 0 ? "" : titleIn(plain[named]!.slice("title:".length).trim());
    return { kind: "computed", title, href: "", yaml, written: "", isPlain: false, entries: [] };
  }
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The title that a computed page states: as JSON, which is YAML as well, or as it stands. */
function titleIn(value: string): string {
  try {
    const title: unknown = JSON.parse(value);
    return typeof title === "string" ? title : value;
  } catch {
    return value;
  }
}

function isEmpty(entries: readonly Entry[]): boolean {
  return entries.length === 0;
}

/** What a heading says, without the hashes that may close it. */
function headingWords(rest: string): string {
  const words = rest.trim();
  let end = words.length;
  while (words[end - 1] === "#") end--;
  return end === 0 || /\s/.test(words[end - 1]!) ? words.slice(0, end).trim() : words;
}

function isUnderline(line: string | undefined): boolean {
  return line !== undefined && /^ {0,3}(?:=+|-{2,})[ \t]*$/.test(line);
}

function widthOf(indentation: string): number {
  let width = 0;
  for (const it of indentation) width = it === "\t" ? width + 4 - (width % 4) : width + 1;
  return width;
}

/** A label, as labels are compared. */
function nameOf(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Words of one line; as a heading they are nothing else, whatever they begin with. `labels` define links in them. */
function inlinesOf(words: string, labels = ""): readonly Inline[] {
  const [heading] = parse(`# ${words}${labels}`).children;
  return heading?.type === "heading" ? heading.children : [];
}

/** A title between brackets, so that it reads as the same words. */
export function linkText(title: string): string {
  const words = title.replace(/\s+/g, " ").trim();
  const ways = [/[\\`*_[\]<>~$&]/g, /[!-/:-@[-`{-~]/g].map((syntax) => words.replace(syntax, "\\$&"));
  return ways.find((way) => entryOf(`[${way}](x)`, false)?.title === words) ?? ways.at(-1)!;
}

/** A path with spaces is not a link in Markdown, but people write it and other programs read it. */
const LOOSE = /^\[([^\]]*)\]\(([^()<>]*)\)/;

function entryOf(words: string, isPlain: boolean, labels = ""): Entry | undefined {
  const inlines = inlinesOf(words, labels);
  const written = words.trim();
  const link = linkIn(inlines);
  if (link) {
    const title = link.children.map(getInlineText).join("").trim();
    return { kind: link.url === "" ? "draft" : "link", title, href: link.url, written, isPlain, entries: [] };
  }
  const [, title = "", href = ""] = LOOSE.exec(written) ?? [];
  if (href !== "") return { kind: "link", title: title.trim(), href: href.trim(), written, isPlain, entries: [] };
  const said = inlines.map(getInlineText).join("").trim();
  return said === "" ? undefined : { kind: "draft", title: said, href: "", written, isPlain, entries: [] };
}

function linkIn(inlines: readonly Inline[]): Extract<Inline, { type: "link" }> | undefined {
  for (const inline of inlines) {
    if (inline.type === "link") return inline;
    const inside = "children" in inline ? linkIn(inline.children) : undefined;
    if (inside) return inside;
  }
  return undefined;
}
