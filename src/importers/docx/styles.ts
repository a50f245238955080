// Styles of a Word document, as what they mean for a page: a heading, code, a quotation, an item of a list, or marks.

import { elementAt, elementsIn } from "../xml/elements";
import type { XmlElement } from "../xml/xml";

/** What a paragraph is. */
export type ParagraphKind = "plain" | "title" | "code" | "quote" | "caption" | "contents";

/** What a style says. */
export interface Style {
  readonly kind: ParagraphKind;
  /** 1 to 9 for a heading; undefined for everything else. */
  readonly heading: number | undefined;
  /** The properties of its own paragraphs and runs, and of the styles that it is based on, the nearest first. */
  readonly paragraphs: readonly XmlElement[];
  readonly runs: readonly XmlElement[];
  readonly isCode: boolean;
}

/** A paragraph without a style. */
const PLAIN: Style = { kind: "plain", heading: undefined, paragraphs: [], runs: [], isCode: false };

/** How many styles may stand on one another. */
const MAX_BASES = 16;

/** The styles of a document, by id. */
export class Styles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #read = new Map<string, Style>();

  constructor(root: XmlElement | undefined) {
    for (const style of elementsIn(root, "w:style")) {
      const id = style.attributes.get("w:styleId");
      if (id !== undefined && !this.#elements.has(id)) this.#elements.set(id, style);
    }
  }

  /** A style; an unknown one is known by its id alone. */
  get(id: string | undefined): Style {
    if (id === undefined) return PLAIN;
    const known = this.#read.get(id) ?? this.#readStyle(id);
    this.#read.set(id, known);
    return known;
  }

  #readStyle(id: string): Style {
    const chain = this.#chain(id);
    const names = chain.length > 0 ? chain.map((style) => valueAt(style, "w:name") ?? "") : [id];
    const paragraphs = chain.flatMap((style) => elementsIn(style, "w:pPr"));
    const kinds = names.map(kindNamed);
    return {
      kind: kinds.find((kind) => kind !== "plain") ?? "plain",
      heading: names.map(headingNamed).find((level) => level !== undefined) ?? outlineLevel(paragraphs),
      paragraphs,
      runs: chain.flatMap((style) => elementsIn(style, "w:rPr")),
      isCode: kinds.includes("code"),
    };
  }

  #chain(id: string): XmlElement[] {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < MAX_BASES; ) {
      const style = this.#elements.get(next);
      if (!style || chain.includes(style)) break;
      chain.push(style);
      next = valueAt(style, "w:basedOn");
    }
    return chain;
  }
}

/** The `w:val` of an element inside another. */
export function valueAt(element: XmlElement | undefined, ...way: string[]): string | undefined {
  return elementAt(element, ...way)?.attributes.get("w:val");
}

/** Whether a property is switched on; undefined when nothing is said of it. */
export function isOn(properties: XmlElement | undefined, name: string): boolean | undefined {
  const property = elementAt(properties, name);
  return property && !/^(?:0|false|off|none)$/.test(property.attributes.get("w:val") ?? "");
}

function headingNamed(name: string): number | undefined {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}

function outlineLevel(paragraphs: readonly XmlElement[]): number | undefined {
  const stated = paragraphs.map((it) => valueAt(it, "w:outlineLvl")).find((it) => it !== undefined);
  return stated !== undefined && /^[0-8]$/.test(stated) ? Number(stated) + 1 : undefined;
}

/** What styles are by their names: those of Word, of LibreOffice, and of programs that write such files. */
function kindNamed(name: string): ParagraphKind {
  const plain = name.toLowerCase().replace(/[ _-]/g, "");
  if (plain === "title") return "title";
  if (plain === "caption" || plain === "imagecaption" || plain === "figure") return "caption";
  if (/^(?:toc\d|contents\d|tocheading|contentsheading|tableoffigures)$/.test(plain)) return "contents";
  if (/^(?:quote|intensequote|blocktext|quotations|blockquote)$/.test(plain)) return "quote";
  return CODE.test(plain) ? "code" : "plain";
}

const CODE =
  /^(?:(?:source|inline|html)?code(?:block|char|text|snippet|listing)?|htmlpreformatted(?:char)?|preformattedtext|sourcetext|verbatim(?:char)?|macrotext|macro|plaintext|teletype)$/;
