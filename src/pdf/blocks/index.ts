// Every block as strips. An unknown block, or one that is too deep to be indented further, is printed as plain text. A
// block that cannot be printed leaves a note, and the rest goes on.

import type { Block } from "../../content/document";
import type { Strip } from "../flow/strip";
import { MAX_DEPTH } from "../limits";
import { COLOURS, NARROWEST } from "../look";
import { expandable, hint, stepper, tabs, update } from "./boxes";
import { contentRef, embed, file, integration, reusableContent } from "./cards";
import { code } from "./code";
import { columns } from "./columns";
import { setContent } from "./containers";
import { list } from "./lists";
import { operation, schemas, webhook } from "./openapi";
import { setParagraph } from "./paragraphs";
import { baseStyle } from "./phrasing";
import { drawing, image, images } from "./pictures";
import type { Setting } from "./setting";
import { table } from "./table";
import { blockquote, divider, heading, math, paragraph, plainBlock, unknown } from "./text";

type Printers = { readonly [Type in Block["type"]]: (block: never, setting: Setting) => Iterable<Strip> };

const PRINTERS: Printers = {
  paragraph,
  "heading-1": heading,
  "heading-2": heading,
  "heading-3": heading,
  "list-ordered": list,
  "list-unordered": list,
  "list-tasks": list,
  "list-item": setContent,
  divider,
  blockquote,
  hint,
  if: setContent,
  images,
  image,
  file,
  drawing,
  embed,
  math,
  code,
  "code-line": plainBlock,
  expandable,
  tabs,
  "tabs-item": setContent,
  table,
  "content-ref": contentRef,
  "reusable-content": reusableContent,
  integration,
  stepper,
  "stepper-step": setContent,
  columns,
  column: setContent,
  swagger: operation,
  "openapi-operation": operation,
  "openapi-schemas": schemas,
  "openapi-webhook": webhook,
  updates: setContent,
  update,
  unknown,
};

/** Blocks that take room at their sides. */
const FRAMES: ReadonlySet<Block["type"]> = new Set(["blockquote", "hint", "tabs", "table"]);

/** Sets blocks below one another. */
export function* setBlocks(blocks: readonly Block[], setting: Setting): Generator<Strip> {
  for (const block of blocks) {
    try {
      yield* setBlock(block, setting);
    } catch {
      yield* unprinted(setting);
    }
  }
}

function setBlock(block: Block, setting: Setting): Iterable<Strip> {
  const isKnown = Object.hasOwn(PRINTERS, block.type);
  const hasRoom = setting.depth < MAX_DEPTH && (setting.width >= NARROWEST || !FRAMES.has(block.type));
  return isKnown && hasRoom ? PRINTERS[block.type](block as never, setting) : plainBlock(block, setting);
}

/** A note in place of a block. */
function unprinted(setting: Setting): Strip[] {
  const style = baseStyle(setting, { isItalic: true, colour: COLOURS.muted });
  const { size, space } = setting;
  return setParagraph([{ text: setting.words.unprinted, style }], setting, { size, before: space, after: space });
}
