// Who is signed in with a browser, and what a tool would reach in their name.

import { findActiveMember, memberships } from "../resources/people/members/records";
import { findPartitionOrganization } from "../resources/people/organizations/records";
import { findOpenSession, type OpenSession } from "../resources/people/sessions/records";
import { DIRECTORY, getOrganizationPartition } from "../storage/ids";
import type { SignInContext, SignInRequest } from "./parts";

export async function signedIn(
  { kernel, cookie }: SignInContext,
  request: SignInRequest,
): Promise<OpenSession | undefined> {
  const value = cookie.getValue(request);
  if (value === undefined) return undefined;
  return findOpenSession(await kernel.store.read(DIRECTORY), value, kernel.store.now());
}

const MOST_SHOWN = 20;

/** The titles of the organizations that somebody is in, as far as their session reaches. */
export async function reachedBy({ kernel }: SignInContext, { actor }: OpenSession): Promise<string[]> {
  const directory = await kernel.store.read(DIRECTORY);
  const rows = await memberships.list(directory, "ofUser", { under: [actor.user.id], limit: MOST_SHOWN });
  const titles = await Promise.all(
    rows.map(async ({ record }) => {
      const view = await kernel.restrictView(
        await kernel.store.read(getOrganizationPartition(record.organization)),
        actor,
      );
      return (await findActiveMember(view, actor.user.id)) && (await findPartitionOrganization(view))?.title;
    }),
  );
  return titles.filter((title) => title !== undefined);
}
