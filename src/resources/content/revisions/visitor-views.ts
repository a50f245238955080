// Content as visitors of sites see it. The module of sites, which is above this one, implements this extension point.

import type { RevisionView } from "../../../content/revision/view";
import type { Objects } from "../../../storage/objects";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { SpaceVisit } from "../../library/spaces/space-visits";

/** Content as a caller sees it: a view, and the texts of its entries. */
export interface ReadableContent {
  readonly view: RevisionView;
  readonly objects: Objects;
  /** The same objects, with an empty text in place of each text that an integration would have to compute. Used for search. */
  readonly availableObjects: Objects;
  /** The texts are evaluated for a visitor already. Evaluating them again would treat their values as syntax. */
  readonly isEvaluated?: true;
}

/** Content for visitors. */
export interface VisitorViews {
  /** Returns a function that checks whether a visitor sees a page of a view. */
  readonly createPageFilter: (view: RevisionView, visit: SpaceVisit) => (page: string) => Promise<boolean>;
  /** Returns content without the parts that a visitor does not see, and with its texts evaluated for the visitor. */
  readonly filterContent: (shown: ReadableContent, visit: SpaceVisit) => ReadableContent;
}

export const visitorViews = defineExtensionPoint<VisitorViews>("content as visitors of sites see it");
