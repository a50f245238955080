// How far long work is: a bar where it is known how much there is to do, and words always.

import type { Progress } from "../../../generated/resources";
import { useProgress } from "../live/progress";
import { filled, numberIn, useWords, type Words } from "../words/words";

export function WorkProgress({
  work,
  id,
  known,
}: {
  readonly work: Parameters<typeof useProgress>[0];
  /** The thing that is worked on. */
  readonly id: string;
  /** How far it was when the thing was asked for. What was heard since counts more. */
  readonly known?: Progress | undefined;
}) {
  const words = useWords();
  const run = useProgress(work, id);
  const progress = run?.status === "running" ? run.progress : known;
  const { done = 0, total, step = "" } = progress ?? {};
  const said = progress ? (stepWords(words)[step] ?? words.working) : words.working;
  return (
    <div class="work" role="status">
      <progress aria-label={said} {...(total === undefined || total === 0 ? {} : { max: total, value: done })} />
      <small>
        {said}
        {progress &&
          total !== undefined &&
          total > 0 &&
          ` ${filled(words.doneOf, { done: numberIn(words.inLanguage, done), total: numberIn(words.inLanguage, total) })}`}
        {progress && total === undefined && done > 0 && ` ${numberIn(words.inLanguage, done)}`}
      </small>
    </div>
  );
}

/** What is being done, as people say it. */
function stepWords(words: Words): Readonly<Record<string, string>> {
  return {
    fetching: words.stepFetching,
    reading: words.stepReading,
    adding: words.stepAdding,
    pushing: words.stepPushing,
    waiting: words.stepWaiting,
    translating: words.stepTranslating,
    copying: words.stepCopying,
  };
}
