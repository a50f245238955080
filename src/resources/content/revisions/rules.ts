// The content of a space as a target: its active revision, or one of its history. Who may do what follows the space.

import { failure } from "../../../errors";
import type { Scope, Target } from "../../../operation/operation";
import { type InSpace, space } from "../../library/spaces/rules";
import { organization } from "../../people/organizations/rules";
import { isOpenEnded } from "./computed-content";
import { computedState, type RevisionRecord, revisions } from "./records";

/** A revision of a space, with what decides the caller's rights on it. */
export interface InContent extends InSpace {
  readonly revision: RevisionRecord;
}

/** The same as it is shown: with the state of what pages are computed from, as far as the caller sees it. */
export interface InShownContent extends InContent {
  readonly computedAt: string;
  /** Whether that is not all: what is shown depends on others' answers, too. */
  readonly isOpenEnded: () => Promise<boolean>;
}

const { partition, rights } = space;

/** A state of content as it is shown to the caller. */
export async function shown<Content extends InContent>(scope: Scope, content: Content) {
  const isMember = organization.rights.viewOpenAPISpecs(content);
  return {
    ...content,
    computedAt: `${(await computedState(scope.tx)) || ""}${isMember ? "" : "g"}`,
    isOpenEnded: () => isOpenEnded(scope, content.revision),
  };
}

/** The version of an answer that shows content; `more` is what else it depends on. */
export async function contentVersion(it: InShownContent, more: string | number = ""): Promise<string> {
  const besides = [it.computedAt, more].filter((part) => part !== "").join("-");
  const version = besides === "" ? it.revision.id : `${it.revision.id}~${besides}`;
  return (await it.isOpenEnded()) ? `${version}~` : version;
}

async function enter(scope: Scope, id: (found: InSpace) => string): Promise<InShownContent | undefined> {
  const found = await space.load(scope);
  // What stands above in the path answers with its own 404.
  if (!found || !rights.view(found)) throw failure("space_not_found");
  const revision = await revisions.get(scope.tx, found.space.id, id(found));
  return revision && shown(scope, { ...found, revision });
}

/** What integrations compute may change unseen. */
export async function isKept(it: InShownContent): Promise<boolean> {
  return !(await it.isOpenEnded());
}

/** What a space shows now. */
export const content: Target<InShownContent, keyof typeof rights> = {
  partition,
  load: (scope) => enter(scope, ({ space }) => space.revision),
  absent: "space_not_found",
  rights,
  isKept,
};

/** A state of a space, present or past. */
export const revision: Target<InShownContent, keyof typeof rights> = {
  ...content,
  load: (scope) => enter(scope, () => scope.params.revisionId!),
  absent: "revision_not_found",
};

/** A locked space is changed through change requests alone. */
export function checkNotLocked({ space }: InSpace): void {
  if (space.editMode === "locked") throw failure("space_locked");
}
