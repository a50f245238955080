// How far long work is: a bar where it is known how much there is to do, and words always.

import type { Progress } from "../../../generated/resources";
import { filled, useWords, type Words } from "../words/words";

export function WorkProgress({ of: progress }: { readonly of: Progress | undefined }) {
  const words = useWords();
  const { done = 0, total, step = "" } = progress ?? {};
  const said = progress ? stepWords(words)[step] ?? words.working : words.working;
  return (
    <div class="work" role="status">
      <progress aria-label={said} {...(total === undefined || total === 0 ? {} : { max: total, value: done })} />
      <small>
        {said}
        {progress && total !== undefined && total > 0 && ` ${filled(words.doneOf, { done, total })}`}
        {progress && total === undefined && done > 0 && ` ${done}`}
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
