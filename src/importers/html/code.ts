// Code: its lines as they were before a highlighter split them, its language and its title.

import type { BlockOf } from "../../content/document";
import { textNode } from "../../content/markdown/reader/leaves";
import { omitUndefined } from "../../utils/objects";
import { attribute, classesOf, elementsIn, find, findAll, isNamed, lineOf, words } from "./looking";
import type { Element } from "./tree";

/** Names of elements that highlighters put beside the code, and of buttons on it. */
const BESIDE = words(
  "boring lineno linenos linenodiv linenumber linenumbers linenumbersrows ln lnum gutter rougegutter hljslnnumbers hljslnn codelinenumber blobnum jscodenav copybtn copy copybutton btncopy clipboard mdclipboard headerlink buttongroup",
);
/** Names of tables that hold line numbers in one cell and the code in the other. */
const LINE_TABLES = words(
  "highlighttable rougetable rouge rougelinetable linenotable hljsln codehilitetable crayontable",
);
const LINE = words("line tokenline viewline codeline cl");
const TITLES = words(
  "codeblocktitle filename codeblockcaption codetitle rehypecodetitle codeblockfilename codeblockheader remarkcodetitle codefilename",
);
/** Words in a class that are not languages. */
const NOT_A_LANGUAGE = words(
  "none text txt plain plaintext plain-text default nohighlight no-highlight ansi source code block inline wrapper notranslate output",
);
const LANGUAGE = /^[A-Za-z0-9][\w+#.-]{0,30}$/;

/** Whether an element is a table of line numbers and code. */
export function isLineTable(element: Element): boolean {
  if (element.name !== "table" || !find(element, ({ name }) => name === "pre" || name === "code")) return false;
  return isNamed(element, LINE_TABLES) || find(element, (each) => isNamed(each, BESIDE)) !== undefined;
}

/** Code as a block; `around` are the elements that it stands in, the innermost first. */
export function codeBlock(element: Element, around: readonly Element[]): BlockOf<"code"> | undefined {
  const text = codeOf(element);
  if (text.trim() === "") return undefined;
  const near = around.slice(0, 4);
  const inside = [element, ...findAll(element, ({ name }) => name === "code" || name === "pre")];
  const syntax = [...inside, ...near].map(languageOf).find((found) => found !== undefined);
  const title = near.map(titleIn).find((found) => found !== undefined);
  return {
    object: "block",
    type: "code",
    isVoid: false,
    data: { ...omitUndefined({ syntax: syntax ? syntax : undefined, title: title ? title : undefined }) },
    nodes: text
      .split("\n")
      .map((line) => ({ object: "block", type: "code-line", isVoid: false, data: {}, nodes: [textNode(line)] })),
  };
}

function codeOf(element: Element): string {
  const cells = element.name === "table" ? codeCells(element) : [element];
  const text = cells.map((cell) => new CodeText().of(cell)).join("\n");
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^\n/, "")
    .replace(/\u00a0/g, " ")
    .trimEnd();
}

/** The cells of a table that hold code: one for all lines, or one a line. */
function codeCells(table: Element): Element[] {
  const cells = findAll(table, ({ name }) => name === "td");
  const code = cells.filter((cell) => !isNamed(cell, BESIDE) && !find(cell, (each) => isNamed(each, BESIDE)));
  return code.length > 0 ? code : cells.slice(-1);
}

/** Collects code out of the elements of a highlighter. */
class CodeText {
  readonly #parts: string[] = [];
  #last = "\n";

  of(element: Element): string {
    this.#collect(element);
    return this.#parts.join("");
  }

  #add(text: string): void {
    if (text === "") return;
    this.#parts.push(text);
    this.#last = text.at(-1)!;
  }

  #collect(element: Element): void {
    let isBehindLine = false;
    for (const child of element.children) {
      if (typeof child === "string") {
        this.#add(child);
        isBehindLine = false;
      } else if (!isBeside(child)) {
        const isLine = /^(?:div|li|p|code)$/.test(child.name) || isNamed(child, LINE);
        if (isLine && isBehindLine && this.#last !== "\n") this.#add("\n");
        if (child.name === "br") this.#add("\n");
        else this.#collect(child);
        isBehindLine = isLine;
      }
    }
  }
}

function isBeside(element: Element): boolean {
  if (/^(?:button|script|style|svg|select|input|textarea|template)$/.test(element.name)) return true;
  return isNamed(element, BESIDE) || attribute(element, "aria-hidden") === "true";
}

/** The language that an element's classes or attributes name. */
function languageOf(element: Element): string | undefined {
  const brush = /\bbrush:\s*([\w+#.-]{1,30})/.exec(attribute(element, "class").slice(0, 500))?.[1];
  const stated = ["data-lang", "data-language", "data-syntax", "lang-name"].map((name) =>
    attribute(element, name).trim(),
  );
  const named = classesOf(element).flatMap((name, i, all) => {
    const behind = /^(?:language|lang|highlight-source|highlight-text|highlight|src|brush)-(.+)$/i.exec(name)?.[1];
    if (behind) return [behind];
    return /^(?:sourceCode|hljs|prettyprint|programlisting)$/.test(name) ? [all[i + 1] ?? "", all[i - 1] ?? ""] : [];
  });
  return [brush ?? "", ...stated, ...named]
    .map((name) =>
      name
        .toLowerCase()
        .replace(/^lang(?:uage)?-/, "")
        .replace(/^html-basic$/, "html"),
    )
    .find((name) => LANGUAGE.test(name) && !NOT_A_LANGUAGE.has(name));
}

/** The title that stands above code inside its container. */
function titleIn(container: Element): string | undefined {
  if (container.name !== "div" && container.name !== "figure") return undefined;
  const title = elementsIn(container.children.slice(0, 12)).find(isCodeTitle);
  const text = title ? lineOf(title).replace(/(?<!\s)\s*[¶#]$/, "") : "";
  return text !== "" && text.length <= 200 ? text : undefined;
}

/** Whether an element is the title of the code below it. */
export function isCodeTitle(element: Element): boolean {
  return isNamed(element, TITLES) || element.attributes.has("data-rehype-pretty-code-title");
}
