// Shows queries: their values, a placeholder while they load, and their errors.

import type { ComponentChildren } from "preact";
import type { CallError } from "../../../client";
import { type ListQuery, type QueryState, refreshAllQueries } from "../api/queries";
import { useMessages } from "../messages/messages";
import { Button } from "./button";

/** Shows the value of a query when it is loaded. */
export function Loaded<Value>({
  of: reading,
  children,
}: {
  readonly of: QueryState<Value>;
  readonly children: (value: Value) => ComponentChildren;
}) {
  if (reading.state === "loading") return <LoadingIndicator />;
  if (reading.state === "failed") return <LoadError error={reading.error} />;
  return <>{children(reading.value)}</>;
}

/** Shows a list, a placeholder if it is empty, and a button that loads more. */
export function LoadedList<Item>({
  of: { reading, more },
  empty,
  children,
}: {
  readonly of: ListQuery<Item>;
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}) {
  const messages = useMessages();
  return (
    <Loaded of={reading}>
      {(items) => (
        <>
          {items.length === 0 ? <div class="empty">{empty}</div> : children(items)}
          {more && (
            <p>
              <Button onClick={more}>{messages.general.showMore}</Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

/** Shows a list with an element for each item. */
export function LoadedRows<Item>({
  of: list,
  empty,
  getKey = (item) => (item as { readonly id: string }).id,
  class: className = "rows",
  label,
  children,
}: {
  readonly of: ListQuery<Item>;
  /** The text in place of an empty list. */
  readonly empty?: string;
  /** Returns the identity of an item. Default: its `id`. */
  readonly getKey?: (item: Item) => string;
  readonly class?: string;
  readonly label?: string;
  readonly children: (item: Item) => ComponentChildren;
}) {
  return (
    <LoadedList of={list} empty={empty === undefined ? null : <p>{empty}</p>}>
      {(items) => (
        <ul class={className} aria-label={label}>
          {items.map((item) => (
            <li key={getKey(item)}>{children(item)}</li>
          ))}
        </ul>
      )}
    </LoadedList>
  );
}

export function LoadingIndicator() {
  const messages = useMessages();
  return (
    <p class="waiting" role="status">
      {messages.general.loading}
    </p>
  );
}

/** The error of a query that failed. A hidden resource looks like one that does not exist. */
export function LoadError({ error }: { readonly error: CallError }) {
  const messages = useMessages();
  const isAbsent = error.status === 404;
  return (
    <div class="failed" role="alert">
      {isAbsent ? <h1>{messages.general.notFound}</h1> : <h2>{messages.general.wentWrong}</h2>}
      <p>{isAbsent ? messages.general.notFoundWhy : error.message}</p>
      {!isAbsent && (
        <p>
          <Button onClick={() => void refreshAllQueries()}>{messages.general.tryAgain}</Button>
        </p>
      )}
    </div>
  );
}

/** The error of an action that failed. */
export function ActionError({ error }: { readonly error: CallError | undefined }) {
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
