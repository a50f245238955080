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
    v.description(
      "The URL of the repository. Credentials in the URL are used, encrypted until then, and never returned.",
    ),
  ),
  ref: v.pipe(Branch, v.description("The branch, such as `refs/heads/main`.")),
  repoCacheID: v.optional(
    v.pipe(
      textSchema(0, 500),
      v.description("Accepted and ignored: information about a repository is stored with the space."),
    ),
  ),
  repoTreeURL: v.optional(v.pipe(ShownUrl, v.description("The base URL for links to directories."))),
  repoCommitURL: v.optional(v.pipe(ShownUrl, v.description("The base URL for links to commits."))),
  repoProjectDirectory: v.optional(
    v.pipe(Folder, v.description("The directory that contains the documentation. Defaults to the root.")),
  ),
  timestamp: v.optional(
    v.pipe(
      v.string("Expected a time"),
      v.isoTimestamp("Expected a time such as 2026-03-01T09:00:00Z"),
      v.description(
        "The time that requests are ordered by. Requests older than the last completed one are dropped. Defaults to now.",
      ),
    ),
  ),
  force: v.optional(
    v.pipe(
      v.boolean("Expected true or false"),
      v.description("True overwrites instead of merging: the incoming side wins."),
    ),
  ),
  gitInfo: v.optional(v.strictObject({ provider: GitProvider, url: v.optional(ShownUrl) })),
};

export const GitImport = v.strictObject({
  ...common,
  standalone: v.optional(
    v.pipe(v.boolean("Expected true or false"), v.description("True creates a revision without updating the space.")),
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
  waiting: v.pipe(v.number(), v.description("The number of pending requests.")),
  lastRun: v.optional(
    v.object({
      direction: v.picklist(["import", "export"]),
      status: v.pipe(
        v.picklist(["running", "completed", "failed"]),
        v.description("`running` with an `error` is retried automatically."),
      ),
      requestedAt: Timestamp,
      error: v.optional(v.string()),
      commit: v.optional(v.string()),
      revision: v.optional(Id),
      skipped: v.optional(
        v.pipe(
          v.array(v.object({ resource: v.string(), reason: v.string() })),
          v.description(
            "The files that were skipped or modified, with the reason. About the first 1,000 are listed by name.",
          ),
        ),
      ),
    }),
  ),
  progress: v.optional(Progress),
  commit: v.optional(v.pipe(v.string(), v.description("The commit that the space is synchronized with."))),
  conflicts: v.optional(
    v.pipe(
      v.object({ revision: Id, count: v.number(), list: v.array(Conflict) }),
      v.description(
        "The parts that both sides changed differently. The space keeps its own version; `revision` contains the version of the repository.",
      ),
    ),
  ),
});
