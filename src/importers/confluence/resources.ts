// What elements of the storage format name: pages, attachments and addresses.

import { filterElements, getAttribute } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import type { SpaceAddresses } from "./space";

/** What reads the parts of a body. */
export interface StorageReader {
  readonly addresses: SpaceAddresses;
  /** Nodes as HTML. */
  all(nodes: readonly HtmlNode[]): HtmlNode[];
}

/** The first element of a name inside another. */
export function part(node: HtmlElement, name: string): HtmlElement | undefined {
  return filterElements(node.children).find((child) => child.name === name);
}

/** Where a resource is, and what it is called. */
export function resource(node: HtmlElement, { addresses }: StorageReader): { title: string; href: string | undefined } {
  const found = filterElements(node.children).find(({ name }) => name.startsWith("ri:"));
  const said = (name: string) => (found ? getAttribute(found, name) : "");
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
      return { title: name, href: addresses.attachment(name, owner && getAttribute(owner, "ri:content-title")) };
    }
    case "ri:url":
      return { title: said("ri:value"), href: said("ri:value") };
    default:
      return { title: "", href: undefined };
  }
}
