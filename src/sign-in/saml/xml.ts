// Parses XML of identity providers with the same parser as the signature library. Constructs that no provider sends and that parsers
// have interpreted differently are refused: document types, comments, processing instructions and duplicate ids.

import { DOMParser } from "@xmldom/xmldom";
import { refuseIf, requirePresent, SamlRefusal } from "./refusal";

/** A response with a hundred groups of a user has about 30 KB. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 1000;
const MAX_ATTRIBUTES = 32;

/** The attributes that some library treats as ids. SAML uses only `ID`. */
const ID_ATTRIBUTES = ["Id", "ID", "id"];

const ELEMENT = 1;
const INSTRUCTION = 7;
const COMMENT = 8;

/** Parses a text, and returns its root element. Throws a `SamlRefusal` if it's malformed or contains a refused construct. */
export function parseXml(text: string): Element {
  refuseIf(text.length > MAX_CHARACTERS, "too_large");
  // The text is checked before it is parsed, because the parser would process a document type.
  refuseIf(/<!DOCTYPE|<!ENTITY/i.test(text), "doctype");
  const fail = (message: string) => {
    throw new SamlRefusal("not_xml", { cause: message });
  };
  let documentElement: Element | null;
  try {
    const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } });
    documentElement = parser.parseFromString(text, "text/xml").documentElement;
  } catch (error) {
    throw error instanceof SamlRefusal ? error : new SamlRefusal("not_xml", { cause: error });
  }
  const root = requirePresent(documentElement);

  // The tree is walked without recursion, because its depth isn't limited yet.
  const ids = new Set<string>();
  const waiting: { readonly node: Node; readonly depth: number }[] = [
    { node: requirePresent(root.parentNode), depth: 0 },
  ];
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
  return root;
}

export function isElement(element: Element, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

export function getChildElements(parent: Element): Element[] {
  return Array.from(parent.childNodes).filter((node): node is Element => node.nodeType === ELEMENT);
}

export function listChildren(parent: Element, namespace: string, name: string): Element[] {
  return getChildElements(parent).filter((child) => isElement(child, namespace, name));
}

/** Returns the only child element with a name, or undefined if there is none. Refuses several. */
export function getOnlyChild(parent: Element, namespace: string, name: string): Element | undefined {
  const [first, second] = listChildren(parent, namespace, name);
  if (second) throw new SamlRefusal("malformed");
  return first;
}

/** Returns the only child element with a name. Refuses none and several. */
export function requireChild(parent: Element, namespace: string, name: string): Element {
  return requirePresent(getOnlyChild(parent, namespace, name));
}

/** Returns the elements with a name at any depth, including the root itself. */
export function listElements(root: Element, namespace: string, name: string): Element[] {
  const own = isElement(root, namespace, name) ? [root] : [];
  return [...own, ...Array.from(root.getElementsByTagNameNS(namespace, name))];
}

/** Returns the text of an element. Refuses child elements. */
export function getElementText(element: Element): string {
  if (getChildElements(element).length > 0) throw new SamlRefusal("malformed");
  return (element.textContent ?? "").trim();
}

/** Returns an attribute without a namespace. */
export function readXmlAttribute(element: Element, name: string): string | undefined {
  return element.getAttributeNode(name)?.value;
}

/** Escapes a text for the content of an element or the value of an attribute. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
