// The styles of a Word document, as what they mean for a page: a heading, code, a quotation, an item of a list, or marks.

import { getElement, listElements, type XmlElement } from "../xml/parse-xml";

export type ParagraphKind = "plain" | "title" | "code" | "quote" | "caption" | "contents";

export interface DocxStyle {
  readonly kind: ParagraphKind;
  /** 1 to 9 for a heading. Undefined for everything else. */
  readonly heading: number | undefined;
  /** The properties of its paragraphs, and those of the styles that it is based on, the nearest first. */
  readonly paragraphs: readonly XmlElement[];
  /** The properties of its runs, likewise. */
  readonly runs: readonly XmlElement[];
  readonly isCode: boolean;
}

const PLAIN_STYLE: DocxStyle = { kind: "plain", heading: undefined, paragraphs: [], runs: [], isCode: false };

/** The most styles that are based on one another. */
const MAX_STYLE_CHAIN = 16;

const CODE_STYLES = [
  "(?:source|inline|html)?code(?:block|char|text|snippet|listing)?",
  "htmlpreformatted(?:char)?",
  ...["preformattedtext", "sourcetext", "verbatim(?:char)?", "macrotext", "macro", "plaintext", "teletype"],
];
const CODE_STYLE = new RegExp(`^(?:${CODE_STYLES.join("|")})$`);

export class DocxStyles {
  readonly #elements = new Map<string, XmlElement>();
  readonly #styles = new Map<string, DocxStyle>();

  constructor(root: XmlElement | undefined) {
    for (const style of listElements(root, "w:style")) {
      const id = style.attributes.get("w:styleId");
      if (id !== undefined && !this.#elements.has(id)) this.#elements.set(id, style);
    }
  }

  /** Returns a style. An unknown one is interpreted by its id alone. */
  get(id: string | undefined): DocxStyle {
    if (id === undefined) return PLAIN_STYLE;
    const style = this.#styles.get(id) ?? this.#readStyle(id);
    this.#styles.set(id, style);
    return style;
  }

  #readStyle(id: string): DocxStyle {
    const chain: XmlElement[] = [];
    for (let next: string | undefined = id; next !== undefined && chain.length < MAX_STYLE_CHAIN; ) {
      const style = this.#elements.get(next);
      if (!style || chain.includes(style)) break;
      chain.push(style);
      next = getXmlValue(style, "w:basedOn");
    }

    const names = chain.length > 0 ? chain.map((style) => getXmlValue(style, "w:name") ?? "") : [id];
    // The names of styles in Word, LibreOffice, and programs that write such files.
    const kinds = names.map((styleName): ParagraphKind => {
      const name = styleName.toLowerCase().replace(/[ _-]/g, "");
      if (name === "title") return "title";
      if (name === "caption" || name === "imagecaption" || name === "figure") return "caption";
      if (/^(?:toc\d|contents\d|tocheading|contentsheading|tableoffigures)$/.test(name)) return "contents";
      if (/^(?:quote|intensequote|blocktext|quotations|blockquote)$/.test(name)) return "quote";
      return CODE_STYLE.test(name) ? "code" : "plain";
    });
    const paragraphs = chain.flatMap((style) => listElements(style, "w:pPr"));
    const namedLevel = names.map((name) => /^heading ?([1-9])$/i.exec(name)?.[1]).find((it) => it !== undefined);
    let heading = namedLevel === undefined ? undefined : Number(namedLevel);
    if (heading === undefined) {
      const outlineLevel = paragraphs.map((it) => getXmlValue(it, "w:outlineLvl")).find((it) => it !== undefined);
      if (outlineLevel !== undefined && /^[0-8]$/.test(outlineLevel)) heading = Number(outlineLevel) + 1;
    }
    return {
      kind: kinds.find((kind) => kind !== "plain") ?? "plain",
      heading,
      paragraphs,
      runs: chain.flatMap((style) => listElements(style, "w:rPr")),
      isCode: kinds.includes("code"),
    };
  }
}

/** Returns the `w:val` of the element at a path. */
export function getXmlValue(element: XmlElement | undefined, ...path: string[]): string | undefined {
  return getElement(element, ...path)?.attributes.get("w:val");
}

/** Returns whether a property is switched on, or undefined if it is not stated. */
export function isPropertyEnabled(properties: XmlElement | undefined, name: string): boolean | undefined {
  const property = getElement(properties, name);
  return property && !/^(?:0|false|off|none)$/.test(property.attributes.get("w:val") ?? "");
}
