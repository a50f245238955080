// What setting a block needs to know: where it stands, how wide it may be and how its text looks.

import type { Block, ContentRef } from "../../content/document";
import type { PrintJob } from "../../content/print-job";
import type { Strip } from "../flow/strip";
import type { Typeset } from "../fonts/typeset";
import type { FormulaReader } from "../formulas/read";
import type { Album } from "../images/album";
import { type Colour, NARROWEST, type Size } from "../look";
import { type Target, targetOf } from "../targets";
import type { PrinterWords } from "../words";
import type { PageNotes } from "./notes";

/** Where and how blocks are set. */
export interface Setting {
  readonly job: PrintJob;
  readonly typeset: Typeset;
  readonly album: Album;
  readonly words: PrinterWords;
  /** Reads formulas, where there are any. */
  readonly formulas: FormulaReader | undefined;
  /** The page of the content that is printed. */
  readonly page: { readonly id: string; readonly depth: number };
  /** What pages that were printed are called. */
  readonly titles: ReadonlyMap<string, string>;
  readonly notes: PageNotes;
  readonly width: number;
  readonly size: Size;
  readonly colour: Colour;
  readonly isBold: boolean;
  /** How paragraphs stand that do not say it themselves. */
  readonly align?: "center" | "end" | undefined;
  /** The free space around a paragraph. */
  readonly space: number;
  /** How many blocks this one is inside of. */
  readonly depth: number;
  /** How many lists this one is inside of. */
  readonly lists: number;
  /** Sets blocks. */
  readonly set: (blocks: readonly Block[], setting: Setting) => Iterable<Strip>;
}

/** The setting inside of something that takes space at the left and at the right. */
export function inside(setting: Setting, left: number, right: number, changes: Partial<Setting> = {}): Setting {
  return { ...setting, width: setting.width - left - right, depth: setting.depth + 1, ...changes };
}

/** The indentation of something: what it wants, or none if too little room would be left. */
export function indentation(setting: Setting, wanted: number): number {
  return setting.width - wanted >= NARROWEST ? wanted : 0;
}

/** Where a reference leads from here. */
export function leadsTo(ref: ContentRef | undefined, setting: Setting): Target | undefined {
  return targetOf(ref, setting.page.id, setting.job);
}

/** What a reference is called: its name, a title that was printed, or its address. */
export function nameOf(ref: ContentRef | undefined, setting: Setting): string | undefined {
  if (typeof ref !== "object" || ref === null) return undefined;
  const own = setting.job.name?.(ref) || (ref.kind === "page" && setting.titles.get(ref.page));
  return own || leadsTo(ref, setting)?.url;
}
