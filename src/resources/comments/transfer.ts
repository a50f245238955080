// Discussions and change requests on their way to another organization, with the space that they belong to.

import type { RecordSet } from "../../store/records";
import type { Store } from "../../store/store";
import type { Reader } from "../../store/transaction";
import { changeRequests, requestedReviewers, reviews } from "../change-requests/records";
import { commenters, comments, reactions, replies } from "./records";

/** Records that one transaction brings along; each is several entries of a batch. */
const AT_ONCE = 40;

/** Copies what was proposed and said in a space that is coming into another partition. */
export async function copyDiscussions(
  store: Store,
  from: string,
  to: string,
  space: string,
  isComing: (tx: Reader) => Promise<boolean>,
): Promise<void> {
  const view = await store.read(from);
  const copy = <T extends object, Index extends string>(set: RecordSet<T, Index, string, string>, index: Index) =>
    copySet(store, view, to, set, index, space, isComing);
  await copy(changeRequests, "all");
  await copy(reviews, "ofChangeRequest");
  await copy(requestedReviewers, "ofChangeRequest");
  await copy(comments, "everywhere");
  await copy(replies, "ofComment");
  await copy(reactions, "ofSubject");
  await copy(commenters, "ofPlace");
}

async function copySet<T extends object, Index extends string>(
  store: Store,
  view: Reader,
  to: string,
  set: RecordSet<T, Index, string, string>,
  index: Index,
  space: string,
  isComing: (tx: Reader) => Promise<boolean>,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const rows = await set.list(view, index, { under: [space], after, limit: AT_ONCE });
    if (rows.length > 0)
      await store.write(to, async (tx) => {
        if (!(await isComing(tx))) return;
        for (const { record } of rows) await set.put(tx, record);
      });
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.position;
  }
}
