// Which site-spaces of a site a search looks into. An id that the visitor does not see is refused like one that is not
// there.

import type * as v from "valibot";
import { createValidationError } from "../../../errors";
import type { SiteSpaceRecord } from "../records";
import { getSiteSpaces, isDefaultItem, type Structure } from "../structure/structure";
import type { SiteSearchQuery } from "./published-schema";

type Question = v.InferOutput<typeof SiteSearchQuery>;

/** What a question names: every site-space, the defaults, or none, and site-spaces by their ids. */
interface Named {
  readonly base: "all" | "defaults" | "none";
  readonly ids?: readonly string[];
  /** The field of the ids. */
  readonly at?: string;
}

/** The visible site-spaces that a question is about. `whole` has the defaults, `visible` what the visitor sees. */
export function selectSiteSpaces(whole: Structure, visible: Structure, question: Question): SiteSpaceRecord[] {
  const { base, ids = [], at } = namedIn(question);
  const seen = new Map(getSiteSpaces(visible).map((item) => [item.id, item]));
  for (const [i, id] of ids.entries())
    if (!seen.has(id))
      throw createValidationError(question.siteSpaceId === id ? at! : `${at}.${i}`, "The site has no such site-space");
  const wanted = new Set(ids);
  return [...seen.values()].filter(
    (item) => base === "all" || wanted.has(item.id) || (base === "defaults" && isDefaultItem(whole, item)),
  );
}

function namedIn({ scope, mode, siteSpaceId, siteSpaceIds }: Question): Named {
  if (!scope) return namedByMode({ mode, siteSpaceId, siteSpaceIds });
  for (const [name, value] of Object.entries({ mode, siteSpaceId, siteSpaceIds }))
    if (value !== undefined) throw createValidationError(`body.${name}`, "Expected scope alone");
  if (scope.mode === "all") return { base: "all" };
  if (scope.mode === "specific") return { base: "none", ids: scope.siteSpaceIds, at: "body.scope.siteSpaceIds" };
  return { base: "defaults", ids: scope.includedSiteSpaces ?? [], at: "body.scope.includedSiteSpaces" };
}

/** The older form: a mode, and beside it what it needs. */
function namedByMode({ mode = "all", siteSpaceId, siteSpaceIds }: Omit<Question, "query" | "scope">): Named {
  if (mode !== "current" && siteSpaceId !== undefined)
    throw createValidationError("body.siteSpaceId", "Only the mode current has one");
  if (mode !== "specific" && siteSpaceIds !== undefined)
    throw createValidationError("body.siteSpaceIds", "Only the mode specific has them");
  if (mode === "all") return { base: "all" };
  if (mode === "specific") {
    if (siteSpaceIds === undefined)
      throw createValidationError("body.siteSpaceIds", "The mode specific needs site-spaces");
    return { base: "none", ids: siteSpaceIds, at: "body.siteSpaceIds" };
  }
  if (siteSpaceId === undefined) throw createValidationError("body.siteSpaceId", "The mode current needs a site-space");
  return { base: "none", ids: [siteSpaceId], at: "body.siteSpaceId" };
}
