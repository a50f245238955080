// The macros of Confluence that say something, as HTML. Of one that is not known, what stands inside it is kept.

import { attribute, elementsIn, rawText } from "../html/looking";
import type { Element, Node } from "../html/tree";
import { element } from "../html-page";
import { part, resource, type StorageReader } from "./resources";

/** A macro taken apart. */
interface Macro {
  readonly name: string;
  readonly parameter: (name: string) => string;
  readonly element: Element;
  /** What stands inside it, as HTML. */
  readonly inside: () => Node[];
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
export function macro(node: Element, reader: StorageReader): Node[] {
  const rich = part(node, "ac:rich-text-body");
  const plain = part(node, "ac:plain-text-body");
  const parameters = elementsIn(node.children).filter(({ name }) => name === "ac:parameter");
  const known: Macro = {
    name: attribute(node, "ac:name").toLowerCase(),
    parameter: (name) => rawText(parameters.find((it) => attribute(it, "ac:name") === name) ?? element("", {})).trim(),
    element: node,
    inside: () => reader.all(rich?.children ?? []),
    text: plain ? rawText(plain) : "",
  };
  return read(known, reader);
}

function read(macro: Macro, reader: StorageReader): Node[] {
  const style = BOXES.get(macro.name);
  if (style !== undefined) return [box(macro, style)];
  if (SILENT.has(macro.name)) return macro.name === "toc-zone" ? macro.inside() : [];
  switch (macro.name) {
    case "code":
    case "noformat":
      return [code(macro)];
    case "expand":
      return [
        element("details", {}, [element("summary", {}, [macro.parameter("title") || "More"]), ...macro.inside()]),
      ];
    case "quote":
      return [element("blockquote", {}, macro.inside())];
    case "status":
      return [element("strong", {}, [macro.parameter("title").toUpperCase()])];
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
      return macro.parameter("key") === "" ? [] : [element("code", {}, [macro.parameter("key")])];
    case "mathblock":
    case "mathinline":
      return [element("code", {}, [macro.text || macro.parameter("body")])];
    default:
      return macro.text === "" ? [element("div", {}, macro.inside())] : [element("pre", {}, [macro.text])];
  }
}

function box(macro: Macro, style: string): Element {
  const title = macro.parameter("title");
  const heading = title === "" ? [] : [element("p", { class: "admonition-title" }, [title])];
  return element("div", { class: `admonition ${style}` }, [...heading, ...macro.inside()]);
}

function code(macro: Macro): Element {
  const language = macro.parameter("language").toLowerCase();
  const known: Record<string, string> = /^[\w+#.-]{1,30}$/.test(language) ? { class: `language-${language}` } : {};
  const title = macro.parameter("title");
  const block = element("pre", {}, [element("code", known, [macro.text])]);
  return title === "" ? block : element("div", {}, [element("div", { class: "code-block-title" }, [title]), block]);
}

function list(links: readonly { readonly title: string; readonly href: string }[]): Node[] {
  if (links.length === 0) return [];
  return [
    element(
      "ul",
      {},
      links.map(({ title, href }) => element("li", {}, [element("a", { href }, [title])])),
    ),
  ];
}

/** A link to what a macro shows: the page or the file that a parameter names. */
function named(macro: Macro, reader: StorageReader): Node[] {
  const parameters = elementsIn(macro.element.children).filter(({ name }) => name === "ac:parameter");
  for (const parameter of parameters) {
    const inLink = part(parameter, "ac:link") ?? parameter;
    const { title, href } = resource(inLink, reader);
    if (href !== undefined) return [element("p", {}, [element("a", { href }, [title])])];
  }
  return [];
}

/** Diagrams are attached as pictures as well. */
function drawing(macro: Macro, { addresses }: StorageReader): Node[] {
  const name = macro.parameter("diagramName") || macro.parameter("name");
  const href = addresses.attachment(`${name}.png`) ?? addresses.attachment(name);
  return href === undefined ? [] : [element("img", { src: href, alt: name })];
}
