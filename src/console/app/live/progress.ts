// The progress of background work while the user watches.
//
//   const run = useProgress("git", spaceId);
//   run?.status      // "running", "completed" or "failed"; undefined if there was no event since the page was opened
//   run?.progress    // { done, total?, step }
//
// The id is that of any resource that the work is about, as in the paths of the API: the space for "git" and "import" (or the
// change request, by its id), the translation for "translation", the slug for "openapi-spec", the job for "job". Work that
// started before the page was opened is in the `progress` of the resource itself:
//
//   const progress = run?.status === "running" ? run.progress : run ? undefined : resource.progress;
//
// When work ends, the affected queries on the screen are refreshed.

import type { WorkProgressEvent } from "../../../events/streamed-event";
import { createStore, useStore } from "../api/value-store";
import { onEvent } from "./event-stream";

export type WorkRun = Pick<WorkProgressEvent, "status" | "progress">;

const runs = createStore<ReadonlyMap<string, WorkRun>>(new Map());

onEvent((event) => {
  if (event.type === "reset") runs.set(new Map());
  if (event.type !== "progress") return;
  const { work, status, progress, things } = event;
  const next = new Map(runs.get());
  for (const { id } of things) next.set(`${work} ${id}`, { status, progress });
  runs.set(next);
});

/** Returns the last reported progress of the work on a resource. */
export function useProgress(work: WorkProgressEvent["work"], id: string | undefined): WorkRun | undefined {
  return useStore(runs).get(`${work} ${id}`);
}
