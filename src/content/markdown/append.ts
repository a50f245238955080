// Appends a text to another one, so that each has the same blocks as alone.

import type { Steps } from "../../utils/concurrency/steps";
import { readPageBlocksInSteps } from "./reader/page";
import { writeInSteps } from "./write";

/**
 * Appends a body to a text, step by step: byte for byte, unless one would change how the other is parsed. Two footnotes can
 * have the same label, for example, or the text can end in unclosed code. Then the body is written anew.
 */
export function* appendInSteps(text: string, body: string): Steps<string> {
  if (body.trim() === "") return text;
  // After another block, a heading is not a title, and a thematic break does not begin front matter.
  const { parts: appended } = yield* readPageBlocksInSteps(`a\n\n${body}`);
  const { parts: present } = yield* readPageBlocksInSteps(text);
  const nodes = [...present, ...appended.slice(1)].map(({ block }) => block);
  const joined = text.trim() === "" ? body : `${text.trimEnd()}\n\n${body}`;
  // Keys and anchors depend on the blocks before them.
  const { parts } = yield* readPageBlocksInSteps(joined);
  const [joinedContent, content] = [parts.map(({ block }) => block), nodes].map((blocks) =>
    JSON.stringify(blocks, (name, value) => (name === "key" || name === "meta" ? undefined : value)),
  );
  if (joinedContent === content) return joined;
  return yield* writeInSteps({ object: "document", data: {}, nodes }, { original: text });
}
