// What stands where an answer is waited for, and where there is none.

import type { ComponentChildren } from "preact";
import type { CallError } from "../../../client";
import type { Reading, ReadingList } from "../calls/reads";
import { refreshAll } from "../calls/reads";
import { useWords } from "../words/words";
import { Button } from "./button";

/** Shows a reading when it is there. */
export function Shown<Value>({
  of: reading,
  children,
}: {
  readonly of: Reading<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (reading.state === "waiting") return <Waiting />;
  if (reading.state === "failed") return <Failed error={reading.error} />;
  return <>{children(reading.value)}</>;
}

/** Shows a list, with what there is when it is empty, and a button for more. */
export function ShownList<Item>({
  of: { reading, more },
  empty,
  children,
}: {
  readonly of: ReadingList<Item>;
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}) {
  const words = useWords();
  return (
    <Shown of={reading}>
      {(items) => (
        <>
          {items.length === 0 ? <div class="empty">{empty}</div> : children(items)}
          {more && (
            <p>
              <Button onClick={more}>{words.showMore}</Button>
            </p>
          )}
        </>
      )}
    </Shown>
  );
}

export function Waiting() {
  const words = useWords();
  return (
    <p class="waiting" role="status">
      {words.loading}
    </p>
  );
}

/** A page or part that could not be had. What is hidden looks as what is absent. */
export function Failed({ error }: { readonly error: CallError }) {
  const words = useWords();
  const isAbsent = error.status === 404;
  return (
    <div class="failed" role="alert">
      {isAbsent ? <h1>{words.notFound}</h1> : <h2>{words.wentWrong}</h2>}
      <p>{isAbsent ? words.notFoundWhy : error.message}</p>
      {!isAbsent && (
        <p>
          <Button onClick={() => void refreshAll()}>{words.tryAgain}</Button>
        </p>
      )}
    </div>
  );
}

/** What went wrong with something that was pressed. */
export function Problem({ error }: { readonly error: CallError | undefined }) {
  if (!error) return null;
  return (
    <div class="problem" role="alert">
      <p>{error.message}</p>
      {error.issues && error.issues.length > 0 && (
        <ul>
          {error.issues.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
