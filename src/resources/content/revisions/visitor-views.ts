// Content as visitors of sites see it. The wing of sites is above this one and fills this hook.

import type { RevisionView } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { Visited } from "../../library/spaces/visited";

/** Content as it is shown: a view, and the texts of its entries. */
export interface Shown {
  readonly view: RevisionView;
  readonly objects: Objects;
  /**
   * The same without texts that would have to be requested from an integration, which are empty here. Used for search.
   */
  readonly atHand: Objects;
  /** True where the texts are evaluated for a visitor. They are not evaluated again: no value of theirs is syntax. */
  readonly isEvaluated?: true;
}

/** Content for visitors. */
export interface VisitorViews {
  /** Whether a visitor sees a page of a view. */
  readonly seesIn: (view: RevisionView, visited: Visited) => (page: string) => Promise<boolean>;
  /** Content with everything left out that a visitor does not see, and with texts as the visitor reads them. */
  readonly shownTo: (shown: Shown, visited: Visited) => Shown;
}

export const visitorViews = defineExtensionPoint<VisitorViews>("content as visitors of sites see it");
