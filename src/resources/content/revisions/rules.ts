// The content of a space as a target: its active revision, or one of its history. Rights follow those of the space.

import { createError } from "../../../errors";
import type { Target, TargetContext } from "../../../operation/target";
import { type InSpace, space } from "../../library/spaces/rules";
import { organization } from "../../people/organizations/rules";
import { mergedChangeRequestVersion } from "../change-requests/views";
import { isOpenEnded } from "./computed-content";
import { computedState, type RevisionRecord, revisions } from "./records";

/** A revision of a space, with the caller's role. */
export interface InContent extends InSpace {
  readonly revision: RevisionRecord;
}

/** The revision as it is shown: with the state of the sources of computed pages that the caller sees. */
export interface InShownContent extends InContent {
  readonly computedAt: string;
  /** Whether that version is incomplete, because the content also depends on answers of integrations. */
  readonly isOpenEnded: () => Promise<boolean>;
  /** The state of the change request that the revision merged, which an answer holds; empty when there is none. */
  readonly getMergeVersion: () => Promise<string>;
}

const { findPartition: partition, rights } = space;

/** A state of content as the caller sees it. */
export async function shown<Content extends InContent>(scope: TargetContext, content: Content) {
  const isMember = organization.rights.viewOpenAPISpecs(content);
  return {
    ...content,
    computedAt: `${(await computedState(scope.tx)) || ""}${isMember ? "" : "g"}${content.visited?.version ?? ""}`,
    isOpenEnded: () => isOpenEnded(scope, content.revision),
    getMergeVersion: async () => {
      const { space, mergedFrom } = content.revision;
      if (mergedFrom === undefined || content.visited) return "";
      return `.${await mergedChangeRequestVersion(scope, space, mergedFrom)}`;
    },
  };
}

/** The version of an answer that shows content; `more` is what else the answer depends on. */
export async function contentVersion(it: InShownContent, more: string | number = ""): Promise<string> {
  const besides = [it.computedAt, more].filter((part) => part !== "").join("-");
  const version = besides === "" ? it.revision.id : `${it.revision.id}~${besides}`;
  return (await it.isOpenEnded()) ? `${version}~` : version;
}

async function enter(scope: TargetContext, id: (found: InSpace) => string): Promise<InShownContent | undefined> {
  const found = await space.load(scope);
  // Things above in the path fail with their own 404.
  if (!found || !rights.view(found)) throw createError("space_not_found");
  // A visitor reads what is shown, and nothing of how it came to be.
  if (found.visited && id(found) !== found.space.revision) return undefined;
  const revision = await revisions.get(scope.tx, found.space.id, id(found));
  return revision && shown(scope, { ...found, revision });
}

/** What integrations compute may change unnoticed. */
export async function isKept(it: InShownContent): Promise<boolean> {
  return !(await it.isOpenEnded());
}

/** The current content of a space. */
export const content: Target<InShownContent, keyof typeof rights> = {
  findPartition: partition,
  load: (scope) => enter(scope, ({ space }) => space.revision),
  notFoundReason: "space_not_found",
  rights,
  isCacheable: isKept,
};

/** A state of a space, current or past. */
export const revision: Target<InShownContent, keyof typeof rights> = {
  ...content,
  load: (scope) => enter(scope, () => scope.params.revisionId!),
  notFoundReason: "revision_not_found",
};

/** A locked space is changed only through change requests. */
export function checkNotLocked({ space }: InSpace): void {
  if (space.editMode === "locked") throw createError("space_locked");
}
