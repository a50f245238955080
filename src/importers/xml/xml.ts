// XML into elements and texts, in linear time. A document that declares a type is refused, so there are no entities but
// the characters that HTML names, and nothing to fetch or to expand. What is not well-formed is read as far as it goes.

import { decodeReferences } from "../../content/markdown/parser/references";
import { ImportError } from "../errors";

/** An element. Attributes are a map, so that no name of one means anything to JavaScript. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlNode[];
}

/** An element or a text. */
export type XmlNode = XmlElement | string;

/** Which prefix a namespace has in the names that come out, whatever the document calls it. */
export type Namespaces = ReadonlyMap<string, string>;

/** How deep elements may stand inside one another. */
const MAX_DEPTH = 256;
/** How many prefixes may be declared at one place; more are left as they are written. */
const MAX_PREFIXES = 64;
/** How many elements one tree may have. */
const MAX_ELEMENTS = 2_000_000;

const NAME = /[^\s/>=]+/y;
const ATTRIBUTE = /\s*([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/y;
const TAG_END = /\s*(\/?)>/y;

/** The root element of a document; undefined when it has none. */
export function parseXml(text: string, namespaces?: Namespaces): XmlElement | undefined {
  for (const root of elementsAt(0, text, namespaces)) return root;
  return undefined;
}

/** Elements and texts that stand in no root of their own. */
export function parseXmlFragment(text: string): XmlNode[] {
  return parseXml(`<fragment>${text}</fragment>`)?.children ?? [];
}

/** The elements inside the root, one after the other, each forgotten before the next is read. */
export function topElements(text: string, namespaces?: Namespaces): Generator<XmlElement> {
  return elementsAt(1, text, namespaces);
}

/** Elements that stand so deep, each as soon as it ends. */
function* elementsAt(depth: number, text: string, namespaces: Namespaces = new Map()): Generator<XmlElement> {
  const reader = new Reader(text, namespaces);
  for (let closed = reader.next(); closed; closed = reader.next()) {
    if (closed.depth !== depth) continue;
    yield closed.element;
    reader.forget();
  }
}

interface Open {
  readonly element: XmlElement;
  /** The name as it is written. */
  readonly tag: string;
  readonly prefixes: ReadonlyMap<string, string>;
}

class Reader {
  #at = 0;
  #count = 0;
  readonly #open: Open[] = [];
  /** Elements that have ended and are not handed out yet, the innermost first. */
  readonly #closed: { element: XmlElement; depth: number }[] = [];

  constructor(
    readonly text: string,
    readonly namespaces: Namespaces,
  ) {}

  /** The next element that ends; undefined at the end of the text, which ends all of them. */
  next(): { element: XmlElement; depth: number } | undefined {
    while (this.#closed.length === 0 && this.#at < this.text.length) this.#step();
    if (this.#closed.length === 0) this.#close(0);
    return this.#closed.shift();
  }

  /** Lets go of what has been handed out. */
  forget(): void {
    this.#count = 0;
    const around = this.#open.at(-1);
    if (around) around.element.children.length = 0;
  }

  #step(): void {
    const { text } = this;
    const bracket = text.indexOf("<", this.#at);
    const end = bracket < 0 ? text.length : bracket;
    if (end > this.#at) this.#add(decodeReferences(text.slice(this.#at, end)));
    this.#at = end;
    if (bracket < 0) return;
    if (text.startsWith("<!--", bracket)) this.#skipTo("-->", 4);
    else if (text.startsWith("<![CDATA[", bracket)) this.#add(this.#skipTo("]]>", 9));
    else if (text.startsWith("<?", bracket)) this.#skipTo("?>", 2);
    else if (text.startsWith("<!", bracket))
      throw new ImportError("A document in the file declares a type and entities of its own, and was not read.");
    else if (text.startsWith("</", bracket)) this.#closeTag(this.#skipTo(">", 2).trim());
    else this.#openTag();
  }

  /** Moves behind what ends something; gives what stands between. */
  #skipTo(end: string, opening: number): string {
    const from = this.#at + opening;
    const found = this.text.indexOf(end, from);
    this.#at = found < 0 ? this.text.length : found + end.length;
    return this.text.slice(from, found < 0 ? this.text.length : found);
  }

  #add(node: XmlNode): void {
    const children = this.#open.at(-1)?.element.children;
    if (!children || node === "") return;
    if (typeof node === "string" && typeof children.at(-1) === "string") children.push(children.pop() + node);
    else children.push(node);
  }

  #openTag(): void {
    const tag = this.#match(NAME, this.#at + 1)?.[0];
    if (tag === undefined) {
      this.#add("<");
      this.#at++;
      return;
    }
    this.#at += 1 + tag.length;
    const written = this.#attributes();
    const isEmpty = this.#tagEnd();
    const prefixes = prefixesWith(this.#open.at(-1)?.prefixes ?? new Map(), written);
    const attributes = new Map(written.map(([name, value]) => [this.#named(name, prefixes, true), value]));
    const element: XmlElement = { name: this.#named(tag, prefixes, false), attributes, children: [] };
    if (++this.#count > MAX_ELEMENTS || this.#open.length >= MAX_DEPTH)
      throw new ImportError("A document in the file has too many elements, or too many inside one another.");
    this.#add(element);
    if (isEmpty) this.#closed.push({ element, depth: this.#open.length });
    else this.#open.push({ element, tag, prefixes });
  }

  #attributes(): [name: string, value: string][] {
    const found: [string, string][] = [];
    for (let match = this.#match(ATTRIBUTE, this.#at); match; match = this.#match(ATTRIBUTE, this.#at)) {
      this.#at += match[0].length;
      found.push([match[1]!, decodeReferences(match[2] ?? match[3] ?? match[4] ?? "")]);
    }
    return found;
  }

  /** Moves behind the tag; says whether its element is empty. */
  #tagEnd(): boolean {
    const end = this.#match(TAG_END, this.#at);
    if (end) this.#at += end[0].length;
    else this.#skipTo(">", 0);
    return end?.[1] === "/";
  }

  #closeTag(tag: string): void {
    const at = this.#open.findLastIndex((open) => open.tag === tag);
    if (at >= 0) this.#close(at);
  }

  #close(at: number): void {
    while (this.#open.length > at) {
      const { element } = this.#open.pop()!;
      this.#closed.push({ element, depth: this.#open.length });
    }
  }

  #named(name: string, prefixes: ReadonlyMap<string, string>, isAttribute: boolean): string {
    const colon = name.indexOf(":");
    const uri = colon < 0 && isAttribute ? undefined : prefixes.get(colon < 0 ? "" : name.slice(0, colon));
    const prefix = uri === undefined ? undefined : this.namespaces.get(uri);
    return prefix === undefined ? name : `${prefix}:${name.slice(colon + 1)}`;
  }

  #match(pattern: RegExp, at: number): RegExpExecArray | null {
    pattern.lastIndex = at;
    return pattern.exec(this.text);
  }
}

/** The namespaces that prefixes stand for inside an element. */
function prefixesWith(
  around: ReadonlyMap<string, string>,
  attributes: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> {
  const declared = attributes.filter(([name]) => name === "xmlns" || name.startsWith("xmlns:"));
  if (declared.length === 0) return around;
  const all = [...around, ...declared.map(([name, value]) => [name.slice(6), value] as const)];
  return new Map(all.slice(0, MAX_PREFIXES));
}
