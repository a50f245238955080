// What differs between the pages of a site.

import type * as Resources from "../../generated/resources";
import type { Markup } from "../../utils/html";
import type { OutlineHeading } from "../pages/outline";

export type TreePage = Resources.PublishedPageInTree;

export interface LayoutContent {
  readonly tree: readonly TreePage[];
  /** The pages from the top of the tree to the one that is shown. */
  readonly trail: readonly TreePage[];
  readonly outline: readonly OutlineHeading[];
  /** The page of content that is shown. */
  readonly page?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** Whether the page has forms, blocks of integrations or questions about cookies, which have their script. Default: no. */
  readonly needsFullScript?: boolean;
  /** What else stands in the head. */
  readonly headMarkup?: Markup | undefined;
  /** What was asked of the search. */
  readonly searchQuery?: string;
  readonly layout?: Partial<Resources.PageLayout> | undefined;
  readonly main: Markup;
}
