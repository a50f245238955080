// Moves the blocks between an opening and a closing tag into the tag. An opening tag that is never closed, and a closing
// tag that closes nothing, stay alone in their place.

import type { Steps } from "../../../utils/concurrency/steps";
import { MAX_TAG_DEPTH } from "../limits";
import type { BlockNode } from "../nodes";
import { countOpenDetails, joinDetails, parseWholeDetails, type ReadFragment } from "./details";

const DETAILS = "<details>";

/** An opening tag that is not closed yet. */
interface Opening {
  name: string;
  /** Its index in the blocks. */
  at: number;
}

/** Groups a list of blocks. `read` parses the Markdown inside the HTML of `<details>`. */
export class Groups {
  readonly blocks: BlockNode[] = [];
  readonly #open: Opening[] = [];
  /** The number of open tags, by their names. */
  readonly #waiting = new Map<string, number>();

  constructor(readonly read: ReadFragment) {}

  *add(block: BlockNode): Steps<void> {
    let closed: string | undefined;
    if (block.type === "tag" && block.name.startsWith("end")) closed = block.name.slice(3);
    else if (block.type === "html" && /^\s*<\/details\s*>/i.test(block.value)) closed = DETAILS;
    if (closed !== undefined && this.#waiting.get(closed)) {
      const { at } = this.#innermost(closed);
      const children = this.blocks.splice(at + 1);
      const opening = this.blocks.pop()!;
      if (opening.type === "tag") {
        const { start, end } = block;
        this.blocks.push({ ...opening, close: { start, end }, children, end });
      } else if (opening.type === "html" && block.type === "html") {
        for (const part of yield* joinDetails(opening, children, block, this.read)) this.blocks.push(part);
      }
      return;
    }
    this.blocks.push((block.type === "html" && (yield* parseWholeDetails(block, this.read))) || block);

    let opened: string | undefined;
    if (block.type === "tag" && !block.name.startsWith("end")) opened = block.name;
    else if (block.type === "html" && countOpenDetails(block.value) === 1) opened = DETAILS;
    if (opened === undefined || this.#open.length >= MAX_TAG_DEPTH) return;
    this.#open.push({ name: opened, at: this.blocks.length - 1 });
    this.#waiting.set(opened, (this.#waiting.get(opened) ?? 0) + 1);
  }

  #innermost(name: string): Opening {
    for (;;) {
      const opening = this.#open.pop()!;
      this.#waiting.set(opening.name, this.#waiting.get(opening.name)! - 1);
      if (opening.name === name) return opening;
    }
  }
}
