// Inlines of Markdown and HTML into texts with marks and inlines of the document.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { ContentRef, Fragment, Inline, InlineData, Mark, Phrasing, PlainMark } from "../../document";
import { emojiShown, emojiWritten } from "../emoji";
import type { FootnoteReference, Image, Span, Text } from "../nodes";
import { addressInSet } from "../srcset";
import { statedAnchor } from "./anchors";
import { phrasesIn } from "./block-phrases";
import { type Element, findMediaUrl, type Phrase, PLAIN } from "./elements";
import { BLOCKS, isContainer, NEVER_SHOWN } from "./html-names";
import { isSpace } from "./html-tree";
import { Phrases, textNode, withMark } from "./leaves";
import { block } from "./make-blocks";
import { pairTags } from "./pair-tags";
import type { Reading } from "./reading";

/** Reads the blocks of a note. */
export type ReadNote = (reference: FootnoteReference) => Steps<Fragment | undefined>;

const ELEMENT_MARKS: ReadonlyMap<string, PlainMark> = new Map([
  ["b", "bold"],
  ["strong", "bold"],
  ["i", "italic"],
  ["em", "italic"],
  ["cite", "italic"],
  ["dfn", "italic"],
  ["var", "italic"],
  ["del", "strikethrough"],
  ["s", "strikethrough"],
  ["strike", "strikethrough"],
  ["code", "code"],
  ["samp", "code"],
  ["tt", "code"],
  ["kbd", "keyboard"],
  ["sub", "subscript"],
  ["sup", "superscript"],
]);

/** Elements that play or frame something of another address. */
const MEDIA = new Set(["video", "audio", "iframe", "object", "embed"]);

const NODE_MARKS = { emphasis: "italic", strong: "bold", delete: "strikethrough" } as const;

/** What a block says, as the document has it. */
export function* phrasingOf(reading: Reading, nodes: readonly Phrase[], readNote: ReadNote): Steps<Phrasing[]> {
  const reader = new PhrasingReader(reading, readNote);
  yield* reader.readAll(nodes, []);
  return reader.phrases.finish(true);
}

const RAW = /\{%-?[ \t]*(end)?raw[ \t]*-?%\}/g;

/** `{% raw %}` and `{% endraw %}` of Liquid around what is not run: the tags are not shown, if both are there. */
function withoutRaw(nodes: readonly Phrase[]): readonly Phrase[] {
  const found = nodes.flatMap((node) => (node.type === "text" ? [...node.value.matchAll(RAW)] : []));
  if (!found.some(([, end]) => end === undefined) || !found.some(([, end]) => end !== undefined)) return nodes;
  return nodes.map((node) => (node.type === "text" ? { ...node, value: node.value.replace(RAW, "") } : node));
}

class PhrasingReader {
  phrases = new Phrases();
  #isInLink = false;
  /** Whether a block has ended, so that what follows is no part of its last word. */
  #isBehindBlock = false;

  constructor(
    readonly reading: Reading,
    readonly readNote: ReadNote,
  ) {}

  *readAll(nodes: readonly Phrase[], marks: readonly Mark[]): Steps<void> {
    for (const node of pairTags(withoutRaw(nodes))) {
      const inside = this.#read(node, marks);
      if (inside) yield* inside;
      if (this.reading.isStep()) yield;
    }
  }

  /** Reads a phrase; what holds others is left to the steps that come back. */
  #read(node: Phrase, marks: readonly Mark[]): Steps<void> | undefined {
    if (this.#isBehindBlock && !(node.type === "text" && /^\s/.test(node.value))) this.#addGap(marks);
    this.#isBehindBlock = false;
    switch (node.type) {
      case "text":
        this.#addText(node.value, marks);
        break;
      case "html":
        // Comments, instructions, declarations and CDATA are shown nowhere.
        if (!/^<[!?]/.test(node.value)) this.#addText(node.value, marks);
        break;
      case "break":
        this.phrases.addText("\n", marks);
        break;
      case "emphasis":
      case "strong":
      case "delete":
        return this.readAll(node.children, withMark(marks, NODE_MARKS[node.type]));
      case "inlineCode":
        this.phrases.addText(node.value, withMark(marks, "code"));
        break;
      case "inlineMath":
        this.#addVoid("inline-math", { formula: node.value });
        break;
      case "emoji":
        this.#addEmoji(node.code, marks);
        break;
      case "expression":
        this.#addVoid("expression", { expression: node.value });
        break;
      case "link":
        return this.#readLink(node.url, node.definition ?? node, node.children, marks);
      case "image":
        this.#readImage(node, marks);
        break;
      case "footnoteReference":
        return this.#readReference(node, marks);
      case "element":
        return this.#readElement(node, marks);
    }
    return undefined;
  }

  /** Adds text; a plain line ending is a space. */
  #addText(text: string, marks: readonly Mark[]): void {
    this.phrases.addText(text.replace(/[\r\n]+/g, " "), marks);
  }

  #addVoid<Type extends keyof InlineData>(type: Type, data: InlineData[Type]): void {
    this.phrases.addInline({ object: "inline", type, isVoid: true, data } as Inline);
  }

  #addEmoji(name: string, marks: readonly Mark[]): void {
    const emoji = emojiWritten(name);
    if (emoji) this.#addVoid("emoji", emoji);
    else this.#addText(`:${name}:`, marks);
  }

  *#readLink(href: string, place: Span, children: readonly Phrase[], marks: readonly Mark[]): Steps<void> {
    const ref = this.reading.refTo(href, "link", plainText(children), place);
    if (!ref) yield* this.readAll(children, marks);
    else {
      const isOuter = !this.#isInLink;
      this.#isInLink = true;
      const nodes = withoutGaps(yield* this.#apart(children, marks));
      if (isOuter) this.#isInLink = false;
      this.phrases.addInline({ object: "inline", type: "link", isVoid: false, data: { ref }, nodes });
    }
  }

  /** Reads what stands inside an inline. */
  *#apart(children: readonly Phrase[], marks: readonly Mark[]): Steps<Phrasing[]> {
    const outside = this.phrases;
    this.phrases = new Phrases();
    yield* this.readAll(children, marks);
    const nodes = this.phrases.finish(false);
    this.phrases = outside;
    return nodes;
  }

  #readImage(node: Image, marks: readonly Mark[]): void {
    const alt = node.alt.replace(/[\r\n]+/g, " ");
    const ref = this.reading.refTo(node.url, "image", alt, node.definition ?? node);
    // Many images may share the title of one definition, so the remaining room is checked before it is read.
    const caption = node.title && this.reading.mayRepeat(node.title) ? node.title.replace(/[\r\n]+/g, " ") : "";
    if (ref)
      this.#addVoid("inline-image", {
        ref,
        ...omitUndefined({ caption: caption ? caption : undefined, alt: alt === "" ? undefined : alt }),
      });
    else this.#addText(alt, marks);
  }

  /** A note belongs to the word that it stands behind. */
  *#readReference(node: FootnoteReference, marks: readonly Mark[]): Steps<void> {
    const note = yield* this.readNote(node);
    if (!note) {
      this.#addText(`[^${node.label}]`, marks);
      return;
    }
    const nodes = this.#takeWord();
    this.phrases.addInline({ object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments: [note] });
  }

  #takeWord(): Phrasing[] {
    const leaf = this.phrases.lastLeaf;
    if (!leaf || leaf.marks.some(({ type }) => type === "code")) return [textNode("")];
    let start = leaf.text.length;
    while (start > 0 && !/\s/.test(leaf.text[start - 1]!)) start--;
    const word = leaf.text.slice(start);
    if (word === "") return [textNode("")];
    leaf.text = leaf.text.slice(0, start);
    return [{ object: "text", leaves: [{ object: "leaf", text: word, marks: leaf.marks }] }];
  }

  *#readElement(element: Element, marks: readonly Mark[]): Steps<void> {
    const { name, attributes, children } = element;
    if (NEVER_SHOWN.has(name)) return;
    if (element.blocks) return yield* this.readAll(phrasesIn(element.blocks), marks);
    // An element that shows nothing is there for its id.
    if (name !== "a" && attributes.id !== undefined && children.every(isSpace))
      this.#addAnchor(statedAnchor({ id: attributes.id }));
    const icon = name === "i" ? /^fa-([\w -]+)$/.exec(attributes.class ?? "")?.[1] : undefined;
    const mark = ELEMENT_MARKS.get(name);
    if (name === "br") this.phrases.addText("\n", marks);
    // A space of no width is where a long word may go on in the next line.
    else if (name === "wbr") this.phrases.addText("\u200b", marks);
    else if (name === "img" || name === "picture") yield* this.#readPicture(element, marks);
    else if (name === "a") yield* this.#readAnchor(element, marks);
    else if (name === "mark") yield* this.readAll(children, withMark(marks, colorMark(attributes.style ?? "")));
    else if (MEDIA.has(name)) yield* this.#readMedia(element, marks);
    else if (name === "abbr" && attributes.title) yield* this.#readAbbreviation(attributes.title, children, marks);
    else if (icon !== undefined) this.#addVoid("icon", { icon });
    else if (name === "code" && attributes.class === "expression") {
      this.#addVoid("expression", { expression: plainText(children).trim() });
    } else if (name === "span" && attributes.class === "math") {
      this.#addVoid("inline-math", { formula: plainText(children) });
    } else if (mark) yield* this.readAll(children, withMark(marks, mark));
    else if (name === "q") yield* this.readAll([textOf("“", element), ...children, textOf("”", element)], marks);
    else if (PLAIN.has(name)) yield* this.readAll(children, marks);
    else if (isContainer(name, element.opening) || BLOCKS.has(name)) {
      this.#addGap(marks);
      yield* this.readAll(children, marks);
      this.#isBehindBlock = true;
    } else yield* this.#dissolve(element, marks);
  }

  /** Keeps the words of two blocks apart that stand in one line here, such as items of a list in a caption. */
  #addGap(marks: readonly Mark[]): void {
    if (/[^ \n]$/.test(this.phrases.lastLeaf?.text ?? "")) this.phrases.addText(" ", marks);
  }

  #addAnchor(id: string | undefined): void {
    if (id === undefined) return;
    this.reading.anchors.push(id);
    this.#addVoid("anchor", { id });
  }

  /** Turns an element without a meaning back into its text. */
  *#dissolve({ opening, closing, children }: Element, marks: readonly Mark[]): Steps<void> {
    this.#addText(opening, marks);
    yield* this.readAll(children, marks);
    this.#addText(closing, marks);
  }

  *#readPicture(element: Element, marks: readonly Mark[]): Steps<void> {
    const picture = pictureOf(this.reading, element);
    if (!picture) {
      yield* this.#dissolve(element, marks);
      return;
    }
    const { ref, refDark, alt, attributes } = picture;
    const size = attributes["data-size"];
    this.#addVoid("inline-image", {
      ref,
      ...omitUndefined({
        refDark,
        size: size === "line" || size === "original" ? size : undefined,
        caption: attributes.title ? attributes.title : undefined,
        alt: alt === "" ? undefined : alt,
      }),
    });
  }

  *#readAnchor(element: Element, marks: readonly Mark[]): Steps<void> {
    const { attributes, children } = element;
    const { href } = attributes;
    const stated = statedAnchor(attributes);
    if (stated !== undefined) {
      this.#addAnchor(stated);
      // An anchor may lead to itself, as those of headings do.
      if (href === undefined || (href.startsWith("#") && children.every(isSpace))) {
        yield* this.readAll(children, marks);
        return;
      }
    }
    const classes = (attributes.class ?? "").split(/\s+/);
    if (href === undefined) yield* this.readAll(children, marks);
    else if (classes.includes("button")) yield* this.#readButton(element, href, classes, marks);
    else if ("data-mention" in attributes) {
      const ref = this.reading.refTo(href, "mention", plainText(children).trim(), element);
      if (ref) this.#addVoid("mention", { ref });
      else yield* this.readAll(children, marks);
    } else yield* this.#readLink(href, element, children, marks);
  }

  *#readButton(element: Element, href: string, classes: readonly string[], marks: readonly Mark[]): Steps<void> {
    const label = plainText(element.children).trim();
    const ref = this.reading.refTo(href, "button", label, element);
    const icon = element.attributes["data-icon"];
    const kind = classes.includes("secondary") ? "secondary" : "primary";
    if (ref) this.#addVoid("button", { label, kind, ...omitUndefined({ icon: icon ? icon : undefined }), ref });
    else yield* this.readAll(element.children, marks);
  }

  /** What an abbreviation stands for is a note. In a note or a link there can be none. */
  *#readAbbreviation(title: string, children: readonly Phrase[], marks: readonly Mark[]): Steps<void> {
    const isText = children.every(({ type }) => type === "text") && !children.every(isSpace);
    if (!isText || this.#isInLink || this.reading.isInNote) {
      yield* this.readAll(children, marks);
      return;
    }
    const nodes = yield* this.#apart(children, marks);
    const words = block("paragraph", {}, [textNode(title.replace(/\s+/g, " ").trim())]);
    const note: Fragment = { object: "fragment", type: "annotation-body", nodes: [words] };
    this.phrases.addInline({ object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments: [note] });
  }

  /** A film or a frame within a line is a link: a document has embeds and files only as blocks. */
  *#readMedia(element: Element, marks: readonly Mark[]): Steps<void> {
    const url = findMediaUrl(element);
    if (url === undefined) yield* this.readAll(element.children, marks);
    else yield* this.#readLink(url, element, [textOf(element.attributes.title ?? url, element)], marks);
  }
}

function textOf(value: string, { start, end }: Span): Text {
  return { type: "text", value, start, end };
}

/** Space around images that form a link has no meaning. */
function withoutGaps(nodes: Phrasing[]): Phrasing[] {
  const images = nodes.filter((node) => node.object === "inline" && node.type === "inline-image");
  const isOnlyImages = images.length === nodes.filter((node) => node.object === "inline").length && images.length > 0;
  const isBlank = nodes.every((node) => node.object !== "text" || node.leaves.every(({ text }) => /^ *$/.test(text)));
  return isOnlyImages && isBlank ? images : nodes;
}

/** An image, alone or with its dark variant. */
export interface Picture {
  ref: ContentRef;
  refDark?: ContentRef;
  alt: string;
  attributes: Record<string, string>;
}

/** What `<img>` or `<picture>` shows. */
export function pictureOf(reading: Reading, element: Element): Picture | undefined {
  const inside = element.name === "picture" ? element.children : [element];
  const elements = inside.filter((node): node is Element => node.type === "element");
  const image = elements.find(({ name }) => name === "img");
  const src = image?.attributes.src;
  if (!image || src === undefined) return undefined;
  const alt = image.attributes.alt ?? "";
  const ref = reading.refTo(src, "image", alt, image);
  if (!ref) return undefined;
  const dark = elements.find(({ name, attributes }) => name === "source" && /dark/.test(attributes.media ?? ""));
  const darkSrc = addressInSet(dark?.attributes.srcset ?? "");
  const refDark = dark && darkSrc !== "" ? reading.refTo(darkSrc, "image", alt, dark) : undefined;
  return { ref, ...omitUndefined({ refDark }), alt, attributes: image.attributes };
}

/** The colors that a style states. A mark without any is one in the usual color of a marker. */
function colorMark(style: string): Mark {
  const data = { text: "default", background: "default" };
  for (const declaration of style.split(";")) {
    const [, property, value] =
      /^\s*(color|background-color)\s*:\s*(#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,32})\s*$/.exec(declaration) ?? [];
    if (value !== undefined) data[property === "color" ? "text" : "background"] = value;
  }
  return { object: "mark", type: "color", data };
}

/** What phrases say, without any marks. */
export function plainText(nodes: readonly Phrase[]): string {
  let text = "";
  for (const node of nodes) {
    if (node.type === "break" || (node.type === "element" && node.name === "br")) text += "\n";
    else if (node.type === "image") text += node.alt;
    else if (node.type === "emoji") text += `:${node.code}:`;
    else if (node.type === "element" && node.blocks) text += plainText(phrasesIn(node.blocks));
    else if ("children" in node) text += plainText(node.children);
    else if ("value" in node && node.type !== "html") text += node.value.replaceAll("\n", " ");
  }
  return text;
}

/** What phrases show as text: emoji as characters, and neither images nor tags. */
export function shownBy(nodes: readonly Phrase[]): string {
  let text = "";
  for (const node of nodes) {
    if (node.type === "break" || (node.type === "element" && node.name === "br")) text += " ";
    else if (node.type === "emoji") text += emojiShown(node.code) ?? `:${node.code}:`;
    else if (node.type === "element" && node.blocks) text += shownBy(phrasesIn(node.blocks));
    else if ("children" in node) text += shownBy(node.children);
    else if ("value" in node && node.type !== "html") text += node.value.replaceAll("\n", " ");
  }
  return text;
}
