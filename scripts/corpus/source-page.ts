// A page of a source as it is there: its words, and the anchors that links may name. This reads less cleverly than an
// import does, so that it can say what an import has lost.

import { decodeHtml } from "../../src/importers/html/decode-html";
import { collapseWhitespace, getAttribute, getClasses } from "../../src/importers/html/elements";
import { type HtmlElement, parseHtml } from "../../src/importers/html/parse-html";

/** A page of HTML. */
export interface SourcePage {
  readonly text: string;
  readonly anchors: ReadonlySet<string>;
}

const NO_TEXT =
  /^(?:head|script|style|template|noscript|nav|footer|aside|button|select|textarea|svg|math|iframe|object)$/;
const AROUND =
  /(?:^|[-_])(?:nav|navigation|navheader|navfooter|navbar|menu|sidebar|sphinxsidebar|sidebarwrapper|footer|breadcrumbs?|toc|related|headerlink|permalink|quickview|searchbox|toplang|bottomlang|path)(?:$|[-_])/i;
const ROLES = /^(?:navigation|search|banner|contentinfo)$/;
const APART = /^(?:p|div|li|ul|ol|dl|dt|dd|tr|td|th|table|h[1-6]|section|article|blockquote|pre|br|hr|caption|figure)$/;

/** Reads a page of HTML. */
export function readSourcePage(bytes: Uint8Array): SourcePage {
  const parts: string[] = [];
  const anchors = new Set<string>();
  const visit = (element: HtmlElement, isShown: boolean): void => {
    const { name } = element;
    for (const id of [getAttribute(element, "id"), name === "a" ? getAttribute(element, "name") : ""])
      if (id !== "") anchors.add(id);
    const isPart = isShown && !isAround(element);
    if (APART.test(name)) parts.push(" ");
    for (const child of element.children) {
      if (typeof child !== "string") visit(child, isPart);
      else if (isPart) parts.push(child);
    }
    if (APART.test(name)) parts.push(" ");
  };
  visit(parseHtml(decodeHtml(bytes)), true);
  return { text: collapseWhitespace(parts.join("")), anchors };
}

/** Whether an element is the site around a page. */
function isAround(element: HtmlElement): boolean {
  if (NO_TEXT.test(element.name) || ROLES.test(getAttribute(element, "role"))) return true;
  if (!/^(?:div|ul|ol|p|a|form|table|header)$/.test(element.name)) return false;
  const classes = getClasses(element);
  const isSection = classes.some((name) => /^(?:section|sect\d|chapter|refsect\d)$/.test(name));
  return !isSection && [...classes, getAttribute(element, "id")].some((name) => AROUND.test(name));
}
