// Git synchronization on the wire.

import * as v from "valibot";
import { isBranchRef } from "../../../git/port";
import { Id, namedObject, Progress, Timestamp, textSchema, WebUrl } from "../../../operation/common-schemas";
import { tryParseUrl } from "../../../utils/url";
import { GitProvider, GitSync } from "../../library/spaces/schema";
import { Conflict } from "../change-requests/schema";

const Branch = v.pipe(
  v.string("Expected a branch"),
  v.maxLength(255, "Expected at most 255 characters"),
  v.check(isBranchRef, "Expected a branch in full, such as refs/heads/main"),
);

/** A URL that is shown to people, so it must not hold a secret. */
const ShownUrl = v.pipe(
  WebUrl,
  v.check((url) => {
    const address = tryParseUrl(url);
    return address !== undefined && address.username + address.password === "";
  }, "Expected a URL without a name and a password"),
);

/** A folder of a repository: a relative path inside it. */
const Folder = v.pipe(
  v.string("Expected a folder"),
  v.maxLength(500, "Expected at most 500 characters"),
  v.check(
    (path) => !/[\\\0-\x1f\x7f]/.test(path) && !path.split("/").includes(".."),
    "Expected a folder inside of the repository, with / between names",
  ),
);

const common = {
  url: v.pipe(
    WebUrl,
    v.description("The repository. A name and a password in it are used, kept sealed until then, and never shown."),
  ),
  ref: v.pipe(Branch, v.description("A branch, as refs/heads/main.")),
  repoCacheID: v.optional(
    v.pipe(
      textSchema(0, 500),
      v.description("Taken and not used: what is known of a repository is kept with the space."),
    ),
  ),
  repoTreeURL: v.optional(v.pipe(ShownUrl, v.description("What the addresses of folders begin with."))),
  repoCommitURL: v.optional(v.pipe(ShownUrl, v.description("What the addresses of commits begin with."))),
  repoProjectDirectory: v.optional(v.pipe(Folder, v.description("The folder that has the book. Default: the top."))),
  timestamp: v.optional(
    v.pipe(
      v.string("Expected a time"),
      v.isoTimestamp("Expected a time such as 2026-03-01T09:00:00Z"),
      v.description("Orders requests; one that is older than the last that was done is dropped. Default: now."),
    ),
  ),
  force: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("True: nothing is merged, the side that comes wins.")),
  ),
  gitInfo: v.optional(v.strictObject({ provider: GitProvider, url: v.optional(ShownUrl) })),
};

export const GitImport = v.strictObject({
  ...common,
  standalone: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("True: a revision is made, and the space stays as it is."),
    ),
  ),
});

export const GitExport = v.strictObject({ ...common, commitMessage: textSchema(1, 5000) });

/** The repository of a space, and the state of its synchronization. */
export const GitInfo = namedObject("GitInfo", {
  object: v.literal("git-info"),
  ...GitSync.pipe[0].entries,
  ref: v.string(),
  repoProjectDirectory: v.optional(v.string()),
  repoTreeURL: v.optional(v.string()),
  waiting: v.pipe(v.number(), v.description("Requests that are not done yet.")),
  lastRun: v.optional(
    v.object({
      direction: v.picklist(["import", "export"]),
      status: v.pipe(
        v.picklist(["running", "completed", "failed"]),
        v.description("`running` with an `error` is tried again by itself."),
      ),
      requestedAt: Timestamp,
      error: v.optional(v.string()),
      commit: v.optional(v.string()),
      revision: v.optional(Id),
      skipped: v.optional(
        v.pipe(
          v.array(v.object({ resource: v.string(), reason: v.string() })),
          v.description(
            [
              "Files of the repository that were not taken, or not as they are, and why:",
              "the first thousand or so by name.",
            ].join(" "),
          ),
        ),
      ),
    }),
  ),
  progress: v.optional(Progress),
  commit: v.optional(v.pipe(v.string(), v.description("The commit that the space is in step with."))),
  conflicts: v.optional(
    v.pipe(
      v.object({ revision: Id, count: v.number(), list: v.array(Conflict) }),
      v.description(
        "What both sides had changed in their own ways. The space kept its own; `revision` has the repository's side.",
      ),
    ),
  ),
});
