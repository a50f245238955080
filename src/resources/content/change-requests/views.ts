// Change requests on the wire.

import type * as v from "valibot";
import type { Urls } from "../../../ports/urls";
import type { Reader } from "../../../storage/transaction";
import { omitUndefined } from "../../../utils/objects";
import { sha256Hex } from "../../../utils/sha256";
import type { InSpace } from "../../library/spaces/rules";
import { findUsersById, presentUser, users } from "../../people/users/records";
import { openComments } from "../comments/records";
import type { ChangeRequest } from "./change-request-schema";
import { baseOf, type ChangeRequestRecord, changeRequests } from "./records";

/** What the views need. */
export type Showing = Pick<InSpace, "organization" | "space"> & {
  readonly tx: Reader;
  readonly directory: Reader;
  readonly urls: Urls;
};

/** Change requests on the wire, in the order given. */
export async function changeRequestViews(
  { tx, directory, urls, organization, space }: Showing,
  found: readonly ChangeRequestRecord[],
): Promise<v.InferInput<typeof ChangeRequest>[]> {
  const people = await findUsersById(
    directory,
    found.map(({ createdBy }) => createdBy),
  );
  const comments = await openComments(
    tx,
    space.id,
    found.map(({ id }) => id),
  );
  return found.map((it, i) => {
    const { id, number, status, subject, createdBy, createdAt, updatedAt, revision, revisionInitial } = it;
    const author = people.get(createdBy);
    return {
      object: "change-request" as const,
      id,
      number,
      status,
      subject,
      ...omitUndefined({ createdBy: author ? presentUser(author, urls) : undefined }),
      createdAt,
      updatedAt,
      revision,
      revisionInitial,
      ...omitUndefined({ revisionMergedAncestor: it.revisionMergedAncestor, revisionMerged: it.revisionMerged }),
      comments: comments[i]!,
      conflicts: it.conflicts,
      outdated: status !== "merged" && baseOf(it) !== space.revision,
      urls: {
        location: urls.api(`/spaces/${space.id}/change-requests/${id}`),
        app: urls.app(`/o/${organization.id}/s/${space.id}/~/changes/${number}`),
      },
    };
  });
}

/** One change request on the wire. */
export async function changeRequestView(context: Showing, it: ChangeRequestRecord) {
  return (await changeRequestViews(context, [it]))[0]!;
}

/** A name for the state of a merged change request: it changes whenever its view does. Empty when there is none. */
export async function mergedChangeRequestVersion(
  { tx, directory }: Pick<Showing, "tx" | "directory">,
  space: string,
  id: string,
): Promise<string> {
  const found = await changeRequests.get(tx, space, id);
  if (!found) return "";
  const [comments] = await openComments(tx, space, [id]);
  return sha256Hex(JSON.stringify([found, comments, await users.get(directory, found.createdBy)])).slice(0, 16);
}
