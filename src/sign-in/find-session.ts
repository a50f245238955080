// Finds the user and the session of a browser, and the organizations that the session reaches.

import type { CallResult } from "../api/internal-client";
import { DocsError } from "../errors";
import type { User } from "../generated/resources";
import { findActiveMember, memberships } from "../resources/people/members/records";
import { findPartitionOrganization } from "../resources/people/organizations/records";
import { findOpenSession, type OpenSession } from "../resources/people/sessions/records";
import { DIRECTORY, getOrganizationPartition } from "../storage/ids";
import type { SignInContext, SignInRequest } from "./context";

/** Returns the user whom the API identifies by a request, or undefined if there is none. */
export async function findCurrentUser({ client }: SignInContext, request: SignInRequest): Promise<User | undefined> {
  return ignoreRefusal(client.callAsSender(request)("getCurrentUser", {}));
}

/** Resolves to the value of a call, or to undefined if the call is refused. */
export async function ignoreRefusal<Value>(call: Promise<CallResult<Value>>): Promise<Value | undefined> {
  try {
    return (await call).value;
  } catch (error) {
    if (error instanceof DocsError) return undefined;
    throw error;
  }
}

export async function findBrowserSession(
  { kernel, cookie }: SignInContext,
  request: SignInRequest,
): Promise<OpenSession | undefined> {
  const value = cookie.getValue(request);
  if (value === undefined) return undefined;
  return findOpenSession(await kernel.store.read(DIRECTORY), value, kernel.store.now());
}

const MAX_LISTED_ORGANIZATIONS = 20;

/** Returns the titles of the organizations that a session reaches, which are also those that a tool would reach by it. */
export async function listReachableOrganizations({ kernel }: SignInContext, { actor }: OpenSession): Promise<string[]> {
  const directory = await kernel.store.read(DIRECTORY);
  const rows = await memberships.list(directory, "ofUser", {
    under: [actor.user.id],
    limit: MAX_LISTED_ORGANIZATIONS,
  });
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
