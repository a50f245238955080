// Looking into elements of XML.

import type { XmlElement, XmlNode } from "./xml";

/** Whether a node is an element, of this name if one is given. */
export function isElement(node: XmlNode | undefined, name?: string): node is XmlElement {
  return typeof node === "object" && (name === undefined || node.name === name);
}

/** The elements inside one, of this name if one is given. */
export function elementsIn(element: XmlElement | undefined, name?: string): XmlElement[] {
  return (element?.children ?? []).filter((node) => isElement(node, name)) as XmlElement[];
}

/** The first element at the end of a way of names. */
export function elementAt(element: XmlElement | undefined, ...way: string[]): XmlElement | undefined {
  let found = element;
  for (const name of way) found = found?.children.find((node) => isElement(node, name)) as XmlElement | undefined;
  return found;
}

/** The first element of a name anywhere inside one. */
export function findElement(element: XmlElement, name: string): XmlElement | undefined {
  for (const node of element.children) {
    if (!isElement(node)) continue;
    const found = node.name === name ? node : findElement(node, name);
    if (found) return found;
  }
  return undefined;
}

/** All text inside a node. */
export function textIn(node: XmlNode | undefined): string {
  if (node === undefined) return "";
  return typeof node === "string" ? node : node.children.map(textIn).join("");
}
