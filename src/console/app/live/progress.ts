// How far long work is, while one watches.
//
//   const run = useProgress("git", spaceId);
//   run?.status      // "running", "completed" or "failed"; undefined: nothing was heard since the page was opened
//   run?.progress    // { done, total?, step }
//
// The id is that of any thing which the work is about, as the paths of the API name it: the space for "git" and "import" (or
// the change request, by its id), the translation for "translation", the slug for "openapi-spec", the job for "job". What was
// under way before the page was opened is in the `progress` of the resource itself:
//
//   const progress = run?.status === "running" ? run.progress : run ? undefined : resource.progress;
//
// When work ends, what is on the screen and concerned by it is asked for again by itself.

import type { WorkProgressEvent } from "../../../events/streamed-event";
import { createStore, useStore } from "../calls/store";
import { onEvent } from "./stream";

export type Run = Pick<WorkProgressEvent, "status" | "progress">;

const runs = createStore<ReadonlyMap<string, Run>>(new Map());

onEvent((event) => {
  if (event.type === "reset") runs.set(new Map());
  if (event.type !== "progress") return;
  const { work, status, progress, things } = event;
  const next = new Map(runs.get());
  for (const { id } of things) next.set(`${work} ${id}`, { status, progress });
  runs.set(next);
});

/** How far the work on a thing is, as it was heard last. */
export function useProgress(work: WorkProgressEvent["work"], id: string | undefined): Run | undefined {
  return useStore(runs).get(`${work} ${id}`);
}
