// The progress of background work, as a text and, if the total is known, as a bar.

import type { Progress } from "../../../generated/resources";
import { formatLocalizedNumber, formatMessage } from "../../../locales/format-message";
import { useProgress } from "../live/progress";
import { useMessages } from "../messages/messages";

export function WorkProgress({
  work,
  id,
  known,
}: {
  readonly work: Parameters<typeof useProgress>[0];
  /** The id of the resource that is worked on. */
  readonly id: string;
  /** The progress in the resource itself. Events that arrive later take precedence. */
  readonly known?: Progress | undefined;
}) {
  const messages = useMessages();
  const run = useProgress(work, id);
  const progress = run?.status === "running" ? run.progress : known;
  const { done = 0, total, step = "" } = progress ?? {};
  const stepLabels: Readonly<Record<string, string>> = {
    fetching: messages.jobs.stepFetching,
    reading: messages.jobs.stepReading,
    adding: messages.jobs.stepAdding,
    pushing: messages.jobs.stepPushing,
    waiting: messages.jobs.stepWaiting,
    translating: messages.jobs.stepTranslating,
    copying: messages.jobs.stepCopying,
  };
  const label = progress ? (stepLabels[step] ?? messages.jobs.working) : messages.jobs.working;
  return (
    <div class="work" role="status">
      <progress aria-label={label} {...(total === undefined || total === 0 ? {} : { max: total, value: done })} />
      <small>
        {label}
        {progress &&
          total !== undefined &&
          total > 0 &&
          ` ${formatMessage(messages.jobs.doneOf, {
            done: formatLocalizedNumber(messages.inLanguage, done),
            total: formatLocalizedNumber(messages.inLanguage, total),
          })}`}
        {progress && total === undefined && done > 0 && ` ${formatLocalizedNumber(messages.inLanguage, done)}`}
      </small>
    </div>
  );
}
