// A text put behind another one, so that both read as they did alone.

import type { Steps } from "../../utils/concurrency/steps";
import type { Block } from "../document";
import { parseInSteps } from "./parse";
import { readPageInSteps } from "./reader/page";
import { asWritten } from "./reader/reading";
import { writeInSteps } from "./write";

/**
 * A text with a body behind it, step by step: byte for byte, unless one would change how the other is read. Two notes
 * may have one label, for example, or the text may end in code that nothing closes. Then the body is written anew.
 */
export function* appendInSteps(text: string, body: string): Steps<string> {
  if (body.trim() === "") return text;
  // Behind something else, a heading is not a title, and a rule does not begin front matter.
  const [, ...behind] = yield* blocksIn(`a\n\n${body}`);
  const nodes = [...(yield* blocksIn(text)), ...behind];
  const joined = text.trim() === "" ? body : `${text.trimEnd()}\n\n${body}`;
  if (said(yield* blocksIn(joined)) === said(nodes)) return joined;
  return yield* writeInSteps({ object: "document", data: {}, nodes }, { original: text });
}

function* blocksIn(text: string): Steps<Block[]> {
  const { parts } = yield* readPageInSteps(text, yield* parseInSteps(text), asWritten);
  return parts.map(({ block }) => block);
}

/** What blocks say; keys and anchors depend on what stands before. */
function said(blocks: readonly Block[]): string {
  return JSON.stringify(blocks, (name, value) => (name === "key" || name === "meta" ? undefined : value));
}
