// The progress of background work, as a text and, if the total is known, as a bar.

import type { WorkProgressEvent } from "../../../events/streamed-event";
import type { Progress } from "../../../generated/resources";
import { createStore, useStore } from "../api/api";
import { onEvent } from "../live/event-stream";
import { fillMessage, formatLocalizedNumber, useMessages } from "../messages/messages";

export function WorkProgress({
  work,
  id,
  known,
}: {
  readonly work: Parameters<typeof useProgress>[0];
  readonly id: string;
  /** The progress in the resource itself. Events that arrive later take precedence. */
  readonly known?: Progress | undefined;
}) {
  const messages = useMessages();
  const run = useProgress(work, id);
  const progress = run?.status === "running" ? run.progress : known;
  const { done = 0, total, step = "" } = progress ?? {};
  const stepLabels: Readonly<Record<string, string>> = {
    fetching: messages.stepFetching,
    reading: messages.stepReading,
    adding: messages.stepAdding,
    pushing: messages.stepPushing,
    waiting: messages.stepWaiting,
    translating: messages.stepTranslating,
    copying: messages.stepCopying,
  };
  const label = progress ? (stepLabels[step] ?? messages.working) : messages.working;
  return (
    <div class="work" role="status">
      <progress aria-label={label} {...(total === undefined || total === 0 ? {} : { max: total, value: done })} />
      <small>
        {label}
        {progress &&
          total !== undefined &&
          total > 0 &&
          ` ${fillMessage(messages.doneOf, {
            done: formatLocalizedNumber(messages.inLanguage, done),
            total: formatLocalizedNumber(messages.inLanguage, total),
          })}`}
        {progress && total === undefined && done > 0 && ` ${formatLocalizedNumber(messages.inLanguage, done)}`}
      </small>
    </div>
  );
}

type WorkRun = Pick<WorkProgressEvent, "status" | "progress">;

const runs = createStore<ReadonlyMap<string, WorkRun>>(new Map());

onEvent((event) => {
  if (event.type === "reset") runs.set(new Map());
  if (event.type !== "progress") return;
  const { work, status, progress, things } = event;
  const next = new Map(runs.get());
  for (const { id } of things) next.set(`${work} ${id}`, { status, progress });
  runs.set(next);
});

/**
 * Returns the last reported progress of the work on a resource, or undefined if there was no event since the page was opened.
 * Work that began before is in the `progress` of the resource. `id` is that of any resource that the work is about, as in the
 * paths of the API: the space or the change request, the translation, the slug of a specification, or the job. When work ends,
 * the affected queries on the screen are refreshed.
 */
function useProgress(work: WorkProgressEvent["work"], id: string | undefined): WorkRun | undefined {
  return useStore(runs).get(`${work} ${id}`);
}
