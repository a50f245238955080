// Who is asking.

import { operation } from "../../operation";
import { User } from "../../shapes";
import { userView } from "./records";
import { self } from "./rules";

export const getCurrentUser = operation("GET /user", {
  summary: "Get the user that the token belongs to",
  on: self,
  right: "view",
  returns: User,
  async handle({ actor, urls }) {
    return userView(actor.user, urls);
  },
});
