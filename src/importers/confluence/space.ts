// A space of Confluence as its export describes it: pages below each other, and what is attached to them.

import type { HtmlNode } from "../html/parse-html";

/** A page of a space. */
export interface SpacePage {
  readonly id: string;
  readonly title: string;
  readonly parent: string | undefined;
  /** Among its siblings; those with the same place stand by title. */
  readonly place: number;
  /** Its body as HTML, once the addresses of all pages are known. */
  readonly body: (addresses: SpaceAddresses) => readonly HtmlNode[];
  /** Whether it is a post of the space's blog. */
  readonly isPost: boolean;
}

/** Something that is attached to a page. */
export interface Attachment {
  readonly page: string;
  readonly name: string;
  readonly read: () => Uint8Array | undefined;
  /** What the export calls it. */
  readonly source: string;
}

/** What a space holds. */
export interface Space {
  readonly home: string | undefined;
  readonly pages: readonly SpacePage[];
  readonly attachments: readonly Attachment[];
}

/** Where things are, as it is written on one page. */
export interface SpaceAddresses {
  /** A page by its title. */
  page(title: string): string | undefined;
  /** A page by its id. */
  pageById(id: string): string | undefined;
  /** What is attached to this page, or to the page of a title. */
  attachment(name: string, page?: string): string | undefined;
  /** The pages below this one, once. */
  children(): readonly { readonly title: string; readonly href: string }[];
  /** All that is attached to this page, once. */
  attachments(): readonly { readonly title: string; readonly href: string }[];
  /** What somebody is called. */
  user(key: string): string | undefined;
}
