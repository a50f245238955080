// The macros of Confluence that say something, as HTML. Of one that is not known, what stands inside it is kept.

import { filterElements, getAttribute, getText } from "../html/elements";
import type { HtmlElement, HtmlNode } from "../html/parse-html";
import { createElement } from "../write-html-page";
import { part, resource, type StorageReader } from "./resources";

/** A macro taken apart. */
interface Macro {
  readonly name: string;
  readonly parameter: (name: string) => string;
  readonly element: HtmlElement;
  /** What stands inside it, as HTML. */
  readonly inside: () => HtmlNode[];
  /** What stands inside it as plain text. */
  readonly text: string;
}

/** What boxes become: hints of these styles. */
const BOXES = new Map([
  ["info", "info"],
  ["note", "warning"],
  ["warning", "danger"],
  ["tip", "success"],
  ["panel", "info"],
]);
/** Macros that show what the table of contents shows anyway, or that have no meaning outside of Confluence. */
const SILENT = new Set(
  "toc toc-zone anchor pagetree pagetreesearch recently-updated contentbylabel contributors livesearch change-history profile blog-posts popular-labels create-from-template space-attachments index navmap tasks-report-macro html html-include rss".split(
    " ",
  ),
);

/** A macro as HTML. */
export function macro(node: HtmlElement, reader: StorageReader): HtmlNode[] {
  const rich = part(node, "ac:rich-text-body");
  const plain = part(node, "ac:plain-text-body");
  const parameters = filterElements(node.children).filter(({ name }) => name === "ac:parameter");
  const known: Macro = {
    name: getAttribute(node, "ac:name").toLowerCase(),
    parameter: (name) =>
      getText(parameters.find((it) => getAttribute(it, "ac:name") === name) ?? createElement("", {})).trim(),
    element: node,
    inside: () => reader.all(rich?.children ?? []),
    text: plain ? getText(plain) : "",
  };
  return read(known, reader);
}

function read(macro: Macro, reader: StorageReader): HtmlNode[] {
  const style = BOXES.get(macro.name);
  if (style !== undefined) return [box(macro, style)];
  if (SILENT.has(macro.name)) return macro.name === "toc-zone" ? macro.inside() : [];
  switch (macro.name) {
    case "code":
    case "noformat":
      return [code(macro)];
    case "expand":
      return [
        createElement("details", {}, [
          createElement("summary", {}, [macro.parameter("title") || "More"]),
          ...macro.inside(),
        ]),
      ];
    case "quote":
      return [createElement("blockquote", {}, macro.inside())];
    case "status":
      return [createElement("strong", {}, [macro.parameter("title").toUpperCase()])];
    case "children":
      return list(reader.addresses.children());
    case "attachments":
      return list(reader.addresses.attachments());
    case "include":
    case "excerpt-include":
    case "view-file":
    case "viewpdf":
    case "viewdoc":
    case "viewxls":
    case "viewppt":
      return named(macro, reader);
    case "drawio":
    case "gliffy":
      return drawing(macro, reader);
    case "jira":
      return macro.parameter("key") === "" ? [] : [createElement("code", {}, [macro.parameter("key")])];
    case "mathblock":
    case "mathinline":
      return [createElement("code", {}, [macro.text || macro.parameter("body")])];
    default:
      return macro.text === "" ? [createElement("div", {}, macro.inside())] : [createElement("pre", {}, [macro.text])];
  }
}

function box(macro: Macro, style: string): HtmlElement {
  const title = macro.parameter("title");
  const heading = title === "" ? [] : [createElement("p", { class: "admonition-title" }, [title])];
  return createElement("div", { class: `admonition ${style}` }, [...heading, ...macro.inside()]);
}

function code(macro: Macro): HtmlElement {
  const language = macro.parameter("language").toLowerCase();
  const known: Record<string, string> = /^[\w+#.-]{1,30}$/.test(language) ? { class: `language-${language}` } : {};
  const title = macro.parameter("title");
  const block = createElement("pre", {}, [createElement("code", known, [macro.text])]);
  return title === ""
    ? block
    : createElement("div", {}, [createElement("div", { class: "code-block-title" }, [title]), block]);
}

function list(links: readonly { readonly title: string; readonly href: string }[]): HtmlNode[] {
  if (links.length === 0) return [];
  return [
    createElement(
      "ul",
      {},
      links.map(({ title, href }) => createElement("li", {}, [createElement("a", { href }, [title])])),
    ),
  ];
}

/** A link to what a macro shows: the page or the file that a parameter names. */
function named(macro: Macro, reader: StorageReader): HtmlNode[] {
  const parameters = filterElements(macro.element.children).filter(({ name }) => name === "ac:parameter");
  for (const parameter of parameters) {
    const inLink = part(parameter, "ac:link") ?? parameter;
    const { title, href } = resource(inLink, reader);
    if (href !== undefined) return [createElement("p", {}, [createElement("a", { href }, [title])])];
  }
  return [];
}

/** Diagrams are attached as pictures as well. */
function drawing(macro: Macro, { addresses }: StorageReader): HtmlNode[] {
  const name = macro.parameter("diagramName") || macro.parameter("name");
  const href = addresses.attachment(`${name}.png`) ?? addresses.attachment(name);
  return href === undefined ? [] : [createElement("img", { src: href, alt: name })];
}
