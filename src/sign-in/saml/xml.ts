// XML of others, read by one parser: the one that the library for signatures reads with. What an identity provider never
// sends, and what parsers have disagreed about, is refused: document types, comments, instructions, ids that occur twice.

import { DOMParser } from "@xmldom/xmldom";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";

/** A response with a hundred groups of a person has about 30 KB. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 1000;
const MAX_ATTRIBUTES = 32;

/** The names that one or another library takes for ids. SAML has `ID` alone. */
const ID_ATTRIBUTES = ["Id", "ID", "id"];

/** The root of a text. */
export function parseXml(text: string): Element {
  refuseIf(text.length > MAX_CHARACTERS, "too_large");
  // The text is looked at and not only the tree, because the parser reads what stands in a document type.
  refuseIf(/<!DOCTYPE|<!ENTITY/i.test(text), "doctype");
  const root = requirePresent(parsed(text));
  checkTree(requirePresent(root.parentNode));
  return root;
}

function parsed(text: string): Element | null {
  const fail = (message: string) => {
    throw new SamlRefusal("not_xml", { cause: message });
  };
  try {
    const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } });
    return parser.parseFromString(text, "text/xml").documentElement;
  } catch (error) {
    throw error instanceof SamlRefusal ? error : new SamlRefusal("not_xml", { cause: error });
  }
}

const ELEMENT = 1;
const INSTRUCTION = 7;
const COMMENT = 8;

/** Walks without recursion: the depth is what is being limited. */
function checkTree(document: Node): void {
  const ids = new Set<string>();
  const waiting: { readonly node: Node; readonly depth: number }[] = [{ node: document, depth: 0 }];
  let elements = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    refuseIf(node.nodeType === COMMENT, "comment");
    refuseIf(node.nodeType === INSTRUCTION && node.nodeName !== "xml", "instruction");
    if (node.nodeType === ELEMENT) {
      const { attributes } = node as Element;
      refuseIf(++elements > MAX_ELEMENTS || depth > MAX_DEPTH || attributes.length > MAX_ATTRIBUTES, "too_complex");
      for (const { localName, value } of Array.from(attributes)) {
        if (!ID_ATTRIBUTES.includes(localName)) continue;
        refuseIf(ids.has(value), "duplicate_id");
        ids.add(value);
      }
    }
    for (let child = node.lastChild; child; child = child.previousSibling)
      waiting.push({ node: child, depth: depth + 1 });
  }
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** The elements directly below another. */
export function getChildElements(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === ELEMENT);
}

/** The elements of a name directly below another. */
export function listChildren(parent: Element, namespace: string, name: string): Element[] {
  return getChildElements(parent).filter((child) => isElement(child, namespace, name));
}

/** The only element of a name directly below another; undefined when there is none. */
export function getOnlyChild(parent: Element, namespace: string, name: string): Element | undefined {
  const [first, second] = listChildren(parent, namespace, name);
  if (second) throw new SamlRefusal("malformed");
  return first;
}

/** All elements of a name below another, at any depth, and itself. */
export function listElements(root: Element, namespace: string, name: string): Element[] {
  const own = isElement(root, namespace, name) ? [root] : [];
  return [...own, ...Array.from(root.getElementsByTagNameNS(namespace, name))];
}

/** The whole text of an element that holds nothing but text. */
export function getElementText(element: Element): string {
  if (getChildElements(element).length > 0) throw new SamlRefusal("malformed");
  return (element.textContent ?? "").trim();
}

/** An attribute without a namespace; undefined when it is absent. */
export function readXmlAttribute(element: Element, name: string): string | undefined {
  return element.getAttributeNode(name)?.value;
}

/** A text as content or as the value of an attribute of XML that we write. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
