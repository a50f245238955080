// Converts Markdown blocks to phrases, for places that cannot contain blocks: titles, captions, and links around them.

import type { BlockNode, InlineNode, SourceSpan, TextNode } from "../nodes";
import { stripHtmlTags } from "./words";

/** Converts blocks to phrases, with a space between one block and the next. */
export function toPhrases(blocks: readonly BlockNode[]): InlineNode[] {
  const phrases: InlineNode[] = [];
  for (const block of blocks) {
    const { start, end } = block;
    let own: InlineNode[] = [];
    switch (block.type) {
      case "paragraph":
      case "heading":
        own = block.children;
        break;
      case "blockquote":
      case "tag":
      case "footnoteDefinition":
        own = toPhrases(block.children);
        break;
      case "details":
        own = [createTextPhrase(`${stripHtmlTags(block.summary)} `, block), ...toPhrases(block.children)];
        break;
      case "list":
        own = toPhrases(block.children.flatMap(({ children }) => children));
        break;
      case "table":
        own = toPhrases(
          block.children.flatMap(({ children }) => children.map((cell) => ({ ...cell, type: "paragraph" as const }))),
        );
        break;
      case "code":
        if (block.value !== "") own = [{ type: "inlineCode", value: block.value, start, end }];
        break;
      case "math":
        own = [{ type: "inlineMath", value: block.value, start, end }];
        break;
      case "html":
        own = block.inside ? toPhrases(block.inside) : [createTextPhrase(stripHtmlTags(block.value), block)];
    }
    if (phrases.length > 0 && own.length > 0) phrases.push(createTextPhrase(" ", block));
    for (const phrase of own) phrases.push(phrase);
  }
  return phrases;
}

export function createTextPhrase(value: string, { start, end }: SourceSpan): TextNode {
  return { type: "text", value, start, end };
}
