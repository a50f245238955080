// Blocks of Markdown as phrases, for places that hold no blocks: titles, captions, and links around them.

import type { Block, Inline } from "../nodes";
import { withoutTags } from "./words";

/** What blocks say, in order, with a space between one block and the next. */
export function phrasesIn(blocks: readonly Block[]): Inline[] {
  const phrases: Inline[] = [];
  for (const block of blocks) {
    const own = phrasesOf(block);
    if (phrases.length > 0 && own.length > 0) phrases.push(textAt(" ", block));
    for (const phrase of own) phrases.push(phrase);
  }
  return phrases;
}

function phrasesOf(block: Block): Inline[] {
  const { start, end } = block;
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children;
    case "blockquote":
    case "tag":
    case "footnoteDefinition":
      return phrasesIn(block.children);
    case "details":
      return [textAt(`${withoutTags(block.summary)} `, block), ...phrasesIn(block.children)];
    case "list":
      return phrasesIn(block.children.flatMap(({ children }) => children));
    case "table":
      return phrasesIn(
        block.children.flatMap(({ children }) => children.map((cell) => ({ ...cell, type: "paragraph" as const }))),
      );
    case "code":
      return block.value === "" ? [] : [{ type: "inlineCode", value: block.value, start, end }];
    case "math":
      return [{ type: "inlineMath", value: block.value, start, end }];
    case "html":
      return block.inside ? phrasesIn(block.inside) : [textAt(withoutTags(block.value), block)];
    default:
      return [];
  }
}

function textAt(value: string, { start, end }: Block): Inline {
  return { type: "text", value, start, end };
}
