// Elements of HTML as blocks of the document. What an element only holds is read as if it stood alone.

import type { Steps } from "../../../utils/concurrency/steps";
import { type Block, MAX_DOCUMENT_DEPTH, type Phrasing } from "../../document";
import { isSafeUrl } from "../../document/safe-url";
import type * as md from "../nodes";
import { decodeReferences } from "../parser/references";
import { statedAnchor } from "./anchors";
import { type Element, findMediaUrl, isComponent, type Phrase, PLAIN } from "./elements";
import { alignOf, imagesInHtml, imagesInParagraph } from "./figures";
import { BLOCKS, isContainer, MARKED, NEVER_SHOWN, tagFor } from "./html-names";
import { htmlTable } from "./html-tables";
import { HOLE, isSpace } from "./html-tree";
import { isEmpty } from "./leaves";
import { block, codeBlock, type ReadsFlow, voidBlock } from "./make-blocks";
import { plainText } from "./phrasing";
import type { Reading } from "./reading";

/** Blocks at this depth hold no further blocks, so that texts, links and notes still fit. */
export const MAX_BLOCK_DEPTH = MAX_DOCUMENT_DEPTH - 8;

/** Elements that show something, although nothing stands inside them. */
const SHOWN = new Set("img picture hr iframe video audio object embed input pre listing".split(" "));

/** Whether phrases show nothing: comments, empty elements, and tags without the other half. */
export function saysNothing(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => {
    if (node.type !== "element") return isSpace(node);
    const { name, attributes, children, blocks } = node;
    if (NEVER_SHOWN.has(name)) return true;
    if (SHOWN.has(name) || blocks || isHollow(node)) return false;
    if (name === "a" ? statedAnchor(attributes) !== undefined : attributes.id !== undefined) return false;
    return isNamed(node) && saysNothing(children);
  });
}

/** Whether a component shows something of its own: `<Widget />` may be anything. */
function isHollow({ opening, closing, children }: Element): boolean {
  return isComponent(opening) && (opening.endsWith("/>") || closing !== "") && children.every(isSpace);
}

function isNamed({ name, opening }: Element): boolean {
  return MARKED.has(name) || PLAIN.has(name) || BLOCKS.has(name) || NEVER_SHOWN.has(name) || isContainer(name, opening);
}

/** Whether every element among phrases means something. */
function isReadable(nodes: readonly Phrase[]): boolean {
  return nodes.every((node) => {
    if (node.type !== "element" || node.name === "pre" || NEVER_SHOWN.has(node.name)) return true;
    return (isNamed(node) || node.name === "input") && !isHollow(node) && isReadable(node.children);
  });
}

/** The blocks that HTML is; undefined if something in it means nothing to us. */
export function* flowOf(
  reader: ReadsFlow,
  nodes: readonly Phrase[],
  depth: number,
  isOfPage: boolean,
): Steps<Block[] | undefined> {
  if (!isReadable(nodes)) return undefined;
  const flow = new Flow(reader, isOfPage);
  const blocks = yield* flow.read(nodes, depth);
  return flow.isWhole ? blocks : undefined;
}

class Flow {
  /** Whether everything was read. */
  isWhole = true;

  constructor(
    readonly reader: ReadsFlow,
    readonly isOfPage: boolean,
  ) {}

  *read(nodes: readonly Phrase[], depth: number): Steps<Block[]> {
    if (depth > MAX_BLOCK_DEPTH)
      return yield* this.#paragraph([{ type: "text", value: plainText(nodes), start: 0, end: 0 }]);
    const blocks: Block[] = [];
    let run: Phrase[] = [];
    for (const node of nodes) {
      if (node.type === "element" && (BLOCKS.has(node.name) || isContainer(node.name, node.opening))) {
        blocks.push(...(yield* this.#paragraph(run)));
        run = [];
        for (const block of yield* this.#block(node, depth)) blocks.push(block);
        if (this.reader.reading.isStep()) yield;
      } else run.push(node);
    }
    blocks.push(...(yield* this.#paragraph(run)));
    return blocks;
  }

  *#paragraph(nodes: readonly Phrase[]): Steps<Block[]> {
    if (nodes.every(isSpace)) return [];
    const said = yield* this.reader.phrasing(nodes);
    return isEmpty(said) ? [] : [imagesInParagraph(said) ?? block("paragraph", {}, said)];
  }

  *#block(element: Element, depth: number): Steps<Block[]> {
    const { name, children } = element;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) return [yield* this.reader.heading(Number(level), element, this.isOfPage)];
    switch (name) {
      case "#markdown":
        return yield* this.reader.readAll(element.blocks ?? [], depth);
      case "p":
        return yield* this.#aligned(element, depth);
      case "ul":
      case "ol":
      case "menu":
      case "dir":
        return listOf(yield* this.#list(element, depth));
      case "dl":
        return listOf(block("list-unordered", {}, yield* this.#terms(children, depth)));
      case "blockquote":
        return [block("blockquote", {}, yield* this.read(children, depth + 1))];
      case "pre":
        return [yield* codeOf(this.reader.reading, element)];
      case "textarea":
      case "xmp":
        return [yield* writtenCode(this.reader.reading, element)];
      case "table":
        return yield* this.#table(element, depth);
      case "figure":
        return yield* this.#figure(element, depth);
      case "hr":
        return [voidBlock("divider", {})];
      case "details":
        return [yield* this.#details(element, depth)];
      case "iframe":
      case "video":
      case "audio":
      case "object":
      case "embed":
        return this.#embed(element);
      case "listing":
        return [...(yield* this.#listing(element)), ...(yield* this.read(children, depth))];
      default:
        return yield* this.#container(element, depth);
    }
  }

  /** A container that holds nothing is there for its id. */
  *#anchor({ attributes: { id }, start, end }: Element): Steps<Block[]> {
    if (id === undefined) return [];
    const attributes = { id };
    return yield* this.#paragraph([
      { type: "element", name: "a", attributes, children: [], opening: "", closing: "", start, end },
    ]);
  }

  *#container(element: Element, depth: number): Steps<Block[]> {
    const meaning = tagFor(element.name, element.attributes);
    if (element.children.every(isSpace)) return yield* this.#anchor(element);
    if (meaning?.name !== "hint") return yield* this.read(element.children, depth);
    const nodes = yield* this.read(element.children, depth + 1);
    return nodes.length === 0 ? [] : [block("hint", { style: meaning.attributes.style as "info" }, nodes)];
  }

  *#aligned(element: Element, depth: number): Steps<Block[]> {
    const images = yield* this.#images(element);
    if (images) return [images];
    const align = alignOf(element);
    const blocks = yield* this.read(element.children, depth);
    const [only] = blocks;
    return align && blocks.length === 1 && only?.type === "paragraph" ? [{ ...only, data: { align } }] : blocks;
  }

  #images(element: Element): Steps<Block | undefined> {
    const { reading, phrasing } = this.reader;
    return reading.attempt(imagesInHtml(reading, [element], phrasing));
  }

  *#figure(element: Element, depth: number): Steps<Block[]> {
    const images = yield* this.#images(element);
    return images ? [images] : yield* this.#container(element, depth);
  }

  *#list({ name, attributes, children }: Element, depth: number): Steps<Block> {
    const items: Block[] = [];
    for (const child of children)
      if (child.type === "element" && child.name === "li") items.push(yield* this.#item(child, depth + 2));
      else yield* this.#intoLast(items, child, depth);
    if (name === "ol") {
      const start = /^[0-9]{1,8}$/.test(attributes.start ?? "") ? Number(attributes.start) : 1;
      return block("list-ordered", start === 1 ? {} : { start }, items);
    }
    const isTasks = items.some(({ data }) => data && "checked" in data);
    return block(isTasks ? "list-tasks" : "list-unordered", {}, items);
  }

  *#item(element: Element, depth: number): Steps<Block> {
    const box = element.children.find((child) => !isSpace(child));
    const isTask = box?.type === "element" && box.name === "input" && box.attributes.type === "checkbox";
    const inside = isTask ? element.children.filter((child) => child !== box) : element.children;
    const data = isTask ? { checked: "checked" in box.attributes } : {};
    return block("list-item", data, yield* this.read(inside, depth));
  }

  /** Terms and what they mean: an item for each term. A group of them may have an element around it. */
  *#terms(nodes: readonly Phrase[], depth: number): Steps<Block[]> {
    const items: Block[] = [];
    for (const node of nodes) {
      if (node.type === "element" && node.name === "dt") {
        const bold = { ...node, name: "strong", attributes: {} };
        items.push(block("list-item", {}, yield* this.read([bold], depth + 2)));
      } else if (node.type === "element" && node.children.some(isOfTerm))
        for (const item of yield* this.#terms(node.children, depth)) items.push(item);
      else yield* this.#intoLast(items, node, depth);
    }
    return items;
  }

  /** What stands between items belongs to the one before it, as nested lists often do. */
  *#intoLast(items: Block[], node: Phrase, depth: number): Steps<void> {
    if (isSpace(node)) return;
    const blocks = yield* this.read([node], depth + 2);
    const last = items.at(-1);
    if (last) last.nodes = [...(last.nodes ?? []), ...blocks];
    else if (blocks.length > 0) items.push(block("list-item", {}, blocks));
  }

  *#table(element: Element, depth: number): Steps<Block[]> {
    const { reading } = this.reader;
    const table = yield* reading.attempt(htmlTable(this.reader, [element], depth));
    if (table) return [table];
    this.isWhole = false;
    return [];
  }

  *#details({ children }: Element, depth: number): Steps<Block> {
    const summary = children.find((child) => child.type === "element" && child.name === "summary");
    const title = yield* this.reader.phrasing(summary?.type === "element" ? summary.children : []);
    const body = yield* this.read(
      children.filter((child) => child !== summary),
      depth + 2,
    );
    return expandable(title, body);
  }

  /** Something of another host is embedded; what belongs to the text is a file. */
  #embed(element: Element): Block[] {
    const url = findMediaUrl(element);
    const as = url !== undefined && /^(?:https?:)?\/\//i.test(url) ? "embed" : "file";
    const said = element.attributes.title ?? "";
    const ref = url && isSafeUrl(url) ? this.reader.reading.refTo(url, as, said, element) : undefined;
    if (!ref) this.isWhole = false;
    if (!ref || !url) return [];
    return [as === "embed" ? voidBlock("embed", { url }) : voidBlock("file", { ref })];
  }

  /** What a listing says of the code inside it: the name of its file, its number and its caption. */
  *#listing({ attributes, start, end }: Element): Steps<Block[]> {
    const { number, caption } = attributes;
    const file = attributes["file-name"];
    const title = [number ? `Listing ${number}` : "", caption ?? ""].filter((part) => part !== "").join(": ");
    const place = { start, end };
    const said: Phrase[] = [];
    if (file) said.push({ type: "inlineCode", value: file, ...place });
    if (file && title !== "") said.push({ type: "text", value: " – ", ...place });
    for (const [i, part] of title.split("`").entries())
      if (part !== "") said.push({ type: i % 2 === 1 ? "inlineCode" : "text", value: part, ...place });
    return yield* this.#paragraph(said);
  }
}

/** A list; none where there are no items. */
function listOf(list: Block): Block[] {
  return list.nodes?.length ? [list] : [];
}

function isOfTerm(node: Phrase): boolean {
  return node.type === "element" && (node.name === "dt" || node.name === "dd");
}

/** Something to expand. */
export function expandable(title: Phrasing[], body: Block[]): Block {
  return {
    ...voidBlock("expandable", {}),
    fragments: [
      { object: "fragment", type: "expandable-title", nodes: [block("paragraph", {}, title)] },
      { object: "fragment", type: "expandable-body", nodes: body },
    ],
  };
}

/** What stands inside `<pre>`. Markdown among it is as it is written. */
function rawText({ text }: Reading, { raw = "", children }: Element): string {
  const parts = raw.split(HOLE);
  if (parts.length === 1) return raw;
  const blocks = blocksIn(children);
  return parts.map((part, i) => (i === 0 ? part : sourceOf(text, blocks[i - 1]) + part)).join("");
}

function sourceOf(text: string, block: md.Block | undefined): string {
  return block ? text.slice(block.start, block.end).replace(/\r\n?/g, "\n") : "";
}

function blocksIn(nodes: readonly Phrase[]): md.Block[] {
  return nodes.flatMap((node) => (node.type === "element" ? [...(node.blocks ?? []), ...blocksIn(node.children)] : []));
}

/** What stands in a field of a form, or in other text that is shown as it is written. Tags in it are words. */
function writtenCode(reading: Reading, element: Element): Steps<Block> {
  const raw = rawText(reading, element).replace(/^\n|\n$/g, "");
  const value = element.name === "xmp" ? raw : decodeReferences(raw);
  return codeBlock(reading, { type: "code", lang: null, meta: null, value, start: 0, end: 0 }, {});
}

/** `<pre><code class="language-x">`: the tags of highlighters are no part of the code. */
function codeOf(reading: Reading, pre: Element): Steps<Block> {
  const code = pre.children.find((child): child is Element => child.type === "element" && child.name === "code");
  const raw = rawText(reading, pre)
    .replace(/^[ \t]*<code[^>]*>\n?|^\n/i, "")
    .replace(/\n?(?:<\/code>\s*)?$/i, "");
  const named = [code, pre].map((element) =>
    /(?:^|\s)lang(?:uage)?-([^\s,]{1,40})/.exec(element?.attributes.class ?? ""),
  );
  const lang = named.find((found) => found)?.[1] ?? pre.attributes.lang ?? null;
  const title = pre.attributes.title ?? code?.attributes.title ?? pre.attributes["data-title"];
  const value = decodeReferences(raw.replace(/<br\s*\/?>/gi, "\n").replace(/<\/?[A-Za-z][^<>]*>/g, ""));
  return codeBlock(reading, { type: "code", lang, meta: null, value, start: 0, end: 0 }, title ? { title } : {});
}
