// Code blocks: their lines as they were before a highlighter split them, their language and their title.

import type { BlockOf } from "../../content/document";
import { createTextNode } from "../../content/markdown/document-parts";
import { omitUndefined } from "../../utils/objects";
import {
  filterElements,
  findElement,
  findElements,
  getAttribute,
  getClasses,
  getTextLine,
  hasName,
  toWordSet,
} from "./elements";
import type { HtmlElement } from "./parse-html";

/** Names of the elements that highlighters put next to the code, and of buttons on it. */
const ADDITIONS = toWordSet(`
  boring lineno linenos linenodiv linenumber linenumbers linenumbersrows ln lnum gutter rougegutter hljslnnumbers
  hljslnn codelinenumber blobnum jscodenav copybtn copy copybutton btncopy clipboard mdclipboard headerlink
  buttongroup
`);
const SKIPPED_ELEMENTS = /^(?:button|script|style|svg|select|input|textarea|template)$/;
/** Names of tables that hold line numbers in one cell and the code in the other. */
const LINE_TABLES = toWordSet(
  "highlighttable rougetable rouge rougelinetable linenotable hljsln codehilitetable crayontable",
);
const LINES = toWordSet("line tokenline viewline codeline cl");
const TITLES = toWordSet(
  "codeblocktitle filename codeblockcaption codetitle rehypecodetitle codeblockfilename codeblockheader remarkcodetitle codefilename",
);
/** Words in a class that are not languages. */
const NON_LANGUAGES = toWordSet(
  "none text txt plain plaintext plain-text default nohighlight no-highlight ansi source code block inline wrapper notranslate output",
);
const LANGUAGE = /^[A-Za-z0-9][\w+#.-]{0,30}$/;
/** The number of ancestors that may state the language and the title. */
const MAX_SEARCHED_ANCESTORS = 4;

/** Returns whether an element is a table of line numbers and code. */
export function isLineTable(element: HtmlElement): boolean {
  if (element.name !== "table" || !findElement(element, ({ name }) => name === "pre" || name === "code")) return false;
  return hasName(element, LINE_TABLES) || findElement(element, (each) => hasName(each, ADDITIONS)) !== undefined;
}

export function isCodeTitle(element: HtmlElement): boolean {
  return hasName(element, TITLES) || element.attributes.has("data-rehype-pretty-code-title");
}

/** Reads code as a block, or returns undefined if there is none. `ancestors` are the elements around, the innermost first. */
export function readCodeBlock(element: HtmlElement, ancestors: readonly HtmlElement[]): BlockOf<"code"> | undefined {
  let cells = [element];
  if (element.name === "table") {
    // One cell holds all lines of code, or each line has one.
    const all = findElements(element, ({ name }) => name === "td");
    cells = all.filter((cell) => !hasName(cell, ADDITIONS) && !findElement(cell, (each) => hasName(each, ADDITIONS)));
    if (cells.length === 0) cells = all.slice(-1);
  }
  const text = cells
    .map((cell) => new CodeCollector().collect(cell))
    .join("\n")
    .replace(/\r\n?/g, "\n")
    .replace(/^\n/, "")
    .replace(/\u00a0/g, " ")
    .trimEnd();
  if (text.trim() === "") return undefined;

  const near = ancestors.slice(0, MAX_SEARCHED_ANCESTORS);
  const inside = [element, ...findElements(element, ({ name }) => name === "code" || name === "pre")];
  // The language is named by the classes or attributes of one of these elements.
  let syntax: string | undefined;
  for (const each of [...inside, ...near]) {
    const brush = /\bbrush:\s*([\w+#.-]{1,30})/.exec(getAttribute(each, "class").slice(0, 500))?.[1];
    const stated = ["data-lang", "data-language", "data-syntax", "lang-name"].map((name) =>
      getAttribute(each, name).trim(),
    );
    const classes = getClasses(each).flatMap((name, i, all) => {
      const suffix = /^(?:language|lang|highlight-source|highlight-text|highlight|src|brush)-(.+)$/i.exec(name)?.[1];
      if (suffix) return [suffix];
      const isMarker = /^(?:sourceCode|hljs|prettyprint|programlisting)$/.test(name);
      return isMarker ? [all[i + 1] ?? "", all[i - 1] ?? ""] : [];
    });
    syntax ??= [brush ?? "", ...stated, ...classes]
      .map((name) =>
        name
          .toLowerCase()
          .replace(/^lang(?:uage)?-/, "")
          .replace(/^html-basic$/, "html"),
      )
      .find((name) => LANGUAGE.test(name) && !NON_LANGUAGES.has(name));
  }
  // The title is above the code, inside of its container.
  let title: string | undefined;
  for (const container of near) {
    if (container.name !== "div" && container.name !== "figure") continue;
    const titleElement = filterElements(container.children.slice(0, 12)).find(isCodeTitle);
    const line = titleElement ? getTextLine(titleElement).replace(/(?<!\s)\s*[¶#]$/, "") : "";
    if (line !== "" && line.length <= 200) title ??= line;
  }
  return {
    object: "block",
    type: "code",
    isVoid: false,
    data: omitUndefined({ syntax, title }),
    nodes: text
      .split("\n")
      .map((line) => ({ object: "block", type: "code-line", isVoid: false, data: {}, nodes: [createTextNode(line)] })),
  };
}

/** Collects code from the elements of a highlighter. */
class CodeCollector {
  readonly #parts: string[] = [];
  #lastCharacter = "\n";

  collect(element: HtmlElement): string {
    this.#collectChildren(element);
    return this.#parts.join("");
  }

  #collectChildren(element: HtmlElement): void {
    let isAfterLine = false;
    for (const child of element.children) {
      if (typeof child === "string") {
        this.#add(child);
        isAfterLine = false;
        continue;
      }
      // Line numbers and buttons are next to the code.
      if (SKIPPED_ELEMENTS.test(child.name) || hasName(child, ADDITIONS)) continue;
      if (getAttribute(child, "aria-hidden") === "true") continue;
      const isLine = /^(?:div|li|p|code)$/.test(child.name) || hasName(child, LINES);
      if (isLine && isAfterLine && this.#lastCharacter !== "\n") this.#add("\n");
      if (child.name === "br") this.#add("\n");
      else this.#collectChildren(child);
      isAfterLine = isLine;
    }
  }

  #add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#lastCharacter = text.at(-1)!;
  }
}
