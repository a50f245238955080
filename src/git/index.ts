// A Git client over https. It needs no git program and no disk. Loaded when first needed.

import type { GitClient } from "./port";
import { pushRemote } from "./push";
import { readRemote } from "./read";

export { isBranchRef, splitCredentials } from "./address";
export type * from "./port";
export { type GitReason, GitRefused } from "./refused";
export { pushRemote, readRemote };

/** The Git client. */
export const gitOverHttp: GitClient = { readRemote, pushRemote };
