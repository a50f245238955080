// The parts of every page: its head, the values and lists that it loads with a placeholder and errors, relative times, and its
// announcement to screen readers.

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { CallError } from "../../../client";
import { createStore, type ListQuery, type QueryState, refreshAllQueries, useStore } from "../api/api";
import { fillMessage, useMessages } from "../messages/messages";
import { Button } from "./button";

export function PageHead({
  title,
  above,
  children,
}: {
  readonly title: string;
  /** The breadcrumbs: labels with their paths. */
  readonly above?: readonly (readonly [label: string, href: string])[];
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    notifyPageChange(title);
  }, [title]);
  return (
    <header class="head">
      <div>
        {above && above.length > 0 && (
          <p class="crumbs">
            {above.map(([label, href]) => (
              <a key={href} href={href}>
                <bdi>{label}</bdi>
              </a>
            ))}
          </p>
        )}
        <h1>
          <bdi>{title}</bdi>
        </h1>
      </div>
      {children && <div class="buttons">{children}</div>}
    </header>
  );
}

const announcement = createStore("");

/**
 * The live region, once per page: one sentence at a time. A page that was opened is announced, and gets the focus if the focused
 * element is gone, so that the next key works there.
 */
export function Announcements() {
  return (
    <p class="unseen" role="status">
      {useStore(announcement)}
    </p>
  );
}

let isFirstPage = true;

/** Sets the title of the document and announces the page to screen readers. */
function notifyPageChange(title: string): void {
  document.title = `${title} · Octavo`;
  // The browser itself announces the first page.
  if (!isFirstPage) {
    announcement.set(title);
    if (document.activeElement === document.body) document.getElementById("content")?.focus();
  }
  isFirstPage = false;
}

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
              <Button onClick={more}>{messages.showMore}</Button>
            </p>
          )}
        </>
      )}
    </Loaded>
  );
}

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
      {messages.loading}
    </p>
  );
}

/** The error of a query that failed. A hidden resource looks like one that does not exist. */
function LoadError({ error }: { readonly error: CallError }) {
  const messages = useMessages();
  const isAbsent = error.status === 404;
  return (
    <div class="failed" role="alert">
      {isAbsent ? <h1>{messages.notFound}</h1> : <h2>{messages.wentWrong}</h2>}
      <p>{isAbsent ? messages.notFoundWhy : error.message}</p>
      {!isAbsent && (
        <p>
          <Button onClick={() => void refreshAllQueries()}>{messages.tryAgain}</Button>
        </p>
      )}
    </div>
  );
}

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

export function NotFound() {
  const messages = useMessages();
  useEffect(() => notifyPageChange(messages.notFound), []);
  return (
    <div class="failed">
      <h1>{messages.notFound}</h1>
      <p>{messages.notFoundWhy}</p>
    </div>
  );
}

const UNITS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ["year", 365 * 24 * 3600],
  ["month", 30 * 24 * 3600],
  ["day", 24 * 3600],
  ["hour", 3600],
  ["minute", 60],
];

/** Shows a time. `sentence` contains `{when}`. */
export function RelativeTime({ at, sentence = "{when}" }: { readonly at: string; readonly sentence?: string }) {
  const { inLanguage } = useMessages();
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(inLanguage, { numeric: "auto" });
  const unit = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  const when = unit ? format.format(Math.round(seconds / unit[1]), unit[0]) : format.format(0, "second");
  return (
    <time dateTime={at} title={new Date(at).toLocaleString(inLanguage)}>
      {fillMessage(sentence, { when })}
    </time>
  );
}
