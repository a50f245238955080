// The content that differs between the pages of a site.

import type * as Resources from "../../generated/resources";
import type { Markup } from "../../utils/html";
import type { OutlineHeading } from "../pages/outline";

export type PublishedTreePage = Resources.PublishedPageInTree;

export interface LayoutContent {
  readonly tree: readonly PublishedTreePage[];
  /** The pages from the top of the tree to the current one. */
  readonly trail: readonly PublishedTreePage[];
  readonly outline: readonly OutlineHeading[];
  /** The id of the current content page. */
  readonly page?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** True if the page needs the script for forms, blocks of integrations and cookie consent. Default: false. */
  readonly needsFullScript?: boolean;
  /** Further elements of the head. */
  readonly headMarkup?: Markup | undefined;
  /** The query of a search page. */
  readonly searchQuery?: string;
  readonly layout?: Partial<Resources.PageLayout> | undefined;
  readonly main: Markup;
}
