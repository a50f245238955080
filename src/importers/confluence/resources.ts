// What elements of the storage format name: pages, attachments and addresses.

import { attribute, elementsIn } from "../html/looking";
import type { Element, Node } from "../html/tree";
import type { SpaceAddresses } from "./space";

/** What reads the parts of a body. */
export interface StorageReader {
  readonly addresses: SpaceAddresses;
  /** Nodes as HTML. */
  all(nodes: readonly Node[]): Node[];
}

/** The first element of a name inside another. */
export function part(node: Element, name: string): Element | undefined {
  return elementsIn(node.children).find((child) => child.name === name);
}

/** Where a resource is, and what it is called. */
export function resource(node: Element, { addresses }: StorageReader): { title: string; href: string | undefined } {
  const found = elementsIn(node.children).find(({ name }) => name.startsWith("ri:"));
  const said = (name: string) => (found ? attribute(found, name) : "");
  switch (found?.name) {
    case "ri:page":
    case "ri:blog-post": {
      const title = said("ri:content-title");
      return { title, href: addresses.page(title) };
    }
    case "ri:content-entity":
      return { title: "", href: addresses.pageById(said("ri:content-id")) };
    case "ri:attachment": {
      const owner = part(found, "ri:page");
      const name = said("ri:filename");
      return { title: name, href: addresses.attachment(name, owner && attribute(owner, "ri:content-title")) };
    }
    case "ri:url":
      return { title: said("ri:value"), href: said("ri:value") };
    default:
      return { title: "", href: undefined };
  }
}
