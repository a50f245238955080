// The synchronization of a space on the wire.

import type * as v from "valibot";
import type { Progress } from "../../../jobs/progress";
import type { Objects } from "../../../storage/objects";
import { omitUndefined } from "../../../utils/objects";
import { parseUrl } from "../../../utils/url";
import type { GitSync } from "../../library/spaces/schema";
import { readTold } from "../imports/told";
import type { GitRequest, GitSyncRecord, LastRun } from "./records";
import type { GitInfo } from "./schema";

/** The repository of a space, as part of the space. */
export function gitSyncView(it: GitSyncRecord): v.InferOutput<typeof GitSync> {
  return {
    repoName: nameOf(it.url),
    ...omitUndefined({ installationProvider: it.provider, integration: it.integration }),
    url: it.page ?? it.url,
    updatedAt: it.updatedAt,
  };
}

/** The repository of a space, and the state of its synchronization. */
export async function gitInfoView(
  it: GitSyncRecord,
  waiting: readonly GitRequest[],
  objects: Objects,
  progress: Progress | undefined,
): Promise<v.InferOutput<typeof GitInfo>> {
  const { conflicts, directory, treeUrl, agreed, last, ref } = it;
  return {
    object: "git-info",
    ...gitSyncView(it),
    ref,
    ...omitUndefined({ repoProjectDirectory: directory === "" ? undefined : directory, repoTreeURL: treeUrl }),
    waiting: waiting.length,
    ...omitUndefined({
      lastRun: last === undefined ? undefined : await lastRunView(last, objects),
      progress,
      commit: agreed?.commit === undefined ? undefined : agreed.commit,
      conflicts: conflicts === undefined ? undefined : conflictsView(conflicts),
    }),
  };
}

async function lastRunView({ skipped, ...last }: LastRun, objects: Objects) {
  if (skipped === undefined) return last;
  const told =
    typeof skipped === "string"
      ? readTold(await objects.text(skipped)).skipped
      : [{ resource: "…", reason: `${skipped} were not taken; they were not named when this ran.` }];
  return { ...last, skipped: told };
}

function conflictsView({ revision, count, list }: NonNullable<GitSyncRecord["conflicts"]>) {
  return { revision, count, list: [...list] };
}

/** Owner and name of a repository. */
function nameOf(url: string): string {
  const { pathname } = parseUrl(url);
  const parts = pathname.split("/").filter((part) => part !== "");
  return parts
    .map((part) => decoded(part))
    .join("/")
    .replace(/\.git$/, "");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
