// The context that a block is laid out in: its place, its width and the style of its text.

import type { Block, ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import type { Strip } from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import type { FormulaParser } from "../formulas/parse-formula";
import type { Album } from "../images/album";
import { getPlaceName, type PdfLinkTarget, sanitizeUrl } from "../targets";
import { MIN_TEXT_WIDTH, type PdfColor, type TextSize } from "../theme";
import type { PrinterMessages } from "../words";
import type { PageNotes } from "./notes";

export interface LayoutContext {
  readonly job: PrintJob;
  readonly typeset: Typeset;
  readonly album: Album;
  readonly words: PrinterMessages;
  /** Parses formulas, if the page has any. */
  readonly formulas: FormulaParser | undefined;
  /** The printed page of the content. */
  readonly page: { readonly id: string; readonly depth: number };
  /** The titles of pages that were printed. */
  readonly titles: ReadonlyMap<string, string>;
  readonly notes: PageNotes;
  readonly width: number;
  readonly size: TextSize;
  readonly color: PdfColor;
  readonly isBold: boolean;
  /** The default alignment of paragraphs. */
  readonly align?: "center" | "end" | undefined;
  /** The space around a paragraph. */
  readonly space: number;
  /** The number of blocks around this one. */
  readonly depth: number;
  /** The number of lists around this block. */
  readonly lists: number;
  readonly layOutBlocks: (blocks: readonly Block[], context: LayoutContext) => Iterable<Strip>;
}

/** Creates the context inside of a block that takes space at the left and at the right. */
export function createInnerContext(
  context: LayoutContext,
  left: number,
  right: number,
  changes: Partial<LayoutContext> = {},
): LayoutContext {
  return { ...context, width: context.width - left - right, depth: context.depth + 1, ...changes };
}

/** Returns the wanted indentation, or none if too little width would be left. */
export function getIndentation(context: LayoutContext, wanted: number): number {
  return context.width - wanted >= MIN_TEXT_WIDTH ? wanted : 0;
}

/** Resolves a reference on the printed page. Returns undefined if it has no target. */
export function resolveReferenceTarget(ref: ContentRef | undefined, context: LayoutContext): PdfLinkTarget | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  // A reference that names a space points outside of the printed one.
  let place: string | undefined;
  if (ref.kind === "page" && ref.space === undefined) place = getPlaceName(ref.page);
  if (ref.kind === "anchor" && ref.space === undefined) place = getPlaceName(ref.page ?? context.page.id, ref.anchor);
  const url = sanitizeUrl(ref.kind === "url" ? ref.url : context.job.url(ref));
  return place === undefined && url === undefined ? undefined : { place, url };
}

/** Returns the name of a reference: that of the job, a title that was printed, or its URL. */
export function getReferenceName(ref: ContentRef | undefined, context: LayoutContext): string | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  const own = context.job.name?.(ref) || (ref.kind === "page" && context.titles.get(ref.page));
  return own || resolveReferenceTarget(ref, context)?.url;
}
