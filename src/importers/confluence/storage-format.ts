// Converts the storage format of Confluence to plain HTML: its macros, links, images and tasks in their usual forms.

import { filterElements, getAttribute, getText } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { createElement } from "../write-html-page";
import { parseXml } from "../xml/parse-xml";
import type { SpaceLinks } from "./space";

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

// The emoticons of Confluence as characters.

const EMOTICONS = new Map([
  ["smile", "🙂"],
  ["sad", "🙁"],
  ["cheeky", "😛"],
  ["laugh", "😀"],
  ["wink", "😉"],
  ["thumbs-up", "👍"],
  ["thumbs-down", "👎"],
  ["information", "ℹ️"],
  ["tick", "✅"],
  ["cross", "❌"],
  ["warning", "⚠️"],
  ["plus", "➕"],
  ["minus", "➖"],
  ["question", "❓"],
  ["light-on", "💡"],
  ["light-off", "💡"],
  ["yellow-star", "⭐"],
  ["blue-star", "⭐"],
  ["green-star", "⭐"],
  ["red-star", "⭐"],
  ["heart", "❤️"],
  ["broken-heart", "💔"],
]);

// Converts the macros of Confluence that have content to HTML. Of an unknown macro, its content stays.

/** The styles of the hints that boxes become. */
const BOX_STYLES = new Map([
  ["info", "info"],
  ["note", "warning"],
  ["warning", "danger"],
  ["tip", "success"],
  ["panel", "info"],
]);
/** Macros that show what the table of contents shows anyway, or that have no meaning outside of Confluence. */
const OMITTED_MACROS = new Set([
  ...["toc", "toc-zone", "anchor", "pagetree", "pagetreesearch", "recently-updated", "contentbylabel"],
  ...["contributors", "livesearch", "change-history", "profile", "blog-posts", "popular-labels"],
  ...["create-from-template", "space-attachments", "index", "navmap", "tasks-report-macro", "html", "html-include"],
  "rss",
]);

function convertMacro(macro: HtmlElement, context: StorageContext): HtmlNode[] {
  const { links } = context;
  const name = getAttribute(macro, "ac:name").toLowerCase();
  const parameters = filterElements(macro.children).filter((child) => child.name === "ac:parameter");
  const getParameter = (key: string) => {
    const parameter = parameters.find((it) => getAttribute(it, "ac:name") === key);
    return parameter ? getText(parameter).trim() : "";
  };
  const convertBody = () => context.convertAll(findChild(macro, "ac:rich-text-body")?.children ?? []);
  const plainBody = findChild(macro, "ac:plain-text-body");
  const text = plainBody ? getText(plainBody) : "";

  const boxStyle = BOX_STYLES.get(name);
  if (boxStyle !== undefined) {
    const title = getParameter("title");
    const heading = title === "" ? [] : [createElement("p", { class: "admonition-title" }, [title])];
    return [createElement("div", { class: `admonition ${boxStyle}` }, [...heading, ...convertBody()])];
  }
  if (OMITTED_MACROS.has(name)) return name === "toc-zone" ? convertBody() : [];
  switch (name) {
    case "code":
    case "noformat": {
      const language = getParameter("language").toLowerCase();
      const attributes: Record<string, string> = {};
      if (/^[\w+#.-]{1,30}$/.test(language)) attributes.class = `language-${language}`;
      const code = createElement("pre", {}, [createElement("code", attributes, [text])]);
      const title = getParameter("title");
      if (title === "") return [code];
      return [createElement("div", {}, [createElement("div", { class: "code-block-title" }, [title]), code])];
    }
    case "expand": {
      const summary = createElement("summary", {}, [getParameter("title") || "More"]);
      return [createElement("details", {}, [summary, ...convertBody()])];
    }
    case "quote":
      return [createElement("blockquote", {}, convertBody())];
    case "status":
      return [createElement("strong", {}, [getParameter("title").toUpperCase()])];
    case "children":
    case "attachments": {
      const listed = name === "children" ? links.takeChildren() : links.takeAttachments();
      const items = listed.map(({ title, href }) => createElement("li", {}, [createElement("a", { href }, [title])]));
      return items.length === 0 ? [] : [createElement("ul", {}, items)];
    }
    case "include":
    case "excerpt-include":
    case "view-file":
    case "viewpdf":
    case "viewdoc":
    case "viewxls":
    case "viewppt":
      // A link leads to the page or the file that a parameter names.
      for (const parameter of parameters) {
        const { title, href } = resolveResource(findChild(parameter, "ac:link") ?? parameter, context);
        if (href !== undefined) return [createElement("p", {}, [createElement("a", { href }, [title])])];
      }
      return [];
    case "drawio":
    case "gliffy": {
      // Diagrams are attached as images as well.
      const diagram = getParameter("diagramName") || getParameter("name");
      const src = links.findAttachment(`${diagram}.png`) ?? links.findAttachment(diagram);
      return src === undefined ? [] : [createElement("img", { src, alt: diagram })];
    }
    case "jira":
      return getParameter("key") === "" ? [] : [createElement("code", {}, [getParameter("key")])];
    case "mathblock":
    case "mathinline":
      return [createElement("code", {}, [text || getParameter("body")])];
    default:
      return text === "" ? [createElement("div", {}, convertBody())] : [createElement("pre", {}, [text])];
  }
}

/** The tools that convert parts of a body. */
interface StorageContext {
  readonly links: SpaceLinks;
  convertAll(nodes: readonly HtmlNode[]): HtmlNode[];
}

function findChild(element: HtmlElement, name: string): HtmlElement | undefined {
  return filterElements(element.children).find((child) => child.name === name);
}

function resolveResource(element: HtmlElement, { links }: StorageContext): { title: string; href: string | undefined } {
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
