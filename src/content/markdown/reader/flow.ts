// Converts HTML elements to blocks of the document. The content of a container is read as if it stood alone.

import type { Steps } from "../../../utils/concurrency/steps";
import { type Block, MAX_DOCUMENT_DEPTH, type Phrasing } from "../../document";
import { isSafeUrl } from "../../document/safe-url";
import type * as md from "../nodes";
import { decodeReferences } from "../parser/character-references";
import { getExplicitAnchor } from "./anchors";
import { type Element, findMediaUrl, isComponent, type Phrase, PLAIN } from "./elements";
import { getAlignment, readHtmlImages, readParagraphImages } from "./figures";
import { BLOCKS, getEquivalentTag, isContainer, MARKED, NEVER_SHOWN } from "./html-names";
import { readHtmlTable } from "./html-tables";
import { HOLE, isSpace } from "./html-tree";
import { isEmpty } from "./leaves";
import { createBlock, createVoidBlock, type HtmlBlocksReader, readCodeNode } from "./make-blocks";
import { toPlainText } from "./phrasing";
import type { Reading } from "./reading";

/** Blocks at this depth contain no further blocks, so that texts, links and notes still fit. */
export const MAX_BLOCK_DEPTH = MAX_DOCUMENT_DEPTH - 8;

/** Elements that show something even if they are empty. */
const SHOWN = new Set("img picture hr iframe video audio object embed input pre listing".split(" "));

/** Returns true for phrases that show nothing: comments, empty elements, and unpaired tags. */
export function isInvisible(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => {
    if (node.type !== "element") return isSpace(node);
    const { name, attributes, children, blocks } = node;
    if (NEVER_SHOWN.has(name)) return true;
    if (SHOWN.has(name) || blocks) return false;
    if (name === "a" ? getExplicitAnchor(attributes) !== undefined : attributes.id !== undefined) return false;
    return isKnownElement(node) && isInvisible(children);
  });
}

/** Returns true for a known element. A component without content can show anything: `<Widget />`. */
function isKnownElement({ name, opening, closing, children }: Element): boolean {
  if (isComponent(opening) && (opening.endsWith("/>") || closing !== "") && children.every(isSpace)) return false;
  const isInline = MARKED.has(name) || PLAIN.has(name) || name === "input";
  return isInline || BLOCKS.has(name) || NEVER_SHOWN.has(name) || isContainer(name, opening);
}

/** Returns true if every element among phrases is known. */
function isReadable(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => {
    if (node.type !== "element" || node.name === "pre" || NEVER_SHOWN.has(node.name)) return true;
    return isKnownElement(node) && isReadable(node.children);
  });
}

/** Reads HTML as blocks; undefined if something in it is unknown. */
export function* readHtmlFlow(
  reader: HtmlBlocksReader,
  nodes: readonly Phrase[],
  depth: number,
  isOfPage: boolean,
): Steps<Block[] | undefined> {
  if (!isReadable(nodes)) return undefined;
  const flow = new Flow(reader, isOfPage);
  const blocks = yield* flow.read(nodes, depth);
  return flow.isComplete ? blocks : undefined;
}

class Flow {
  /** False once something could not be read. */
  isComplete = true;

  constructor(
    readonly reader: HtmlBlocksReader,
    readonly isOfPage: boolean,
  ) {}

  *read(nodes: readonly Phrase[], depth: number): Steps<Block[]> {
    if (depth > MAX_BLOCK_DEPTH)
      return yield* this.#readParagraph([{ type: "text", value: toPlainText(nodes), start: 0, end: 0 }]);
    const blocks: Block[] = [];
    let run: Phrase[] = [];
    for (const node of nodes) {
      if (node.type === "element" && (BLOCKS.has(node.name) || isContainer(node.name, node.opening))) {
        blocks.push(...(yield* this.#readParagraph(run)));
        run = [];
        for (const block of yield* this.#readBlock(node, depth)) blocks.push(block);
        if (this.reader.reading.isStep()) yield;
      } else run.push(node);
    }
    blocks.push(...(yield* this.#readParagraph(run)));
    return blocks;
  }

  *#readParagraph(nodes: readonly Phrase[]): Steps<Block[]> {
    if (nodes.every(isSpace)) return [];
    const content = yield* this.reader.phrasing(nodes);
    return isEmpty(content) ? [] : [readParagraphImages(content) ?? createBlock("paragraph", {}, content)];
  }

  *#readBlock(element: Element, depth: number): Steps<Block[]> {
    const { name, children } = element;
    const { reading } = this.reader;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined)
      return [yield* this.reader.heading(Number(level), element, getAlignment(element), this.isOfPage)];
    switch (name) {
      case "#markdown":
        return yield* this.reader.readAll(element.blocks ?? [], depth);
      case "p": {
        const images = yield* this.#readImages(element);
        if (images) return [images];
        const align = getAlignment(element);
        const blocks = yield* this.read(children, depth);
        const [only] = blocks;
        return align && blocks.length === 1 && only?.type === "paragraph" ? [{ ...only, data: { align } }] : blocks;
      }
      case "ul":
      case "ol":
      case "menu":
      case "dir": {
        const list = yield* this.#readList(element, depth);
        return list.nodes?.length ? [list] : [];
      }
      case "dl": {
        const items = yield* this.#readTerms(children, depth);
        return items.length > 0 ? [createBlock("list-unordered", {}, items)] : [];
      }
      case "blockquote":
        return [createBlock("blockquote", {}, yield* this.read(children, depth + 1))];
      case "pre":
        return [yield* this.#readPre(element)];
      case "textarea":
      case "xmp":
        return [yield* this.#readVerbatim(element)];
      case "table": {
        const table = yield* reading.attempt(readHtmlTable(this.reader, [element], depth));
        if (!table) this.isComplete = false;
        return table ? [table] : [];
      }
      case "figure": {
        const images = yield* this.#readImages(element);
        return images ? [images] : yield* this.#readContainer(element, depth);
      }
      case "hr":
        return [createVoidBlock("divider", {})];
      case "details": {
        const summary = children.find((child) => child.type === "element" && child.name === "summary");
        const title = yield* this.reader.phrasing(summary?.type === "element" ? summary.children : []);
        const body = children.filter((child) => child !== summary);
        return [createExpandable(title, yield* this.read(body, depth + 2))];
      }
      case "iframe":
      case "video":
      case "audio":
      case "object":
      case "embed":
        return this.#readEmbed(element);
      case "listing":
        return [...(yield* this.#readParagraph(createListingHead(element))), ...(yield* this.read(children, depth))];
      default:
        return yield* this.#readContainer(element, depth);
    }
  }

  /** Reads `<pre><code class="language-x">` as code, without the tags of highlighters. */
  #readPre(pre: Element): Steps<Block> {
    const { reading } = this.reader;
    const code = pre.children.find((child): child is Element => child.type === "element" && child.name === "code");
    const raw = getRawText(reading, pre)
      .replace(/^[ \t]*<code[^>]*>\n?|^\n/i, "")
      .replace(/\n?(?:<\/code>\s*)?$/i, "");
    const classes = [code, pre].map((element) =>
      /(?:^|\s)lang(?:uage)?-([^\s,]{1,40})/.exec(element?.attributes.class ?? ""),
    );
    const lang = classes.find((match) => match)?.[1] ?? pre.attributes.lang ?? null;
    const title = pre.attributes.title ?? code?.attributes.title ?? pre.attributes["data-title"];
    const value = decodeReferences(raw.replace(/<br\s*\/?>/gi, "\n").replace(/<\/?[A-Za-z][^<>]*>/g, ""));
    return readCodeNode(reading, { type: "code", lang, meta: null, value, start: 0, end: 0 }, title ? { title } : {});
  }

  /** Reads `<textarea>` or `<xmp>`, whose content is shown verbatim, as code. */
  #readVerbatim(element: Element): Steps<Block> {
    const raw = getRawText(this.reader.reading, element).replace(/^\n|\n$/g, "");
    const value = element.name === "xmp" ? raw : decodeReferences(raw);
    return readCodeNode(this.reader.reading, { type: "code", lang: null, meta: null, value, start: 0, end: 0 }, {});
  }

  *#readContainer(element: Element, depth: number): Steps<Block[]> {
    const { name, attributes, children, start, end } = element;
    if (children.every(isSpace)) {
      // An empty container is only there for its id.
      const { id } = attributes;
      if (id === undefined) return [];
      const place = { start, end };
      return yield* this.#readParagraph([
        { type: "element", name: "a", attributes: { id }, children: [], opening: "", closing: "", ...place },
      ]);
    }
    const equivalent = getEquivalentTag(name, attributes);
    if (equivalent?.name !== "hint") return yield* this.read(children, depth);
    const nodes = yield* this.read(children, depth + 1);
    return nodes.length === 0 ? [] : [createBlock("hint", { style: equivalent.attributes.style as "info" }, nodes)];
  }

  #readImages(element: Element): Steps<Block | undefined> {
    const { reading, phrasing } = this.reader;
    return reading.attempt(readHtmlImages(reading, [element], phrasing));
  }

  *#readList({ name, attributes, children }: Element, depth: number): Steps<Block> {
    const items: Block[] = [];
    for (const child of children) {
      if (child.type !== "element" || child.name !== "li") {
        yield* this.#addToLastItem(items, child, depth);
        continue;
      }
      const box = child.children.find((part) => !isSpace(part));
      const isTask = box?.type === "element" && box.name === "input" && box.attributes.type === "checkbox";
      const inside = isTask ? child.children.filter((part) => part !== box) : child.children;
      const data = isTask ? { checked: "checked" in box.attributes } : {};
      items.push(createBlock("list-item", data, yield* this.read(inside, depth + 2)));
    }
    if (name === "ol") {
      const start = /^[0-9]{1,8}$/.test(attributes.start ?? "") ? Number(attributes.start) : 1;
      return createBlock("list-ordered", start === 1 ? {} : { start }, items);
    }
    const isTasks = items.some(({ data }) => data && "checked" in data);
    return createBlock(isTasks ? "list-tasks" : "list-unordered", {}, items);
  }

  /** Reads a description list: an item for each term, with its details. An element can wrap a group of them. */
  *#readTerms(nodes: readonly Phrase[], depth: number): Steps<Block[]> {
    const items: Block[] = [];
    for (const node of nodes) {
      if (node.type === "element" && node.name === "dt") {
        const bold = { ...node, name: "strong", attributes: {} };
        items.push(createBlock("list-item", {}, yield* this.read([bold], depth + 2)));
      } else if (
        node.type === "element" &&
        node.children.some((child) => child.type === "element" && (child.name === "dt" || child.name === "dd"))
      )
        for (const item of yield* this.#readTerms(node.children, depth)) items.push(item);
      else yield* this.#addToLastItem(items, node, depth);
    }
    return items;
  }

  /** Adds a node between items to the item before it, as browsers show misplaced nested lists. */
  *#addToLastItem(items: Block[], node: Phrase, depth: number): Steps<void> {
    if (isSpace(node)) return;
    const blocks = yield* this.read([node], depth + 2);
    const last = items.at(-1);
    if (last) last.nodes = [...(last.nodes ?? []), ...blocks];
    else if (blocks.length > 0) items.push(createBlock("list-item", {}, blocks));
  }

  /** Reads media: an embed if it is on another host, otherwise a file. */
  #readEmbed(element: Element): Block[] {
    const url = findMediaUrl(element);
    const as = url !== undefined && /^(?:https?:)?\/\//i.test(url) ? "embed" : "file";
    const title = element.attributes.title ?? "";
    const ref = url && isSafeUrl(url) ? this.reader.reading.addLink(url, as, title, element) : undefined;
    if (!ref) this.isComplete = false;
    if (!ref || !url) return [];
    return [as === "embed" ? createVoidBlock("embed", { url }) : createVoidBlock("file", { ref })];
  }
}

/** Creates the head of a listing: the name of its file, its number and its caption. */
function createListingHead({ attributes, start, end }: Element): Phrase[] {
  const { number, caption } = attributes;
  const file = attributes["file-name"];
  const title = [number ? `Listing ${number}` : "", caption ?? ""].filter((part) => part !== "").join(": ");
  const place = { start, end };
  const head: Phrase[] = [];
  if (file) head.push({ type: "inlineCode", value: file, ...place });
  if (file && title !== "") head.push({ type: "text", value: " – ", ...place });
  for (const [i, part] of title.split("`").entries())
    if (part !== "") head.push({ type: i % 2 === 1 ? "inlineCode" : "text", value: part, ...place });
  return head;
}

export function createExpandable(title: Phrasing[], body: Block[]): Block {
  return {
    ...createVoidBlock("expandable", {}),
    fragments: [
      { object: "fragment", type: "expandable-title", nodes: [createBlock("paragraph", {}, title)] },
      { object: "fragment", type: "expandable-body", nodes: body },
    ],
  };
}

/** Returns the verbatim content of an element, with the source of the Markdown blocks in it. */
function getRawText({ text }: Reading, { raw = "", children }: Element): string {
  const parts = raw.split(HOLE);
  if (parts.length === 1) return raw;
  const sources = collectBlocks(children).map(({ start, end }) => text.slice(start, end).replace(/\r\n?/g, "\n"));
  return parts.map((part, i) => (i === 0 ? part : (sources[i - 1] ?? "") + part)).join("");
}

function collectBlocks(nodes: readonly Phrase[]): md.BlockNode[] {
  return nodes.flatMap((node) =>
    node.type === "element" ? [...(node.blocks ?? []), ...collectBlocks(node.children)] : [],
  );
}
