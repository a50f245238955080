// What happens in the organization that is open, told by the server while it happens. One stream is open at a time, and none
// while the page is hidden: browsers open few connections to one server. It goes on where it was, so nothing is missed.
//
// - What is on the screen and concerned by an event is asked for again by itself.
// - `onEvent(hear)` hears every event. `useProgress` of progress.ts has how far long work is.

import type { StreamedEvent } from "../../../events/streamed-event";
import { connection } from "../calls/client";
import { refreshAll, refreshWhere } from "../calls/reads";
import { surroundings } from "../calls/surroundings";
import { isConcerned } from "./concerned";

const hearers = new Set<(event: StreamedEvent) => void>();

/** Hears every event of the open organization, until what it gives is called. */
export function onEvent(hear: (event: StreamedEvent) => void): () => void {
  hearers.add(hear);
  return () => hearers.delete(hear);
}

/** A refused stream is asked for again after so long, twice as long each time. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;
/** Events that come together are answered together. */
const TOGETHER_MS = 200;

/** Listens to an organization, until what it gives is called. */
export function listenTo(organization: string): () => void {
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
    source = new EventSource(`${surroundings.api}/v1/orgs/${encodeURIComponent(organization)}/events${after}`);
    source.onopen = () => {
      pause = FIRST_PAUSE_MS;
      // A stream that heard nothing does not know where it was: what happened in between is asked for.
      if (connection.get() !== "good" || (wasOpen && last === "")) void refreshAll();
      wasOpen = true;
    };
    source.onmessage = ({ data, lastEventId }) => {
      if (lastEventId !== "") last = lastEventId;
      hear(JSON.parse(data) as StreamedEvent);
    };
    source.onerror = () => {
      // Whether the server is gone, or the session, a question tells. A browser asks again by itself after a break, and not
      // after a refusal.
      const isRefused = source?.readyState === EventSource.CLOSED;
      void refreshWhere((name) => name === "getCurrentUser");
      if (isRefused) openLater();
    };
  };
  const openLater = () => {
    close();
    timer = setTimeout(open, pause);
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  };
  const hear = (event: StreamedEvent) => {
    if (event.type === "end" && (event.reason === "signed-out" || event.reason === "no-access")) {
      // Somebody who has signed in again by now goes on listening. Somebody who has not does so when they have.
      openLater();
      void refreshAll();
    }
    refreshFor(event);
    for (const it of [...hearers]) it(event);
  };

  const unwatch = connection.watch(() => {
    // Somebody who has signed in again goes on listening.
    if (connection.get() === "good" && !source) open();
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

/** A lost connection is looked after this often. */
const LOOK_MS = 3000;

/** While the server cannot be reached, asks whether it is there again, and then for everything that is on the screen. Who comes
 * back from signing in elsewhere is asked for at once. */
export function lookAfterConnection(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wasGood = true;
  const look = async () => {
    clearTimeout(timer);
    if (connection.get() === "good") return;
    await refreshWhere((name) => name === "getCurrentUser");
    if (connection.get() === "lost") timer = setTimeout(look, LOOK_MS);
  };
  const unwatch = connection.watch(() => {
    const state = connection.get();
    if (state === "lost") timer = setTimeout(look, LOOK_MS);
    else if (state === "good" && !wasGood) void refreshAll();
    wasGood = state === "good";
  });
  addEventListener("online", look);
  addEventListener("focus", look);
  return () => {
    clearTimeout(timer);
    unwatch();
    removeEventListener("online", look);
    removeEventListener("focus", look);
  };
}

let waiting: StreamedEvent[] = [];

/** Asks again for what an event concerns. */
function refreshFor(event: StreamedEvent): void {
  if (event.type === "end" || (event.type === "progress" && event.status === "running")) return;
  waiting.push(event);
  if (waiting.length > 1) return;
  setTimeout(() => {
    const events = waiting;
    waiting = [];
    void refreshWhere((_, params) => events.some((it) => isConcerned(it, params)));
  }, TOGETHER_MS);
}
