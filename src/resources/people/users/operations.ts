// The caller's own account, and other users.

import { operation } from "../../../operation/operation";
import { User } from "../../../shapes";
import { userView } from "./records";
import { self, user } from "./rules";

export const getCurrentUser = operation("GET /user", {
  summary: "Get the user that the token belongs to",
  on: self,
  right: "view",
  returns: User,
  async handle({ actor, urls }) {
    return userView(actor.user, urls);
  },
});

export const getUser = operation("GET /users/:userId", {
  summary: "Get a user: yourself, or somebody in an organization whose members you may list",
  on: user,
  right: "view",
  returns: User,
  kept: false,
  async handle({ user, urls }) {
    return userView(user, urls);
  },
});
