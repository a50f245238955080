// Visitors of sites, as far as spaces know of them: whether a visitor sees a space. The wing of sites is above this one
// and fills this hook.

import type { TargetContext } from "../../../operation/target";
import { defineExtensionPoint } from "../../../utils/extension-point";
import type { InTree } from "../tree/rules";

/** A space as a visitor of a site sees it. */
export interface Visited {
  /** What is known of the visitor: the value of `visitor.claims` in conditions. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Visitors who see different things of a space have different ones. */
  readonly version: string;
  /** The revision that is shown to them: the space's own, or another one in a preview. */
  readonly revision: string;
}

/** What looking at a visit needs. */
export type Visiting = Pick<TargetContext, "tx" | "actor" | "secrets" | "now" | "peek">;

/** Visitors of sites. */
export interface Visits {
  /** A space as the visitor who is calling sees it; undefined when they do not see it. */
  readonly sees: (scope: Visiting, found: InTree) => Promise<Visited | undefined>;
  /** Whether a signed URL still opens for the visitors that it was made for; undefined when it was made for a user. */
  readonly mayFetch: (scope: Visiting, reader: string, found: InTree) => Promise<boolean | undefined>;
  /** Whether a page that the visitor sees names a specification. */
  readonly isNamed: (scope: TargetContext, spec: { readonly id: string; readonly slug: string }) => Promise<boolean>;
}

export const visits = defineExtensionPoint<Visits>("visitors of sites");
