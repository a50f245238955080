// The synchronization of a space on the wire.

import type * as v from "valibot";
import type { Progress } from "../../../jobs/progress";
import type { Objects } from "../../../storage/objects";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl } from "../../../utils/url";
import type { GitSync } from "../../library/spaces/schema";
import { parseOmissionReport } from "../imports/omission-report";
import type { GitRequest, GitSyncRecord } from "./records";
import type { GitInfo } from "./schema";

/** Formats the repository of a space, as a field of the space. */
export function presentGitSync(sync: GitSyncRecord): v.InferOutput<typeof GitSync> {
  // The owner and the name of the repository, from its URL.
  const parts = parseUrl(sync.url)
    .pathname.split("/")
    .filter((part) => part !== "")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
  return {
    repoName: parts.join("/").replace(/\.git$/, ""),
    ...omitUndefined({ installationProvider: sync.provider, integration: sync.integration }),
    url: sync.page ?? sync.url,
    updatedAt: sync.updatedAt,
  };
}

/** Formats the repository of a space, and the state of its synchronization. */
export async function presentGitInfo(
  sync: GitSyncRecord,
  waiting: readonly GitRequest[],
  objects: Objects,
  progress: Progress | undefined,
): Promise<v.InferOutput<typeof GitInfo>> {
  const { conflicts, directory, treeUrl, agreed, last, ref } = sync;
  let lastRun: v.InferOutput<typeof GitInfo>["lastRun"];
  if (last) {
    const { skipped, ...rest } = last;
    if (skipped === undefined) lastRun = rest;
    else if (typeof skipped === "string")
      lastRun = { ...rest, skipped: parseOmissionReport(await objects.text(skipped)).skipped };
    else {
      const reason = `${skipped} were not taken; they were not named when this ran.`;
      lastRun = { ...rest, skipped: [{ resource: "…", reason }] };
    }
  }
  return {
    object: "git-info",
    ...presentGitSync(sync),
    ref,
    ...omitUndefined({ repoProjectDirectory: directory === "" ? undefined : directory, repoTreeURL: treeUrl }),
    waiting: waiting.length,
    ...omitUndefined({
      lastRun,
      progress,
      commit: agreed?.commit,
      conflicts: conflicts && { revision: conflicts.revision, count: conflicts.count, list: [...conflicts.list] },
    }),
  };
}
