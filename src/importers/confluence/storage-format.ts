// Converts the storage format of Confluence to plain HTML: its macros, links, images and tasks in their usual forms.

import { filterElements, getAttribute } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { createElement } from "../write-html-page";
import { parseXml } from "../xml/parse-xml";
import { EMOTICONS } from "./emoji";
import { convertMacro } from "./macros";
import { findChild, resolveResource, type StorageContext } from "./resources";
import type { SpaceLinks } from "./space";

/** Converts a body in the storage format to HTML. */
export function convertStorageFormat(body: string, links: SpaceLinks): HtmlNode[] {
  // In exports, the end of a nested CDATA section has a space in it, so that it does not end the outer one.
  const root = parseXml(`<fragment>${body.replaceAll("]] >", "]]>")}</fragment>`);
  const context: StorageContext = {
    links,
    convertAll: (inside) =>
      inside.flatMap((node) => (typeof node === "string" ? [node] : convertElement(node, context))),
  };
  return context.convertAll(root?.children ?? []);
}

function convertElement(element: HtmlElement, context: StorageContext): HtmlNode[] {
  switch (element.name) {
    case "ac:structured-macro":
    case "ac:macro":
      return convertMacro(element, context);
    case "ac:link": {
      const user = findChild(element, "ri:user");
      if (user) return convertElement(user, context);
      const { title, href } = resolveResource(element, context);
      const anchor = getAttribute(element, "ac:anchor");
      const body = findChild(element, "ac:link-body") ?? findChild(element, "ac:plain-text-link-body");
      const words = body ? context.convertAll(body.children) : [title || anchor];
      const isOnSamePage = href === undefined && title === "" && anchor !== "";
      // A link that leads nowhere becomes its text.
      if (href === undefined && !isOnSamePage) return [createElement("span", {}, words)];
      // Anchors of headings are written as on the pages of the book.
      const fragment = anchor === "" ? "" : `#${anchor.trim().toLowerCase().replace(/\s+/g, "-")}`;
      return [createElement("a", { href: (href ?? "") + fragment }, words)];
    }
    case "ac:image": {
      // An image whose file is missing becomes its alternative text.
      const { title, href } = resolveResource(element, context);
      const alt = getAttribute(element, "ac:alt") || getAttribute(element, "ac:title");
      if (href === undefined) return [alt || title];
      const image = createElement("img", { src: href, alt });
      const caption = findChild(element, "ac:caption");
      if (!caption) return [image];
      const captionElement = createElement("figcaption", {}, context.convertAll(caption.children));
      return [createElement("figure", {}, [image, captionElement])];
    }
    case "ac:task-list":
      return [createElement("ul", {}, context.convertAll(filterElements(element.children)))];
    case "ac:task": {
      const status = findChild(element, "ac:task-status")?.children.join("") ?? "";
      const attributes: Record<string, string> = { type: "checkbox" };
      if (status.trim() === "complete") attributes.checked = "";
      const body = findChild(element, "ac:task-body");
      const checkbox = createElement("input", attributes);
      return [createElement("li", {}, [checkbox, ...context.convertAll(body?.children ?? [])])];
    }
    case "ac:emoticon": {
      const fallback = getAttribute(element, "ac:emoji-fallback");
      const isCharacter = fallback !== "" && !/^:.*:$/.test(fallback);
      return [isCharacter ? fallback : (EMOTICONS.get(getAttribute(element, "ac:name")) ?? fallback)];
    }
    case "ac:placeholder":
    case "ac:parameter":
    case "ac:adf-node":
      return [];
    case "ac:layout":
    case "ac:layout-section":
    case "ac:layout-cell":
      return [createElement("div", {}, context.convertAll(element.children))];
    case "time":
      return [getAttribute(element, "datetime") || "", ...context.convertAll(element.children)];
    case "ri:user": {
      const userName = getAttribute(element, "ri:username");
      const key = getAttribute(element, "ri:userkey") || getAttribute(element, "ri:account-id") || userName;
      const name = context.links.findUser(key) ?? userName;
      return [name === "" ? "@unknown" : `@${name}`];
    }
    default:
      if (/^(?:ac|ri):/.test(element.name)) return context.convertAll(element.children);
      return [{ ...element, children: context.convertAll(element.children) }];
  }
}
