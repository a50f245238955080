// Tags of other generators that we have a block for: Hugo's shortcodes, `{{< name argument >}}` and `{{% name %}}`, and
// `{% highlight language %}`. Only one that stands alone on its line is read; every other one stays text.

import type { Code, Tag } from "../nodes";
import { isSpace } from "./characters";
import type { VerbatimLeaf } from "./leaves";
import type { Line } from "./lines";
import { attributesOf, scanTag } from "./tags";

/** A shortcode that is a line. */
export interface Shortcode {
  name: string;
  argument: string;
  isClosing: boolean;
}

/** Shortcodes that hold code. */
const CODE = new Set(["code", "highlight", "output", "code-toggle", "codeblock"]);
/** Shortcodes around Markdown that a tag of ours may be read from. */
const AROUND = new Set("note tip info warning caution danger important attention".split(" "));

/** The shortcode that a line consists of. */
export function shortcodeIn(line: Line): Shortcode | undefined {
  const { source, text: start } = line;
  const sign = source[start + 2];
  if (source[start + 1] !== "{" || (sign !== "<" && sign !== "%")) return undefined;
  let end = line.end;
  while (end > start && isSpace(source.charCodeAt(end - 1))) end--;
  const inside = source.slice(start + 3, end - 3);
  if (source.slice(end - 3, end) !== (sign === "<" ? ">}}" : "%}}") || /\{\{[<%]|[>%]\}\}/.test(inside))
    return undefined;
  const [head, slash, name] = /^[ \t]*(?:(\/)[ \t]*)?([A-Za-z][\w-]*)(?![^ \t/])/.exec(inside.slice(0, 80)) ?? [];
  if (head === undefined) return undefined;
  return { name: name!, argument: inside.slice(head.length).trim(), isClosing: slash === "/" };
}

/** Where shortcodes are closed, by their names; found once for each stretch of a text. */
export type Ends = Map<string, number>;

/** Whether a shortcode, or a tag of that name, is closed on a line below. */
function isClosedBelow({ source, end }: Line, name: string, ends: Ends): boolean {
  const known = ends.get(name) ?? -1;
  if (known > end) return known < Number.POSITIVE_INFINITY;
  const closing = new RegExp(`[\\r\\n][ \\t>]*${closingOf(name)}`, "g");
  closing.lastIndex = end;
  const found = closing.exec(source)?.index ?? Number.POSITIVE_INFINITY;
  ends.set(name, found);
  return found < Number.POSITIVE_INFINITY;
}

function closingOf(name: string): string {
  return name.startsWith("%")
    ? `\\{%-?[ \\t]*end${name.slice(1)}[ \\t]*-?%\\}`
    : `\\{\\{[<%][ \\t]*/[ \\t]*${name}[ \\t]*[>%]\\}\\}`;
}

/** Code between shortcodes or highlighting tags, if the line opens it and a line below closes it. */
export function beginForeignCode(line: Line, ends: Ends): VerbatimLeaf | undefined {
  const opened = shortcodeIn(line) ?? highlightIn(line);
  if (!opened || opened.isClosing || !CODE.has(opened.name.replace("%", ""))) return undefined;
  return isClosedBelow(line, opened.name, ends) ? foreignCode(line, opened) : undefined;
}

/** `{% highlight ruby %}`, under a name of its own. */
function highlightIn({ source, text, end }: Line): Shortcode | undefined {
  const tag = scanTag(source, text, end);
  if (tag?.name !== "highlight" || source.slice(tag.end, end).trim() !== "") return undefined;
  return { name: "%highlight", argument: tag.argument, isClosing: false };
}

function foreignCode(line: Line, { name, argument }: Shortcode): VerbatimLeaf {
  const { text: start, end, indent } = line;
  const said = attributesOf(argument);
  const first = /^[A-Za-z][\w+#-]{0,39}(?![^ \t])/.exec(argument)?.[0];
  const lang = said.lang ?? (name.endsWith("highlight") ? first : undefined) ?? null;
  const title = said.file ?? said.title;
  const attributes: Record<string, string> = Object.assign(Object.create(null), title ? { title } : {});
  const code: Code = { type: "code", lang, meta: null, value: "", start: line.next, end: line.next };
  const open = { start, end };
  const node: Tag = {
    type: "tag",
    name: "code",
    argument,
    attributes,
    open,
    close: undefined,
    children: [code],
    start,
    end,
  };
  const closing = new RegExp(`^${closingOf(name)}[ \\t]*$`);
  const lines: string[] = [];
  return {
    type: "verbatim",
    node,
    isVerbatim: true,
    isDone: false,
    take(next) {
      if (closing.test(next.rest)) {
        node.close = { start: next.text, end: next.end };
        node.end = next.end;
        return "last";
      }
      if (lines.length === 0) code.start = next.start;
      next.skipColumns(indent);
      lines.push(next.raw);
      code.end = node.end = next.end;
      return "more";
    },
    close() {
      code.value = lines.join("\n");
      code.start = Math.min(code.start, code.end);
      node.close ??= { start: node.end, end: node.end };
    },
  };
}

/** The tag that a shortcode around Markdown, or one that embeds something, is read as. */
export function tagOfShortcode(
  line: Line,
  ends: Ends,
  isOpen: (name: string) => boolean,
): { name: string; argument: string } | undefined {
  const found = shortcodeIn(line);
  if (!found) return undefined;
  const { name, argument, isClosing } = found;
  if (isClosing) return AROUND.has(name) && isOpen(name) ? { name: `end${name}`, argument: "" } : undefined;
  if (AROUND.has(name)) return isClosedBelow(line, name, ends) ? { name, argument } : undefined;
  const url = embeddedBy(name, argument);
  return url === undefined ? undefined : { name: "embed", argument: `url="${url}"` };
}

function embeddedBy(name: string, argument: string): string | undefined {
  const said = attributesOf(argument);
  const words = argument.split(/[ \t]+/).map((word) => /^"?([\w-]{1,64})"?$/.exec(word)?.[1]);
  const [user, id] = [said.user ?? words[0], said.id ?? words.at(-1)].map(
    (word) => /^[\w-]{1,64}$/.exec(word ?? "")?.[0],
  );
  if (id === undefined || user === undefined) return undefined;
  if (name === "youtube") return `https://www.youtube.com/watch?v=${id}`;
  if (name === "vimeo") return `https://vimeo.com/${id}`;
  if (name === "gist") return words.length > 1 ? `https://gist.github.com/${user}/${id}` : undefined;
  if (name === "tweet" || name === "x") return said.user ? `https://twitter.com/${user}/status/${id}` : undefined;
  return name === "instagram" ? `https://www.instagram.com/p/${id}/` : undefined;
}
