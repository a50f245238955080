// Converts inlines of Markdown and HTML to texts with marks and inlines of the document.

import type { Steps } from "../../../utils/concurrency/steps";
import { omitUndefined } from "../../../utils/objects";
import type { Fragment, Inline, InlineData, Mark, Phrasing, PlainMark } from "../../document";
import { getEmojiCodePoints } from "../emoji";
import type { FootnoteReferenceNode, ImageNode, SourceSpan } from "../nodes";
import { parseSrcset } from "../srcset";
import { getExplicitAnchor } from "./anchors";
import { createTextPhrase, toPhrases } from "./block-phrases";
import { type Element, findMediaUrl, type Phrase, PLAIN } from "./elements";
import { BLOCKS, isContainer, NEVER_SHOWN } from "./html-names";
import { isSpace } from "./html-tree";
import { addMark, createTextNode, Phrases } from "./leaves";
import { createBlock } from "./make-blocks";
import { matchTags } from "./pair-tags";
import type { Reading } from "./reading";

export type ReadNote = (reference: FootnoteReferenceNode) => Steps<Fragment | undefined>;

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

/** Elements that show the content of another URL. */
const MEDIA = new Set(["video", "audio", "iframe", "object", "embed"]);

const NODE_MARKS = { emphasis: "italic", strong: "bold", delete: "strikethrough" } as const;

export function* readPhrasing(reading: Reading, nodes: readonly Phrase[], readNote: ReadNote): Steps<Phrasing[]> {
  const reader = new PhrasingReader(reading);
  reader.open(nodes, []);
  for (let next = reader.takeNext(); next; next = reader.takeNext()) {
    const [node, marks] = next;
    if (node.type === "footnoteReference") reader.addNote(node, yield* readNote(node), marks);
    else reader.read(node, marks);
    if (reading.isStep()) yield;
  }
  return reader.phrases.finish(true);
}

const RAW = /\{%-?[ \t]*(end)?raw[ \t]*-?%\}/g;

/** Phrases that are being read, the marks around them, and what follows the last of them. */
interface OpenPhrases {
  readonly nodes: Iterator<Phrase>;
  readonly marks: readonly Mark[];
  readonly finish: (() => void) | undefined;
}

/** Reads phrases one by one. The phrases in a phrase are read after it. */
class PhrasingReader {
  phrases = new Phrases();
  /** Innermost last. */
  readonly #open: OpenPhrases[] = [];
  #isInLink = false;
  /** True after a block element: the next text does not continue its last word. */
  #isAfterBlock = false;

  constructor(readonly reading: Reading) {}

  /** Opens phrases, which are read next. `finish` runs after the last of them. */
  open(nodes: readonly Phrase[], marks: readonly Mark[], finish?: () => void): void {
    // Liquid's `{% raw %}` and `{% endraw %}` are not shown if both are present.
    const tags = nodes.flatMap((node) => (node.type === "text" ? [...node.value.matchAll(RAW)] : []));
    const hasRaw = tags.some(([, end]) => end === undefined) && tags.some(([, end]) => end !== undefined);
    const removeRaw = (node: Phrase) => (node.type === "text" ? { ...node, value: node.value.replace(RAW, "") } : node);
    this.#open.push({ nodes: matchTags(hasRaw ? nodes.map(removeRaw) : nodes).values(), marks, finish });
  }

  /** Takes the next phrase with the marks around it; undefined after the last. */
  takeNext(): readonly [Phrase, readonly Mark[]] | undefined {
    for (let open = this.#open.at(-1); open; open = this.#open.at(-1)) {
      const { done, value } = open.nodes.next();
      if (!done) return [value, open.marks];
      this.#open.pop();
      open.finish?.();
    }
    return undefined;
  }

  read(node: Exclude<Phrase, FootnoteReferenceNode>, marks: readonly Mark[]): void {
    this.#separateFromBlock(node, marks);
    switch (node.type) {
      case "text":
        this.#addText(node.value, marks);
        break;
      case "html":
        // Comments, instructions, declarations and CDATA are never shown.
        if (!/^<[!?]/.test(node.value)) this.#addText(node.value, marks);
        break;
      case "break":
        this.phrases.addText("\n", marks);
        break;
      case "emphasis":
      case "strong":
      case "delete":
        this.open(node.children, addMark(marks, NODE_MARKS[node.type]));
        break;
      case "inlineCode":
        this.phrases.addText(node.value, addMark(marks, "code"));
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
        this.#readLink(node.url, node.definition ?? node, node.children, marks);
        break;
      case "image":
        this.#readImage(node, marks);
        break;
      case "element":
        this.#readElement(node, marks);
    }
  }

  /** Separates a block element from the phrase after it. */
  #separateFromBlock(node: Phrase, marks: readonly Mark[]): void {
    if (this.#isAfterBlock && !(node.type === "text" && /^\s/.test(node.value))) this.#addGap(marks);
    this.#isAfterBlock = false;
  }

  /** Adds text. A soft line break is a space. */
  #addText(text: string, marks: readonly Mark[]): void {
    this.phrases.addText(text.replace(/[\r\n]+/g, " "), marks);
  }

  #addVoid<Type extends keyof InlineData>(type: Type, data: InlineData[Type]): void {
    this.phrases.addInline({ object: "inline", type, isVoid: true, data } as Inline);
  }

  #addEmoji(name: string, marks: readonly Mark[]): void {
    const code = getEmojiCodePoints(name);
    if (code === undefined) this.#addText(`:${name}:`, marks);
    else this.#addVoid("emoji", { code, name });
  }

  #readLink(href: string, place: SourceSpan, children: readonly Phrase[], marks: readonly Mark[]): void {
    const ref = this.reading.addLink(href, "link", toPlainText(children), place);
    if (!ref) {
      this.open(children, marks);
      return;
    }
    const isOuter = !this.#isInLink;
    this.#isInLink = true;
    this.#openInline(children, marks, (nodes) => {
      // Space around the images of a link has no meaning.
      const inlines = nodes.filter((node) => node.object === "inline");
      const isOnlyImages = inlines.length > 0 && inlines.every(({ type }) => type === "inline-image");
      const isBlank = nodes.every(
        (node) => node.object !== "text" || node.leaves.every(({ text }) => /^ *$/.test(text)),
      );
      if (isOuter) this.#isInLink = false;
      const content = isOnlyImages && isBlank ? inlines : nodes;
      this.phrases.addInline({ object: "inline", type: "link", isVoid: false, data: { ref }, nodes: content });
    });
  }

  #openInline(children: readonly Phrase[], marks: readonly Mark[], finish: (nodes: Phrasing[]) => void): void {
    const outside = this.phrases;
    this.phrases = new Phrases();
    this.open(children, marks, () => {
      const nodes = this.phrases.finish(false);
      this.phrases = outside;
      finish(nodes);
    });
  }

  #readImage(node: ImageNode, marks: readonly Mark[]): void {
    const alt = node.alt.replace(/[\r\n]+/g, " ");
    const ref = this.reading.addLink(node.url, "image", alt, node.definition ?? node);
    // Many images can share the title of one definition, so the budget is checked before it is repeated.
    const caption = node.title && this.reading.canRepeat(node.title) ? node.title.replace(/[\r\n]+/g, " ") : "";
    if (ref)
      this.#addVoid("inline-image", {
        ref,
        ...omitUndefined({ caption: caption ? caption : undefined, alt: alt === "" ? undefined : alt }),
      });
    else this.#addText(alt, marks);
  }

  /** Adds the note of a footnote reference. It belongs to the word before it. */
  addNote(node: FootnoteReferenceNode, note: Fragment | undefined, marks: readonly Mark[]): void {
    this.#separateFromBlock(node, marks);
    if (!note) {
      this.#addText(`[^${node.label}]`, marks);
      return;
    }
    const nodes = this.#takeLastWord();
    this.phrases.addInline({ object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments: [note] });
  }

  #takeLastWord(): Phrasing[] {
    const leaf = this.phrases.lastLeaf;
    if (!leaf || leaf.marks.some(({ type }) => type === "code")) return [createTextNode("")];
    let start = leaf.text.length;
    while (start > 0 && !/\s/.test(leaf.text[start - 1]!)) start--;
    const word = leaf.text.slice(start);
    if (word === "") return [createTextNode("")];
    leaf.text = leaf.text.slice(0, start);
    return [{ object: "text", leaves: [{ object: "leaf", text: word, marks: leaf.marks }] }];
  }

  #readElement(element: Element, marks: readonly Mark[]): void {
    const { name, attributes, children } = element;
    if (NEVER_SHOWN.has(name)) return;
    if (element.blocks) {
      this.open(toPhrases(element.blocks), marks);
      return;
    }
    // An empty element is there for its id.
    if (name !== "a" && attributes.id !== undefined && children.every(isSpace))
      this.#addAnchor(getExplicitAnchor({ id: attributes.id }));
    const icon = name === "i" ? /^fa-([\w -]+)$/.exec(attributes.class ?? "")?.[1] : undefined;
    const mark = ELEMENT_MARKS.get(name);
    if (name === "br") this.phrases.addText("\n", marks);
    // A zero-width space allows a line break in a long word.
    else if (name === "wbr") this.phrases.addText("\u200b", marks);
    else if (name === "img" || name === "picture") this.#readPicture(element, marks);
    else if (name === "a") this.#readAnchor(element, marks);
    else if (name === "mark") {
      // A mark without colors has the default ones.
      const data = { text: "default", background: "default" };
      for (const declaration of (attributes.style ?? "").split(";")) {
        const [, property, value] =
          /^\s*(color|background-color)\s*:\s*(#[0-9a-fA-F]{3,8}|[a-zA-Z]{1,32})\s*$/.exec(declaration) ?? [];
        if (value !== undefined) data[property === "color" ? "text" : "background"] = value;
      }
      this.open(children, addMark(marks, { object: "mark", type: "color", data }));
    } else if (MEDIA.has(name)) this.#readMedia(element, marks);
    else if (name === "abbr" && attributes.title) this.#readAbbreviation(attributes.title, children, marks);
    else if (icon !== undefined) this.#addVoid("icon", { icon });
    else if (name === "code" && attributes.class === "expression") {
      this.#addVoid("expression", { expression: toPlainText(children).trim() });
    } else if (name === "span" && attributes.class === "math") {
      this.#addVoid("inline-math", { formula: toPlainText(children) });
    } else if (mark) this.open(children, addMark(marks, mark));
    else if (name === "q")
      this.open([createTextPhrase("“", element), ...children, createTextPhrase("”", element)], marks);
    else if (PLAIN.has(name)) this.open(children, marks);
    else if (isContainer(name, element.opening) || BLOCKS.has(name)) {
      this.#addGap(marks);
      this.open(children, marks, () => {
        this.#isAfterBlock = true;
      });
    } else this.#dissolve(element, marks);
  }

  /** Separates two blocks that become one line, such as the items of a list in a caption. */
  #addGap(marks: readonly Mark[]): void {
    if (/[^ \n]$/.test(this.phrases.lastLeaf?.text ?? "")) this.phrases.addText(" ", marks);
  }

  #addAnchor(id: string | undefined): void {
    if (id === undefined) return;
    this.reading.anchors.push(id);
    this.#addVoid("anchor", { id });
  }

  /** Reads an unknown element as its text. */
  #dissolve({ opening, closing, children }: Element, marks: readonly Mark[]): void {
    this.#addText(opening, marks);
    this.open(children, marks, () => this.#addText(closing, marks));
  }

  #readPicture(element: Element, marks: readonly Mark[]): void {
    const picture = readImageVariants(this.reading, element);
    if (!picture) {
      this.#dissolve(element, marks);
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

  #readAnchor(element: Element, marks: readonly Mark[]): void {
    const { attributes, children } = element;
    const { href } = attributes;
    const anchor = getExplicitAnchor(attributes);
    if (anchor !== undefined) {
      this.#addAnchor(anchor);
      // An anchor can link to itself, as those of headings do.
      if (href === undefined || (href.startsWith("#") && children.every(isSpace))) {
        this.open(children, marks);
        return;
      }
    }
    const classes = (attributes.class ?? "").split(/\s+/);
    if (href === undefined) this.open(children, marks);
    else if (classes.includes("button")) this.#readButton(element, href, classes, marks);
    else if ("data-mention" in attributes) {
      const ref = this.reading.addLink(href, "mention", toPlainText(children).trim(), element);
      if (ref) this.#addVoid("mention", { ref });
      else this.open(children, marks);
    } else this.#readLink(href, element, children, marks);
  }

  #readButton(element: Element, href: string, classes: readonly string[], marks: readonly Mark[]): void {
    const label = toPlainText(element.children).trim();
    const ref = this.reading.addLink(href, "button", label, element);
    const icon = element.attributes["data-icon"];
    const kind = classes.includes("secondary") ? "secondary" : "primary";
    if (ref) this.#addVoid("button", { label, kind, ...omitUndefined({ icon: icon ? icon : undefined }), ref });
    else this.open(element.children, marks);
  }

  /** Reads an abbreviation as a note with its expansion. In a note or a link it is text. */
  #readAbbreviation(title: string, children: readonly Phrase[], marks: readonly Mark[]): void {
    const isText = children.every(({ type }) => type === "text") && !children.every(isSpace);
    if (!isText || this.#isInLink || this.reading.isInNote) {
      this.open(children, marks);
      return;
    }
    const body = createBlock("paragraph", {}, [createTextNode(title.replace(/\s+/g, " ").trim())]);
    const fragments: Fragment[] = [{ object: "fragment", type: "annotation-body", nodes: [body] }];
    this.#openInline(children, marks, (nodes) =>
      this.phrases.addInline({ object: "inline", type: "annotation", isVoid: false, data: {}, nodes, fragments }),
    );
  }

  /** Reads media in a line as a link: a document has embeds and files only as blocks. */
  #readMedia(element: Element, marks: readonly Mark[]): void {
    const url = findMediaUrl(element);
    if (url === undefined) this.open(element.children, marks);
    else this.#readLink(url, element, [createTextPhrase(element.attributes.title ?? url, element)], marks);
  }
}

export function readImageVariants(reading: Reading, element: Element) {
  const inside = element.name === "picture" ? element.children : [element];
  const elements = inside.filter((node): node is Element => node.type === "element");
  const image = elements.find(({ name }) => name === "img");
  const src = image?.attributes.src;
  if (!image || src === undefined) return undefined;
  const alt = image.attributes.alt ?? "";
  const ref = reading.addLink(src, "image", alt, image);
  if (!ref) return undefined;
  const dark = elements.find(({ name, attributes }) => name === "source" && /dark/.test(attributes.media ?? ""));
  const darkSrc = parseSrcset(dark?.attributes.srcset ?? "");
  const refDark = dark && darkSrc !== "" ? reading.addLink(darkSrc, "image", alt, dark) : undefined;
  return { ref, ...omitUndefined({ refDark }), alt, attributes: image.attributes };
}

export function toPlainText(nodes: readonly Phrase[]): string {
  let text = "";
  for (const node of nodes) {
    if (node.type === "break" || (node.type === "element" && node.name === "br")) text += "\n";
    else if (node.type === "image") text += node.alt;
    else if (node.type === "emoji") text += `:${node.code}:`;
    else if (node.type === "element" && node.blocks) text += toPlainText(toPhrases(node.blocks));
    else if ("children" in node) text += toPlainText(node.children);
    else if ("value" in node && node.type !== "html") text += node.value.replaceAll("\n", " ");
  }
  return text;
}

/** Returns the visible text of phrases: emoji as characters, without images and tags. */
export function toVisibleText(nodes: readonly Phrase[]): string {
  let text = "";
  for (const node of nodes) {
    if (node.type === "break" || (node.type === "element" && node.name === "br")) text += " ";
    else if (node.type === "emoji") {
      // Unknown emoji are shown by their names.
      const points = getEmojiCodePoints(node.code)?.split("-");
      text += points ? String.fromCodePoint(...points.map((point) => Number.parseInt(point, 16))) : `:${node.code}:`;
    } else if (node.type === "element" && node.blocks) text += toVisibleText(toPhrases(node.blocks));
    else if ("children" in node) text += toVisibleText(node.children);
    else if ("value" in node && node.type !== "html") text += node.value.replaceAll("\n", " ");
  }
  return text;
}
