// What differs between the pages of a site.

import type * as Resources from "../../generated/resources";
import type { Markup } from "../../utils/html";
import type { Heading } from "../outline";

export type TreeNode = Resources.PublishedPageInTree;

export interface Framed {
  readonly tree: readonly TreeNode[];
  /** The pages from the top of the tree to the one that is shown. */
  readonly way: readonly TreeNode[];
  readonly outline: readonly Heading[];
  /** The page of content that is shown. */
  readonly page?: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly canonical?: string | undefined;
  readonly isIndexed: boolean;
  /** Whether the page has forms, blocks of integrations or questions about cookies, which have their script. Default: no. */
  readonly needsFullScript?: boolean;
  /** What else stands in the head. */
  readonly more?: Markup | undefined;
  /** What was asked of the search. */
  readonly asked?: string;
  readonly layout?: Partial<Resources.PageLayout> | undefined;
  readonly main: Markup;
}
