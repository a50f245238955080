// The event stream of the open organization. One stream is open at a time, and none while the page is hidden, because browsers
// limit the connections to a server. It resumes after the last event, so nothing is missed.
//
// - Queries on the screen that an event affects are refreshed.
// - `onEvent(listener)` receives every event. `useProgress` of progress.ts returns the progress of background work.

import type { StreamedEvent } from "../../../events/streamed-event";
import { connectionStore } from "../api/client";
import { pageConfig } from "../api/page-config";
import { refreshAllQueries, refreshQueries } from "../api/queries";
import { isAffected } from "./is-affected";

const listeners = new Set<(event: StreamedEvent) => void>();

/** Calls a listener for every event of the organization. Returns a function that removes it. */
export function onEvent(listener: (event: StreamedEvent) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The pause before a refused stream is opened again. It doubles each time. */
const FIRST_PAUSE_MS = 2000;
const MAX_PAUSE_MS = 60_000;
/** Events within this time are handled together. */
const BATCH_MS = 200;

let pendingEvents: StreamedEvent[] = [];

/** Opens the event stream of an organization. Returns a function that closes it. */
export function listenToOrganization(organization: string): () => void {
  let source: EventSource | undefined;
  let last = "";
  let wasOpen = false;
  let pause = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;

  const close = () => {
    clearTimeout(timer);
    source?.close();
    source = undefined;
  };
  const open = () => {
    close();
    if (isOver || document.hidden) return;
    const after = last === "" ? "" : `?${new URLSearchParams({ after: last })}`;
    source = new EventSource(`${pageConfig.api}/v1/orgs/${encodeURIComponent(organization)}/events${after}`);
    source.onopen = () => {
      pause = FIRST_PAUSE_MS;
      // A stream without any event has no position, so events in between may be missing: refresh everything.
      if (connectionStore.get() !== "good" || (wasOpen && last === "")) void refreshAllQueries();
      wasOpen = true;
    };
    source.onmessage = ({ data, lastEventId }) => {
      if (lastEventId !== "") last = lastEventId;
      handleEvent(JSON.parse(data) as StreamedEvent);
    };
    source.onerror = () => {
      // A query finds out if the server or the session is gone. Browsers reopen a broken stream, but not a refused one.
      const isRefused = source?.readyState === EventSource.CLOSED;
      void refreshQueries((name) => name === "getCurrentUser");
      if (isRefused) openLater();
    };
  };
  const openLater = () => {
    close();
    timer = setTimeout(open, pause);
    pause = Math.min(pause * 2, MAX_PAUSE_MS);
  };
  const handleEvent = (event: StreamedEvent) => {
    if (event.type === "end" && (event.reason === "signed-out" || event.reason === "no-access")) {
      // The stream is opened again now if the user has signed in already, and otherwise after the next sign-in.
      openLater();
      void refreshAllQueries();
    }
    const isRunning = event.type === "progress" && event.status === "running";
    if (event.type !== "end" && !isRunning) {
      // Events that arrive together are handled together.
      pendingEvents.push(event);
      if (pendingEvents.length === 1)
        setTimeout(() => {
          const events = pendingEvents;
          pendingEvents = [];
          void refreshQueries((_, params) => events.some((it) => isAffected(it, params)));
        }, BATCH_MS);
    }
    for (const listener of [...listeners]) listener(event);
  };

  const unwatch = connectionStore.watch(() => {
    // The stream is opened again after the user has signed in.
    if (connectionStore.get() === "good" && !source) open();
  });
  document.addEventListener("visibilitychange", open);
  open();
  return () => {
    isOver = true;
    unwatch();
    document.removeEventListener("visibilitychange", open);
    close();
  };
}

/** The interval in which a lost connection is checked. */
const CHECK_INTERVAL_MS = 3000;

/**
 * Checks a lost connection until the server is reachable again, and then refreshes the screen. When the window gets the focus,
 * the session is checked at once, because the user may have signed in elsewhere. Returns a function that stops it.
 */
export function monitorConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasGood = true;
  const check = async () => {
    clearTimeout(timer);
    if (connectionStore.get() === "good") return;
    await refreshQueries((name) => name === "getCurrentUser");
    if (connectionStore.get() === "lost") timer = setTimeout(check, CHECK_INTERVAL_MS);
  };
  const unwatch = connectionStore.watch(() => {
    const state = connectionStore.get();
    if (state === "lost") timer = setTimeout(check, CHECK_INTERVAL_MS);
    else if (state === "good" && !wasGood) void refreshAllQueries();
    wasGood = state === "good";
  });
  addEventListener("online", check);
  addEventListener("focus", check);
  return () => {
    clearTimeout(timer);
    unwatch();
    removeEventListener("online", check);
    removeEventListener("focus", check);
  };
}
