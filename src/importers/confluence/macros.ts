// Converts the macros of Confluence that have content to HTML. Of an unknown macro, its content stays.

import { filterElements, getAttribute, getText } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { createElement } from "../write-html-page";
import { findChild, resolveResource, type StorageContext } from "./resources";

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

/** Converts a macro to HTML. */
export function convertMacro(macro: HtmlElement, context: StorageContext): HtmlNode[] {
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
