// A space of Confluence as its export describes it: a tree of pages, and their attachments.

import type { HtmlNode } from "../html/parse-html";

export interface SpacePage {
  readonly id: string;
  readonly title: string;
  readonly parent: string | undefined;
  /** The position among its siblings. Pages with the same position are sorted by title. */
  readonly position: number;
  /** Creates its body as HTML, once the links to all pages are known. */
  readonly createBody: (links: SpaceLinks) => readonly HtmlNode[];
  readonly isPost: boolean;
}

export interface Attachment {
  readonly page: string;
  readonly name: string;
  readonly read: () => Uint8Array | undefined;
  /** Its path in the export. */
  readonly source: string;
}

export interface ConfluenceSpace {
  /** The id of the home page. */
  readonly home: string | undefined;
  readonly pages: readonly SpacePage[];
  readonly attachments: readonly Attachment[];
}

/** The links of a space, as they are written on one page. */
export interface SpaceLinks {
  findPage(title: string): string | undefined;
  findPageById(id: string): string | undefined;
  /** Returns the href of an attachment of this page, or of the page with a title. */
  findAttachment(name: string, page?: string): string | undefined;
  /** Returns the pages below this one, and an empty list from then on. */
  takeChildren(): readonly { readonly title: string; readonly href: string }[];
  /** Returns the attachments of this page, and an empty list from then on. */
  takeAttachments(): readonly { readonly title: string; readonly href: string }[];
  findUser(key: string): string | undefined;
}
