// Replaces tags by plain Markdown, for readers that don't know them: language models and other programs.

import type { Steps } from "../../utils/concurrency/steps";
import { applyTextEdits, type TextEdit } from "../text-edits";
import type { BlockNode, RootNode } from "./nodes";
import { parseMarkdownInSteps } from "./parse";
import { HINTS } from "./reader/hints";
import { isKnownTag } from "./reader/tags";

const LABELS = { info: "Note", success: "Tip", warning: "Warning", danger: "Danger" } as const;

/**
 * Returns a text without block tags: a hint begins with its kind in bold, a tab or an update with its title, and a tag that
 * shows something from elsewhere becomes a link. The content of tags and unknown tags stay as they are.
 */
export function* replaceTagsInSteps(text: string): Steps<string> {
  const edits: TextEdit[] = [];
  const open: (RootNode | BlockNode)[] = [yield* parseMarkdownInSteps(text)];
  for (let node = open.pop(); node; node = open.pop()) {
    // A closing tag that closes nothing is removed too.
    const isKnown =
      node.type === "tag" &&
      (isKnownTag(node.name) || (!node.close && node.name.startsWith("end") && isKnownTag(node.name.slice(3))));
    if (node.type === "tag" && isKnown) {
      const { start, end } = node.open;
      // Continues the block quotes and list items around the tag on the next line.
      const prefix = text.slice(text.lastIndexOf("\n", start - 1) + 1, start).replace(/[^>\s]/g, " ");
      // A tag as Markdown; "" for a tag without anything to show.
      const { name, attributes, close } = node;
      const style = HINTS.get(name === "hint" ? (attributes.style ?? "info") : name);
      const title = [style && LABELS[style], attributes.date, attributes.title ?? attributes.summary]
        .filter(Boolean)
        .join(": ");
      const { method, path } = attributes;
      const url = attributes.url ?? attributes.src ?? attributes.spec ?? attributes.page ?? "";
      const description = [
        title === "" ? "" : `**${title.replace(/[\r\n]+/g, " ").replace(/[*\\]/g, "\\$&")}**`,
        method && path ? `\`${method.toUpperCase()} ${path}\`` : "",
        // A tag with content has the link in its content.
        !close && /^https?:[^\s<>]+$/.test(url) ? `<${url}>` : "",
      ]
        .filter(Boolean)
        .join(" ");
      edits.push({ from: start, to: end, text: description && `${description}\n${prefix.trimEnd()}` });
      if (node.close) edits.push({ from: node.close.start, to: node.close.end, text: "" });
    }
    if ("children" in node) for (const child of node.children) open.push(child as BlockNode);
    yield;
  }
  return applyTextEdits(text, edits);
}
