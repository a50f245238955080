// The storage format of Confluence as plain HTML: its macros, links, images and tasks in the forms that everybody knows.

import { filterElements, getAttribute } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { createElement } from "../write-html-page";
import { parseXmlFragment } from "../xml/xml";
import { emojiNamed } from "./emoji";
import { macro } from "./macros";
import { part, resource, type StorageReader } from "./resources";
import type { SpaceAddresses } from "./space";

/** A body in the storage format as HTML. */
export function storageNodes(body: string, addresses: SpaceAddresses): HtmlNode[] {
  // In exports, the end of a nested CDATA section has a space in it, so that it does not end the outer one.
  const nodes = parseXmlFragment(body.replaceAll("]] >", "]]>"));
  const reader: StorageReader = {
    addresses,
    all: (inside) => inside.flatMap((node) => (typeof node === "string" ? [node] : converted(node, reader))),
  };
  return reader.all(nodes);
}

function converted(node: HtmlElement, reader: StorageReader): HtmlNode[] {
  switch (node.name) {
    case "ac:structured-macro":
    case "ac:macro":
      return macro(node, reader);
    case "ac:link":
      return [link(node, reader)];
    case "ac:image":
      return image(node, reader);
    case "ac:task-list":
      return [createElement("ul", {}, reader.all(filterElements(node.children)))];
    case "ac:task":
      return [task(node, reader)];
    case "ac:emoticon":
      return [emojiNamed(getAttribute(node, "ac:emoji-fallback"), getAttribute(node, "ac:name"))];
    case "ac:placeholder":
    case "ac:parameter":
    case "ac:adf-node":
      return [];
    case "ac:layout":
    case "ac:layout-section":
    case "ac:layout-cell":
      return [createElement("div", {}, reader.all(node.children))];
    case "time":
      return [getAttribute(node, "datetime") || "", ...reader.all(node.children)];
    case "ri:user":
      return [mention(node, reader)];
    default:
      if (/^(?:ac|ri):/.test(node.name)) return reader.all(node.children);
      return [{ ...node, children: reader.all(node.children) }];
  }
}

/** A link. One that leads nowhere becomes its text. */
function link(node: HtmlElement, reader: StorageReader): HtmlNode {
  const user = part(node, "ri:user");
  if (user) return mention(user, reader);
  const { title, href } = resource(node, reader);
  const anchor = getAttribute(node, "ac:anchor");
  const body = part(node, "ac:link-body") ?? part(node, "ac:plain-text-link-body");
  const words = body ? reader.all(body.children) : [title || anchor];
  const isHere = href === undefined && title === "" && anchor !== "";
  if (href === undefined && !isHere) return createElement("span", {}, words);
  const fragment = anchor === "" ? "" : `#${anchorOf(anchor)}`;
  return createElement("a", { href: (href ?? "") + fragment }, words);
}

/** Anchors of headings, as pages have them. */
function anchorOf(anchor: string): string {
  return anchor.trim().toLowerCase().replace(/\s+/g, "-");
}

function mention(user: HtmlElement, { addresses }: StorageReader): string {
  const key =
    getAttribute(user, "ri:userkey") || getAttribute(user, "ri:account-id") || getAttribute(user, "ri:username");
  const name = addresses.user(key) ?? getAttribute(user, "ri:username");
  return name === "" ? "@unknown" : `@${name}`;
}

/** An image. One whose file is missing becomes its words. */
function image(node: HtmlElement, reader: StorageReader): HtmlNode[] {
  const { title, href } = resource(node, reader);
  const alt = getAttribute(node, "ac:alt") || getAttribute(node, "ac:title");
  if (href === undefined) return [alt || title];
  const shown = createElement("img", { src: href, alt });
  const caption = part(node, "ac:caption");
  if (!caption) return [shown];
  return [createElement("figure", {}, [shown, createElement("figcaption", {}, reader.all(caption.children))])];
}

function task(node: HtmlElement, reader: StorageReader): HtmlElement {
  const status = part(node, "ac:task-status")?.children.join("") ?? "";
  const checked: Record<string, string> = status.trim() === "complete" ? { checked: "" } : {};
  const body = part(node, "ac:task-body");
  return createElement("li", {}, [
    createElement("input", { type: "checkbox", ...checked }),
    ...reader.all(body?.children ?? []),
  ]);
}
