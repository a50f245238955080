// Tags as plain Markdown, for readers that don't know them: language models and other programs.

import type { Steps } from "../../utils/concurrency/steps";
import { applyTextEdits, type TextEdit } from "../text-edits";
import type { Block, Root, Tag } from "./nodes";
import { parseInSteps } from "./parse";
import { HINTS } from "./reader/hints";
import { isKnownTag } from "./reader/tags";

const LABELS = { info: "Note", success: "Tip", warning: "Warning", danger: "Danger" } as const;

/**
 * Returns a text without block tags: a hint begins with its kind in bold, a tab or an update with its title, and a tag that
 * shows something from elsewhere becomes a link. The content of tags and unknown tags stay as they are.
 */
export function* replaceTagsInSteps(text: string): Steps<string> {
  const edits: TextEdit[] = [];
  const open: (Root | Block)[] = [yield* parseInSteps(text)];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.type === "tag" && isOurs(node)) {
      edits.push({ from: node.open.start, to: node.open.end, text: describeTag(node, continuation(text, node)) });
      if (node.close) edits.push({ from: node.close.start, to: node.close.end, text: "" });
    }
    if ("children" in node) for (const child of node.children) open.push(child as Block);
    yield;
  }
  return applyTextEdits(text, edits);
}

/** Whether a tag is one of ours, or the end of one that closes nothing. */
function isOurs({ name, close }: Tag): boolean {
  return isKnownTag(name) || (!close && name.startsWith("end") && isKnownTag(name.slice("end".length)));
}

/** Returns a line break and the marks that continue the quotes and items in which a tag stands. */
function continuation(text: string, { open }: Tag): string {
  const line = text.slice(text.lastIndexOf("\n", open.start - 1) + 1, open.start);
  return `\n${line.replace(/[^>\s]/g, " ").trimEnd()}`;
}

function describeTag({ name, attributes, close }: Tag, lineBreak: string): string {
  const style = HINTS.get(name === "hint" ? (attributes.style ?? "info") : name);
  const title = [style && LABELS[style], attributes.date, attributes.title ?? attributes.summary]
    .filter(Boolean)
    .join(": ");
  const { method, path } = attributes;
  const url = attributes.url ?? attributes.src ?? attributes.spec ?? attributes.page ?? "";
  const parts = [
    title === "" ? "" : `**${title.replace(/[\r\n]+/g, " ").replace(/[*\\]/g, "\\$&")}**`,
    method && path ? `\`${method.toUpperCase()} ${path}\`` : "",
    // A pair holds the link itself.
    !close && /^https?:[^\s<>]+$/.test(url) ? `<${url}>` : "",
  ].filter(Boolean);
  return parts.length === 0 ? "" : parts.join(" ") + lineBreak;
}
