// The caller's own account, and other users.

import * as v from "valibot";
import { createError } from "../../../errors";
import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { textSchema, User, WebUrl } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import type { Urls } from "../../../ports/urls";
import type { Transaction } from "../../../storage/transaction";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { omitUndefined } from "../../../utils/objects";
import { streamJsonLines } from "../../../utils/streams";
import { isManagedByOrganization, scimMadeUsers } from "../scim/records";
import { hostLinks, isUserId } from "./host-users";
import { presentUser, type UserRecord, users } from "./records";
import { ownAccount, self, user } from "./rules";
import { leaveOrganizations as leave } from "./spread-account-change";

// Most processes never end or export an account.
const loadAccountStanding = loadLazily(() => import("./account-standing"));
const loadExport = loadLazily(() => import("./export-user"));

export const getCurrentUser = defineOperation("GET /user", {
  summary: "Get the current user",
  target: self,
  right: "view",
  returns: User,
  handle: async ({ actor, urls }) => presentUser(actor.user, urls),
});

export const getUser = defineOperation("GET /users/:userId", {
  summary: "Get a user",
  target: user,
  right: "view",
  returns: User,
  cache: false,
  handle: async ({ user, urls }) => presentUser(user, urls),
});

const ProfileChanges = v.strictObject({
  displayName: v.optional(textSchema(1, 64)),
  photoURL: v.optional(v.nullable(WebUrl)),
});

export const updateCurrentUser = defineOperation("PATCH /user", {
  summary: "Update the current user",
  target: ownAccount,
  right: "edit",
  body: ProfileChanges,
  returns: User,
  handle: updateProfile,
});

export const updateUser = defineOperation("PATCH /users/:userId", {
  summary: "Update a user",
  target: user,
  right: "edit",
  body: ProfileChanges,
  returns: User,
  handle: ({ account, ...context }) => updateProfile({ ...context, account: account! }),
});

async function updateProfile({
  tx,
  account,
  body: { displayName = account.displayName, photoURL = account.photoURL },
  now,
  urls,
}: {
  readonly tx: Transaction;
  readonly account: UserRecord;
  readonly body: v.InferOutput<typeof ProfileChanges>;
  readonly now: Date;
  readonly urls: Urls;
}) {
  const { id } = account;
  // The host application and a company directory would overwrite the change.
  const isHostUser = isUserId(id) || (await hostLinks.list(tx, "ofUser", { under: [id], limit: 1 })).length > 0;
  const made = await scimMadeUsers.get(tx, id);
  if (isHostUser || (made && (await isManagedByOrganization(tx, made.organization, id))))
    throw createError("profile_managed");
  const { photoURL: _, ...rest } = account;
  const picture = omitUndefined({ photoURL: photoURL ?? undefined });
  const changed: UserRecord = { ...rest, displayName, ...picture, updatedAt: now.toISOString() };
  await users.put(tx, changed);
  return presentUser(changed, urls);
}

export const exportCurrentUser = defineOperation("GET /user/export", {
  summary: "Export your data",
  target: self,
  right: "view",
  returns: BinarySchema,
  mediaTypes: ["application/x-ndjson"],
  cache: false,
  async handle(context) {
    const { generateExport } = await loadExport();
    return new BinaryResponse(streamJsonLines(generateExport(context), yieldToEventLoop), {
      "content-type": "application/x-ndjson",
      "content-disposition": 'attachment; filename="user.ndjson"',
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    });
  },
});

export const leaveOrganizations = defineOperation("DELETE /user/organizations", {
  summary: "Leave all organizations",
  target: ownAccount,
  right: "end",
  async prepare({ directory, peek, account }) {
    const { checkNotLastAdminAnywhere } = await loadAccountStanding();
    return checkNotLastAdminAnywhere(directory, peek, account.id);
  },
  async handle({ account, enqueueJob }) {
    enqueueJob(leave, { user: account.id });
  },
});

export const eraseCurrentUser = defineOperation("DELETE /user", {
  summary: "Delete your account",
  target: ownAccount,
  right: "end",
  async prepare({ directory, peek, account }) {
    const { checkNotLastAdminAnywhere } = await loadAccountStanding();
    return checkNotLastAdminAnywhere(directory, peek, account.id);
  },
  async handle({ tx, account, jobContext }) {
    await (await loadAccountStanding()).eraseUser(jobContext, tx, account, { type: "user", id: account.id });
  },
});
