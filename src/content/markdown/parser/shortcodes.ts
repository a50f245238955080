// Shortcodes of other generators that correspond to a block: Hugo's `{{< name argument >}}` and `{{% name %}}`, and
// `{% highlight language %}` of Jekyll. Only a shortcode alone on its line is read; any other stays text.

import type { CodeNode, TagNode } from "../nodes";
import { findTrimmedEnd } from "./characters";
import { type ClosingOffsets, isClosedBelow, type VerbatimLeaf } from "./leaf-blocks";
import type { LineCursor } from "./line-cursor";
import { parseTagAttributes, scanTag } from "./tags";

/** A shortcode that takes up a line. */
export interface Shortcode {
  name: string;
  argument: string;
  isClosing: boolean;
}

const CODE_SHORTCODES = new Set(["code", "highlight", "output", "code-toggle", "codeblock"]);
/** Shortcodes that contain Markdown and become hints. */
const HINT_SHORTCODES = new Set("note tip info warning caution danger important attention".split(" "));

/** Parses a line that is one shortcode; undefined for any other line. */
function parseShortcode(line: LineCursor): Shortcode | undefined {
  const { source, text: start } = line;
  const sign = source[start + 2];
  if (source[start + 1] !== "{" || (sign !== "<" && sign !== "%")) return undefined;
  const end = findTrimmedEnd(source, start, line.end);
  const inside = source.slice(start + 3, end - 3);
  if (source.slice(end - 3, end) !== (sign === "<" ? ">}}" : "%}}") || /\{\{[<%]|[>%]\}\}/.test(inside))
    return undefined;
  const [head, slash, name] = /^[ \t]*(?:(\/)[ \t]*)?([A-Za-z][\w-]*)(?![^ \t/])/.exec(inside.slice(0, 80)) ?? [];
  if (head === undefined) return undefined;
  return { name: name!, argument: inside.slice(head.length).trim(), isClosing: slash === "/" };
}

/** Returns the pattern of the line that closes a shortcode; a tag's name begins with `%`. */
function getClosingPattern(name: string): string {
  return name.startsWith("%")
    ? `\\{%-?[ \\t]*end${name.slice(1)}[ \\t]*-?%\\}`
    : `\\{\\{[<%][ \\t]*/[ \\t]*${name}[ \\t]*[>%]\\}\\}`;
}

/** Opens code if the line is a shortcode or highlighting tag with code, and a line below closes it. */
export function beginShortcodeCode(line: LineCursor, offsets: ClosingOffsets): VerbatimLeaf | undefined {
  let opening = parseShortcode(line);
  if (!opening) {
    const { source, text, end } = line;
    const tag = scanTag(source, text, end);
    if (tag?.name !== "highlight" || source.slice(tag.end, end).trim() !== "") return undefined;
    opening = { name: "%highlight", argument: tag.argument, isClosing: false };
  }
  const { name, isClosing } = opening;
  if (isClosing || !CODE_SHORTCODES.has(name.replace("%", ""))) return undefined;
  return isClosedBelow(line, name, getClosingPattern(name), offsets) ? createCodeLeaf(line, opening) : undefined;
}

function createCodeLeaf(line: LineCursor, { name, argument }: Shortcode): VerbatimLeaf {
  const { text: start, end, indent } = line;
  const given = parseTagAttributes(argument);
  const first = /^[A-Za-z][\w+#-]{0,39}(?![^ \t])/.exec(argument)?.[0];
  const lang = given.lang ?? (name.endsWith("highlight") ? first : undefined) ?? null;
  const title = given.file ?? given.title;
  const attributes: Record<string, string> = Object.assign(Object.create(null), title ? { title } : {});
  const code: CodeNode = { type: "code", lang, meta: null, value: "", start: line.next, end: line.next };
  const node: TagNode = {
    type: "tag",
    name: "code",
    argument,
    attributes,
    open: { start, end },
    close: undefined,
    children: [code],
    start,
    end,
  };
  const closing = new RegExp(`^${getClosingPattern(name)}[ \\t]*$`);
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

/** Converts a shortcode of a hint or an embed to the tag for it; undefined for any other line. */
export function convertShortcode(
  line: LineCursor,
  offsets: ClosingOffsets,
  isOpen: (name: string) => boolean,
): { name: string; argument: string } | undefined {
  const shortcode = parseShortcode(line);
  if (!shortcode) return undefined;
  const { name, argument, isClosing } = shortcode;
  if (isClosing) return HINT_SHORTCODES.has(name) && isOpen(name) ? { name: `end${name}`, argument: "" } : undefined;
  if (HINT_SHORTCODES.has(name)) {
    return isClosedBelow(line, name, getClosingPattern(name), offsets) ? { name, argument } : undefined;
  }

  const given = parseTagAttributes(argument);
  const words = argument.split(/[ \t]+/).map((word) => /^"?([\w-]{1,64})"?$/.exec(word)?.[1]);
  const [user, id] = [given.user ?? words[0], given.id ?? words.at(-1)].map(
    (word) => /^[\w-]{1,64}$/.exec(word ?? "")?.[0],
  );
  if (id === undefined || user === undefined) return undefined;
  let url: string | undefined;
  if (name === "youtube") url = `https://www.youtube.com/watch?v=${id}`;
  else if (name === "vimeo") url = `https://vimeo.com/${id}`;
  else if (name === "gist" && words.length > 1) url = `https://gist.github.com/${user}/${id}`;
  else if ((name === "tweet" || name === "x") && given.user) url = `https://twitter.com/${user}/status/${id}`;
  else if (name === "instagram") url = `https://www.instagram.com/p/${id}/`;
  return url === undefined ? undefined : { name: "embed", argument: `url="${url}"` };
}
