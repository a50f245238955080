// The resources that elements of the storage format name: pages, attachments and URLs.

import { filterElements, getAttribute } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import type { SpaceLinks } from "./space";

/** The tools that convert parts of a body. */
export interface StorageContext {
  readonly links: SpaceLinks;
  convertAll(nodes: readonly HtmlNode[]): HtmlNode[];
}

/** Returns the first child of an element with a name. */
export function findChild(element: HtmlElement, name: string): HtmlElement | undefined {
  return filterElements(element.children).find((child) => child.name === name);
}

export function resolveResource(
  element: HtmlElement,
  { links }: StorageContext,
): { title: string; href: string | undefined } {
  const resource = filterElements(element.children).find(({ name }) => name.startsWith("ri:"));
  const getStated = (name: string) => (resource ? getAttribute(resource, name) : "");
  switch (resource?.name) {
    case "ri:page":
    case "ri:blog-post": {
      const title = getStated("ri:content-title");
      return { title, href: links.findPage(title) };
    }
    case "ri:content-entity":
      return { title: "", href: links.findPageById(getStated("ri:content-id")) };
    case "ri:attachment": {
      const owner = findChild(resource, "ri:page");
      const name = getStated("ri:filename");
      return { title: name, href: links.findAttachment(name, owner && getAttribute(owner, "ri:content-title")) };
    }
    case "ri:url":
      return { title: getStated("ri:value"), href: getStated("ri:value") };
    default:
      return { title: "", href: undefined };
  }
}
