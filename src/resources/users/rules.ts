// The caller as a target: what a user owns alone.

import type { Target } from "../../operation";
import { DIRECTORY } from "../../store/ids";

/** The caller's own account. Everybody may do everything with it, as far as the token's scopes reach. */
export const self: Target<object, "manage"> = {
  partition: () => DIRECTORY,
  load: async () => ({}),
  absent: "route_not_found",
  rights: { view: () => true, manage: () => true },
};
