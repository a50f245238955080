// Queries on elements of XML.

import type { XmlElement, XmlNode } from "./parse-xml";

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
