// Appends a text to another one, so that each has the same blocks as alone.

import type { Steps } from "../../utils/concurrency/steps";
import type { Block } from "../document";
import { resolveAsWritten } from "./hrefs";
import { parseMarkdownInSteps } from "./parse";
import { readPageBlocksInSteps } from "./reader/page";
import { writeInSteps } from "./write";

/**
 * Appends a body to a text, step by step: byte for byte, unless one would change how the other is parsed. Two footnotes can
 * have the same label, for example, or the text can end in unclosed code. Then the body is written anew.
 */
export function* appendInSteps(text: string, body: string): Steps<string> {
  if (body.trim() === "") return text;
  // After another block, a heading is not a title, and a thematic break does not begin front matter.
  const [, ...appended] = yield* readBlocks(`a\n\n${body}`);
  const nodes = [...(yield* readBlocks(text)), ...appended];
  const joined = text.trim() === "" ? body : `${text.trimEnd()}\n\n${body}`;
  // Keys and anchors depend on the blocks before them.
  const [joinedContent, content] = [yield* readBlocks(joined), nodes].map((blocks) =>
    JSON.stringify(blocks, (name, value) => (name === "key" || name === "meta" ? undefined : value)),
  );
  if (joinedContent === content) return joined;
  return yield* writeInSteps({ object: "document", data: {}, nodes }, { original: text });
}

function* readBlocks(text: string): Steps<Block[]> {
  const { parts } = yield* readPageBlocksInSteps(text, yield* parseMarkdownInSteps(text), resolveAsWritten);
  return parts.map(({ block }) => block);
}
