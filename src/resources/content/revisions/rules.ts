// The content of a space as a target: its active revision, or one of its history. The rights are those of the space.

import { createError } from "../../../errors";
import type { Target, TargetContext } from "../../../operation/target";
import { sha256Hex } from "../../../utils/sha256";
import { type SpaceContext, space } from "../../library/spaces/rules";
import { organization } from "../../people/organizations/rules";
import { users } from "../../people/users/records";
import { changeRequests } from "../change-requests/records";
import { countOpenComments } from "../comments/records";
import { dependsOnIntegrations } from "./computed-content";
import { getComputedVersion, type RevisionRecord, revisions } from "./records";

/** A revision of a space, with the caller's role. */
export interface ContentContext extends SpaceContext {
  readonly revision: RevisionRecord;
}

/** A revision as the caller sees it, with the state of the sources of computed pages. */
export interface ShownContentContext extends ContentContext {
  readonly computedAt: string;
  /** Checks whether the version is incomplete, because the content also depends on responses of integrations. */
  readonly dependsOnIntegrations: () => Promise<boolean>;
  /** Returns the version of the change request that the revision merged and that responses include. Empty if there is none. */
  readonly getMergeVersion: () => Promise<string>;
}

const { findPartition, rights } = space;

/** Adds to a revision the state in which the caller sees it. */
export async function loadShownState<Content extends ContentContext>(scope: TargetContext, content: Content) {
  const canViewSpecs = organization.rights.viewOpenAPISpecs(content);
  return {
    ...content,
    computedAt: `${(await getComputedVersion(scope.tx)) || ""}${canViewSpecs ? "" : "g"}${content.visit?.version ?? ""}`,
    dependsOnIntegrations: () => dependsOnIntegrations(scope, content.revision),
    getMergeVersion: async () => {
      const { space, mergedFrom } = content.revision;
      if (mergedFrom === undefined || content.visit) return "";
      const changeRequest = await changeRequests.get(scope.tx, space, mergedFrom);
      if (!changeRequest) return ".";
      // The version changes whenever the view of the change request does.
      const [openComments] = await countOpenComments(scope.tx, space, [mergedFrom]);
      const author = await users.get(scope.directory, changeRequest.createdBy);
      return `.${sha256Hex(JSON.stringify([changeRequest, openComments, author])).slice(0, 16)}`;
    },
  };
}

/** Returns the version of a response that shows content. `extra` is a version of everything else that the response depends on. */
export async function getContentVersion(content: ShownContentContext, extra: string | number = ""): Promise<string> {
  const { revision, computedAt } = content;
  const suffix = [computedAt, extra].filter((part) => part !== "").join("-");
  const version = suffix === "" ? revision.id : `${revision.id}~${suffix}`;
  return (await content.dependsOnIntegrations()) ? `${version}~` : version;
}

async function loadContent(
  scope: TargetContext,
  getRevisionId: (inSpace: SpaceContext) => string,
): Promise<ShownContentContext | undefined> {
  const inSpace = await space.load(scope);
  // Parents in the path fail with a 404 of their own.
  if (!inSpace || !rights.view(inSpace)) throw createError("space_not_found");
  const revisionId = getRevisionId(inSpace);
  // A visitor reads what the space shows, and nothing of its history.
  if (inSpace.visit && revisionId !== inSpace.space.revision) return undefined;
  const revision = await revisions.get(scope.tx, inSpace.space.id, revisionId);
  return revision && loadShownState(scope, { ...inSpace, revision });
}

/** The current content of a space. */
export const content: Target<ShownContentContext, keyof typeof rights> = {
  findPartition,
  load: (scope) => loadContent(scope, ({ space }) => space.revision),
  notFoundReason: "space_not_found",
  rights,
  // Content that integrations compute may change unnoticed.
  isCacheable: async (shown) => !(await shown.dependsOnIntegrations()),
};

/** A current or past state of a space. */
export const revision: Target<ShownContentContext, keyof typeof rights> = {
  ...content,
  load: (scope) => loadContent(scope, () => scope.params.revisionId!),
  notFoundReason: "revision_not_found",
};

/** Throws if a space is locked. A locked space is changed only through change requests. */
export function checkNotLocked({ space }: SpaceContext): void {
  if (space.editMode === "locked") throw createError("space_locked");
}
