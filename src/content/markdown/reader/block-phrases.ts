// Converts Markdown blocks to phrases, for places that cannot contain blocks: titles, captions, and links around them.

import type { BlockNode, InlineNode, SourceSpan, TextNode } from "../nodes";
import { stripHtmlTags } from "./words";

/** Converts blocks to phrases, with a space between one block and the next. */
export function toPhrases(blocks: readonly BlockNode[]): InlineNode[] {
  const phrases: InlineNode[] = [];
  for (const block of blocks) {
    const own = convertBlock(block);
    if (phrases.length > 0 && own.length > 0) phrases.push(createTextPhrase(" ", block));
    for (const phrase of own) phrases.push(phrase);
  }
  return phrases;
}

function convertBlock(block: BlockNode): InlineNode[] {
  const { start, end } = block;
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children;
    case "blockquote":
    case "tag":
    case "footnoteDefinition":
      return toPhrases(block.children);
    case "details":
      return [createTextPhrase(`${stripHtmlTags(block.summary)} `, block), ...toPhrases(block.children)];
    case "list":
      return toPhrases(block.children.flatMap(({ children }) => children));
    case "table":
      return toPhrases(
        block.children.flatMap(({ children }) => children.map((cell) => ({ ...cell, type: "paragraph" as const }))),
      );
    case "code":
      return block.value === "" ? [] : [{ type: "inlineCode", value: block.value, start, end }];
    case "math":
      return [{ type: "inlineMath", value: block.value, start, end }];
    case "html":
      return block.inside ? toPhrases(block.inside) : [createTextPhrase(stripHtmlTags(block.value), block)];
    default:
      return [];
  }
}

/** Creates a text at a place in the source. */
export function createTextPhrase(value: string, { start, end }: SourceSpan): TextNode {
  return { type: "text", value, start, end };
}
