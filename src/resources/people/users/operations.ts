// The caller's own account, and other users.

import { BinaryResponse, BinarySchema } from "../../../operation/binary-response";
import { User } from "../../../operation/common-schemas";
import { defineOperation } from "../../../operation/operation";
import { yieldToEventLoop } from "../../../utils/concurrency/event-loop";
import { loadLazily } from "../../../utils/lazy";
import { streamJsonLines } from "../../../utils/streams";
import { presentUser } from "./records";
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
