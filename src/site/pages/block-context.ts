// What blocks are drawn with: everything that is not in the document itself, found before the first block is drawn. So
// drawing is plain functions from blocks to markup, and two drawings of the same page are the same bytes.

import type { Block, ContentRef } from "../../content/document";
import type { ExpansionBudget } from "../../utils/expansion-budget";
import type { Markup } from "../../utils/html";
import type { SiteMessages } from "../messages";

/** Where a reference leads, as this reader sees it. */
export interface ResolvedLink {
  readonly href: string;
  readonly title: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
}

/** A file that is shown or offered. */
export interface ResolvedFile {
  readonly url: string;
  readonly name: string;
  readonly type?: string;
  readonly bytes?: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A note of a page. */
export interface FootnoteLink {
  /** The id of its body. */
  readonly id: string;
  readonly number: number;
  /** Its name for those who do not see it. */
  readonly label: string;
}

/** What a page stands in while its blocks are drawn. */
export interface BlockContext {
  readonly messages: SiteMessages;
  /** What drawing may add to the document: icons, addresses, empty cells, specifications. Whoever adds takes from it first. */
  readonly budget: ExpansionBudget;
  /** Where a reference leads; undefined where the reader does not see it, or it is gone. */
  resolveLink(ref: ContentRef): ResolvedLink | undefined;
  /** The attributes of a link to an address. */
  renderLinkAttributes(href: string): Markup;
  /** The file or image of a reference. */
  resolveFile(ref: ContentRef): ResolvedFile | undefined;
  /** A formula as MathML. */
  renderFormula(text: string, display: "inline" | "block"): Markup;
  /** Lines of code, marked by their language. */
  highlightCode(lines: readonly string[], syntax: string | undefined): readonly Markup[];
  renderIcon(name: string): Markup | undefined;
  /** A block that others than the document describe: of an integration, or of a specification. */
  renderExternalBlock(block: Block): Markup;
  /** Adds a note, whose body stands at the end of the page. */
  addFootnote(body: readonly Block[], draw: (nodes: readonly Block[]) => Markup): FootnoteLink;
  /** A number that no other element of the page has. */
  createElementNumber(): number;
}
