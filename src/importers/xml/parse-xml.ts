// Parses XML into elements and texts, in linear time. A document that declares a type is refused, so there are no entities but the
// characters that HTML names, and nothing to fetch or to expand. XML that is not well-formed is read as far as possible.

import { decodeReferences } from "../../content/markdown/syntax";
import { ImportError } from "../errors";

/** An element. Attributes are a map, so that no name of one means anything to JavaScript. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
}

type XmlNode = XmlElement | string;

/** The prefixes of namespaces in the names of parsed elements, whatever the document uses, by the URI of the namespace. */
export type XmlNamespaces = ReadonlyMap<string, string>;

/** The deepest nesting of elements. */
const MAX_XML_DEPTH = 256;
/** The most prefixes that may be declared at one place. Names with further ones stay as they are written. */
const MAX_PREFIXES = 64;
/** The most elements of one tree. */
const MAX_XML_ELEMENTS = 2_000_000;

const NAME = /[^\s/>=]+/y;
const ATTRIBUTE = /\s*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y;
const TAG_END = /\s*(\/?)>/y;

/** Parses a document and returns its root element, or undefined if it has none. */
export function parseXml(text: string, namespaces?: XmlNamespaces): XmlElement | undefined {
  for (const root of iterateElements(text, 0, namespaces)) return root;
  return undefined;
}

/**
 * Yields the elements at a depth, each when it ends: 0 is the root, and 1 are the elements in it. Each is dropped from the tree
 * before the next one is parsed.
 */
export function* iterateElements(
  text: string,
  depth: number,
  namespaces: XmlNamespaces = new Map(),
): Generator<XmlElement> {
  const parser = new XmlParser(text, namespaces);
  for (let closed = parser.next(); closed; closed = parser.next()) {
    if (closed.depth !== depth) continue;
    yield closed.element;
    parser.dropElements();
  }
}

interface OpenXmlElement {
  readonly element: XmlElement;
  /** The name as it is written. */
  readonly tag: string;
  /** The URIs of namespaces by prefix. */
  readonly prefixes: ReadonlyMap<string, string>;
}

class XmlParser {
  #position = 0;
  #elementCount = 0;
  readonly #open: OpenXmlElement[] = [];
  /** Elements that have ended and are not returned yet, the innermost first. */
  readonly #closed: { element: XmlElement; depth: number }[] = [];

  constructor(
    readonly text: string,
    readonly namespaces: XmlNamespaces,
  ) {}

  /** Returns the next element that ends, or undefined at the end of the text, which ends all of them. */
  next(): { element: XmlElement; depth: number } | undefined {
    while (this.#closed.length === 0 && this.#position < this.text.length) this.#parseNext();
    if (this.#closed.length === 0) this.#closeFrom(0);
    return this.#closed.shift();
  }

  /** Drops the elements that were returned. */
  dropElements(): void {
    this.#elementCount = 0;
    const parent = this.#open.at(-1);
    if (parent) parent.element.children.length = 0;
  }

  /** Parses a text and the tag or comment after it. */
  #parseNext(): void {
    const { text } = this;
    const bracket = text.indexOf("<", this.#position);
    const end = bracket < 0 ? text.length : bracket;
    if (end > this.#position) this.#add(decodeReferences(text.slice(this.#position, end)));
    this.#position = end;
    if (bracket < 0) return;
    if (text.startsWith("<!--", bracket)) this.#skipTo("-->", 4);
    else if (text.startsWith("<![CDATA[", bracket)) this.#add(this.#skipTo("]]>", 9));
    else if (text.startsWith("<?", bracket)) this.#skipTo("?>", 2);
    else if (text.startsWith("<!", bracket))
      throw new ImportError(
        "The file contains an XML document with a document type declaration, which isn't supported.",
      );
    else if (text.startsWith("</", bracket)) {
      const tag = this.#skipTo(">", 2).trim();
      const index = this.#open.findLastIndex((open) => open.tag === tag);
      if (index >= 0) this.#closeFrom(index);
    } else this.#parseOpenTag();
  }

  /** Moves past the end of a construct, and returns the text between its opening and its end. */
  #skipTo(end: string, openingLength: number): string {
    const start = this.#position + openingLength;
    const index = this.text.indexOf(end, start);
    this.#position = index < 0 ? this.text.length : index + end.length;
    return this.text.slice(start, index < 0 ? this.text.length : index);
  }

  #add(node: XmlNode): void {
    const children = this.#open.at(-1)?.element.children;
    if (!children || node === "") return;
    if (typeof node === "string" && typeof children.at(-1) === "string") children.push(children.pop() + node);
    else children.push(node);
  }

  #parseOpenTag(): void {
    const tag = this.#match(NAME, this.#position + 1)?.[0];
    if (tag === undefined) {
      this.#add("<");
      this.#position++;
      return;
    }
    this.#position += 1 + tag.length;

    const written: [name: string, value: string][] = [];
    for (let match = this.#match(ATTRIBUTE, this.#position); match; match = this.#match(ATTRIBUTE, this.#position)) {
      this.#position += match[0].length;
      written.push([match[1]!, decodeReferences(match[2] ?? match[3] ?? match[4] ?? "")]);
    }
    const end = this.#match(TAG_END, this.#position);
    if (end) this.#position += end[0].length;
    else this.#skipTo(">", 0);

    const outerPrefixes: ReadonlyMap<string, string> = this.#open.at(-1)?.prefixes ?? new Map();
    const declared = written.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
    const prefixes =
      declared.length === 0
        ? outerPrefixes
        : new Map(
            [...outerPrefixes, ...declared.map(([name, value]) => [name.slice(6), value] as const)].slice(
              0,
              MAX_PREFIXES,
            ),
          );
    const attributes = new Map(written.map(([name, value]) => [this.#resolveName(name, prefixes, true), value]));
    const element: XmlElement = { name: this.#resolveName(tag, prefixes, false), attributes, children: [] };
    if (++this.#elementCount > MAX_XML_ELEMENTS || this.#open.length >= MAX_XML_DEPTH)
      throw new ImportError(
        "The file contains an XML document with too many elements, or with elements that are nested too deeply.",
      );
    this.#add(element);
    const isEmpty = end?.[1] === "/";
    if (isEmpty) this.#closed.push({ element, depth: this.#open.length });
    else this.#open.push({ element, tag, prefixes });
  }

  #closeFrom(index: number): void {
    while (this.#open.length > index) {
      const { element } = this.#open.pop()!;
      this.#closed.push({ element, depth: this.#open.length });
    }
  }

  /** Returns a name with the prefix that its namespace has here. */
  #resolveName(name: string, prefixes: ReadonlyMap<string, string>, isAttribute: boolean): string {
    const colon = name.indexOf(":");
    const uri = colon < 0 && isAttribute ? undefined : prefixes.get(colon < 0 ? "" : name.slice(0, colon));
    const prefix = uri === undefined ? undefined : this.namespaces.get(uri);
    return prefix === undefined ? name : `${prefix}:${name.slice(colon + 1)}`;
  }

  #match(pattern: RegExp, position: number): RegExpExecArray | null {
    pattern.lastIndex = position;
    return pattern.exec(this.text);
  }
}

export function isXmlElement(node: XmlNode | undefined, name?: string): node is XmlElement {
  return typeof node === "object" && (name === undefined || node.name === name);
}

/** Returns the child elements of an element, with a name if one is given. */
export function listElements(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((node) => isXmlElement(node, name)) as XmlElement[];
}

/** Returns the first element at a path of names. */
export function getElement(element: XmlElement | undefined, ...path: string[]): XmlElement | undefined {
  let found = element;
  for (const name of path) found = found?.children.find((node) => isXmlElement(node, name)) as XmlElement | undefined;
  return found;
}

/** Returns the first descendant of an element with a name. */
export function findXmlElement(element: XmlElement, name: string): XmlElement | undefined {
  for (const node of element.children) {
    if (!isXmlElement(node)) continue;
    const found = node.name === name ? node : findXmlElement(node, name);
    if (found) return found;
  }
  return undefined;
}

export function getXmlText(node: XmlNode | undefined): string {
  if (node === undefined) return "";
  return typeof node === "string" ? node : node.children.map(getXmlText).join("");
}
