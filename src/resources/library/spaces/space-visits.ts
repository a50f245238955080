// The extension point by which spaces ask whether a visitor of a site sees them. The module of sites implements it.

import type { TargetContext } from "../../../operation/target";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { NodeContext } from "../tree/rules";

export interface SpaceVisit {
  /** The claims of the visitor: the value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** A text that differs for visitors who see different content of the space. */
  readonly version: string;
  /** The revision that the visitor reads: the active one of the space, or another one in a preview. */
  readonly revision: string;
}

export type VisitContext = Pick<TargetContext, "tx" | "actor" | "secrets" | "now" | "peek">;

/** The functions that the module of sites provides. */
export interface Visits {
  /** Finds the visit by which the caller sees a space. Returns undefined if they do not see it. */
  readonly findVisit: (scope: VisitContext, found: NodeContext) => Promise<SpaceVisit | undefined>;
  /** Checks whether the visitors that a signed URL was made for may still open it; undefined if it was made for a user. */
  readonly mayFetch: (scope: VisitContext, reader: string, found: NodeContext) => Promise<boolean | undefined>;
  /** Checks whether a page that the visitor sees names a specification. */
  readonly isSpecNamed: (
    scope: TargetContext,
    spec: { readonly id: string; readonly slug: string },
  ) => Promise<boolean>;
}

export const visits = defineExtensionPoint<Visits>("visitors of sites");
