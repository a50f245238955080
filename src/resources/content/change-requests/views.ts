// Change requests on the wire.

import type * as v from "valibot";
import type { CallContext } from "../../../operation/operation";
import type { TargetContext } from "../../../operation/target";
import { omitUndefined } from "../../../utils/objects";
import type { SpaceContext } from "../../library/spaces/rules";
import { findUsersById, presentUser } from "../../people/users/records";
import { countOpenComments } from "../comments/records";
import type { ChangeRequest } from "./change-request-schema";
import { type ChangeRequestRecord, getBaseRevisionId } from "./records";

export type ChangeRequestViewContext = Pick<SpaceContext, "organization" | "space"> &
  Pick<TargetContext, "tx" | "directory"> &
  Pick<CallContext, "urls">;

export async function createChangeRequestViews(
  { tx, directory, urls, organization, space }: ChangeRequestViewContext,
  records: readonly ChangeRequestRecord[],
): Promise<v.InferInput<typeof ChangeRequest>[]> {
  const authorIds = records.map(({ createdBy }) => createdBy);
  const authors = await findUsersById(directory, authorIds);
  const ids = records.map(({ id }) => id);
  const openComments = await countOpenComments(tx, space.id, ids);
  return records.map((changeRequest, i) => {
    const { id, number, status, subject, createdBy, createdAt, updatedAt, revision, revisionInitial } = changeRequest;
    const { revisionMergedAncestor, revisionMerged, conflicts } = changeRequest;
    const author = authors.get(createdBy);
    return {
      object: "change-request" as const,
      id,
      number,
      space: space.id,
      status,
      subject,
      ...omitUndefined({ createdBy: author && presentUser(author, urls) }),
      createdAt,
      updatedAt,
      revision,
      revisionInitial,
      ...omitUndefined({ revisionMergedAncestor, revisionMerged }),
      comments: openComments[i]!,
      conflicts,
      outdated: status !== "merged" && getBaseRevisionId(changeRequest) !== space.revision,
      urls: {
        location: urls.api(`/spaces/${space.id}/change-requests/${id}`),
        app: urls.app(`/o/${organization.id}/s/${space.id}/~/changes/${number}`),
      },
    };
  });
}

export async function createChangeRequestView(context: ChangeRequestViewContext, record: ChangeRequestRecord) {
  return (await createChangeRequestViews(context, [record]))[0]!;
}
