// The context that blocks are rendered in: everything that is not in the document itself, loaded before the first block is
// rendered. So rendering is plain functions from blocks to markup, and two renderings of a page have the same bytes. References lead where
// the API has resolved them to for this visitor.

import type { Block, ContentRef } from "../../content/document";
import type * as Resources from "../../generated/resources";
import type { Messages } from "../../locales/messages";
import type { ExpansionBudget } from "../../utils/expansion-budget";
import { html, type Markup } from "../../utils/html";
import { omitUndefined } from "../../utils/objects";
import type { RequestContext } from "../request/request-context";

/** The target of a reference, as this visitor sees it. */
export interface ReferenceLink {
  readonly href: string;
  readonly title: string;
  readonly description?: string;
  readonly icon?: string;
  readonly emoji?: string;
}

/** A file that is shown or can be downloaded. */
export interface ResolvedFile {
  readonly url: string;
  readonly name: string;
  readonly type?: string;
  readonly bytes?: number;
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

/** A footnote, as the text refers to it. */
interface FootnoteLink {
  /** The id of the element with its body. */
  readonly id: string;
  readonly number: number;
  /** The accessible name. */
  readonly label: string;
}

/** The context of the blocks of one page. */
export interface BlockRenderContext {
  readonly messages: Messages["site"];
  /** Limits what rendering adds to the document: icons, URLs, empty cells, specifications. Take from it before adding. */
  readonly budget: ExpansionBudget;
  /** Returns the target of a reference, or undefined if it is gone or the visitor cannot see it. */
  resolveLink(ref: ContentRef): ReferenceLink | undefined;
  /** Renders the attributes of a link. */
  renderLinkAttributes(href: string): Markup;
  /** Returns the file or image of a reference. */
  resolveFile(ref: ContentRef): ResolvedFile | undefined;
  /** Renders a formula as MathML. */
  renderFormula(text: string, display: "inline" | "block"): Markup;
  /** Highlights lines of code by the syntax of their language. */
  highlightCode(lines: readonly string[], syntax: string | undefined): readonly Markup[];
  renderIcon(name: string): Markup | undefined;
  /** Renders a block of an integration or a specification. */
  renderExternalBlock(block: Block): Markup;
  /** Adds a footnote, whose body is rendered at the end of the page. */
  addFootnote(body: readonly Block[], draw: (nodes: readonly Block[]) => Markup): FootnoteLink;
  /** Formats a date in the language of the site's texts. */
  formatDay(date: string): string;
  /** Returns a number that no other element of the page has. */
  createElementNumber(): number;
}

/** Collects footnotes while the blocks of a page are rendered. */
export class FootnoteCollector {
  readonly #messages: Messages["site"];
  readonly #numbers = new Map<string, number>();
  readonly #bodies: Markup[] = [];

  constructor(messages: Messages["site"]) {
    this.#messages = messages;
  }

  /** The bodies of the footnotes so far, each with the id that opens it. */
  get bodies(): readonly Markup[] {
    return this.#bodies;
  }

  /** Adds a footnote. Footnotes with the same content share one number and one body. */
  readonly add = (body: readonly Block[], draw: (nodes: readonly Block[]) => Markup): FootnoteLink => {
    // Keys and anchors of blocks are not part of the content.
    const content = JSON.stringify(body, (name, value) => (name === "key" || name === "meta" ? undefined : value));
    const known = this.#numbers.get(content);
    const number = known ?? this.#numbers.size + 1;
    // Ids of the layout begin with two dashes, so no heading has the same one.
    const id = `--note-${number}`;
    const label = `${this.#messages.note} ${number}`;
    if (known === undefined) {
      this.#numbers.set(content, number);
      const inner = draw(body);
      this.#bodies.push(
        html`<div class="note-body" popover id="${id}" role="note" aria-label="${label}">${inner}</div>`,
      );
    }
    return { id, number, label };
  };
}

/** Resolves the references of a page. */
export interface PageReferences {
  readonly resolveLink: (ref: ContentRef) => ReferenceLink | undefined;
  readonly resolveFile: (ref: ContentRef) => ResolvedFile | undefined;
}

export function createPageReferences(
  resolved: readonly Resources.PublishedReference[],
  { toLocalUrl }: Pick<RequestContext, "toLocalUrl">,
): PageReferences {
  const targets = new Map(resolved.map((it) => [getReferenceKey(it.ref), it]));
  return {
    resolveLink(ref) {
      if (ref.kind === "url") return { href: toLocalUrl(ref.url), title: ref.url };
      if (ref.kind === "anchor" && ref.page === undefined) return { href: `#${ref.anchor}`, title: ref.anchor };
      const target = targets.get(getReferenceKey(ref));
      switch (target?.kind) {
        case "page":
        case "anchor": {
          const href = target.href ?? target.urls.published;
          if (href === undefined) return undefined;
          const { title, description, icon, emoji } = target.page;
          return {
            href: toLocalUrl(href),
            title,
            ...omitUndefined({
              description: description ? description : undefined,
              icon: icon ? icon : undefined,
              emoji: emoji ? emoji : undefined,
            }),
          };
        }
        case "space": {
          const href = target.urls.published;
          return href === undefined ? undefined : { href: toLocalUrl(href), title: target.title };
        }
        case "file":
          return { href: target.file.downloadURL, title: target.file.name };
        default:
          return undefined;
      }
    },
    resolveFile(ref) {
      if (ref.kind === "url") return { url: ref.url, name: ref.url };
      const target = targets.get(getReferenceKey(ref));
      if (target?.kind !== "file") return undefined;
      const { downloadURL: url, name, contentType: type, size: bytes, dimensions } = target.file;
      return { url, name, type, bytes, width: dimensions?.width, height: dimensions?.height };
    },
  };
}

/** Returns a key that equal references share, regardless of the order of their properties. */
function getReferenceKey(ref: object): string {
  return JSON.stringify(Object.entries(ref).sort(([a], [b]) => (a < b ? -1 : 1)));
}
