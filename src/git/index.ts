// The Git client over HTTP(S). It needs neither a `git` program nor a disk, and is loaded when it is first needed.

import type { GitClient } from "./port";
import { pushRemote } from "./push-remote";
import { readRemote } from "./read-remote";

export * from "./port";
export { pushRemote, readRemote };

export const httpGitClient: GitClient = { readRemote, pushRemote };
