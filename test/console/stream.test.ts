// The stream of events of the console goes on after its session has ended and somebody has signed in again, in whichever order
// the two are told. The browser is played: a page, and streams whose words and refusals the test decides.

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { StreamedEvent } from "../../src/events/streamed-event";

const ORIGIN = "https://docs.example.com";
const END: StreamedEvent = { type: "end", reason: "signed-out" };
const CHANGED: StreamedEvent = {
  type: "changed",
  id: "2",
  at: "2026-01-01T00:00:00.000Z",
  action: "changeContent",
  by: { type: "user", id: "usr_1" },
  things: [],
  made: [],
};

/** A stream as browsers have them: it is closed by the page, or by a server that refuses it. */
class Stream {
  static readonly CLOSED = 2;
  static all: Stream[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string; lastEventId: string }) => void) | null = null;
  onerror: (() => void) | null = null;

  constructor(readonly url: string) {
    Stream.all.push(this);
  }

  static get open(): Stream[] {
    return Stream.all.filter(({ readyState }) => readyState !== Stream.CLOSED);
  }

  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }

  tell(event: StreamedEvent, lastEventId = ""): void {
    this.onmessage?.({ data: JSON.stringify(event), lastEventId });
  }

  refuse(): void {
    this.readyState = Stream.CLOSED;
    this.onerror?.();
  }

  close(): void {
    this.readyState = Stream.CLOSED;
  }
}

let stream: typeof import("../../src/console/app/live/event-stream");
let connection: typeof import("../../src/console/app/api/client").connectionStore;

beforeEach(async () => {
  const page = Object.assign(new EventTarget(), { hidden: false, getElementById: () => ({ dataset: {} }) });
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", new URL(ORIGIN));
  vi.stubGlobal("EventSource", Stream);
  vi.useFakeTimers();
  stream = await import("../../src/console/app/live/event-stream");
  ({ connectionStore: connection } = await import("../../src/console/app/api/client"));
  Stream.all = [];
  connection.set("good");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Listens, and hears something. Gives what was heard, and how it ends. */
function listening() {
  const heard: string[] = [];
  const unhear = stream.onEvent(({ type }) => heard.push(type));
  const unlisten = stream.listenToOrganization("org_1");
  const [first] = Stream.open;
  first!.accept();
  first!.tell(CHANGED, "1");
  expect(heard).toEqual(["changed"]);
  return {
    heard,
    first: first!,
    end() {
      unhear();
      unlisten();
      expect(Stream.open).toEqual([]);
    },
  };
}

/** It is open again where it was, hears what comes, and is the only one, whatever time goes by. */
function goesOn(heard: readonly string[]): void {
  expect(Stream.open.map(({ url }) => url)).toEqual(["/v1/orgs/org_1/events?after=1"]);
  Stream.open[0]!.accept();
  Stream.open[0]!.tell(CHANGED, "2");
  expect(heard).toEqual(["changed", "end", "changed"]);
  vi.advanceTimersByTime(600_000);
  expect(Stream.open).toHaveLength(1);
}

test("the event stream reconnects when the session ends before a person signs in again", () => {
  const { heard, first, end } = listening();
  first.tell(END);
  connection.set("signed-out");
  expect(first.readyState).toBe(Stream.CLOSED);
  // While nobody has signed in, it is refused again and again.
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(60_000);
    expect(Stream.open).toHaveLength(1);
    Stream.open[0]!.refuse();
  }
  // Signed in, it is opened without a pause, and where it was.
  const refused = Stream.all.length;
  connection.set("good");
  expect(Stream.all).toHaveLength(refused + 1);
  goesOn(heard);
  end();
});

test("the event stream reconnects when a person has signed in again before the end is reported", () => {
  const { heard, first, end } = listening();
  connection.set("signed-out");
  connection.set("good");
  expect(Stream.open).toEqual([first]);
  first.tell(END);
  expect(first.readyState).toBe(Stream.CLOSED);
  // Nothing tells of the new session any more: the stream asks by itself.
  vi.advanceTimersByTime(60_000);
  goesOn(heard);
  end();
});

test("the event stream does not reconnect for a person who left the organization", () => {
  const { first, end } = listening();
  first.tell(END);
  end();
  vi.advanceTimersByTime(600_000);
  connection.set("signed-out");
  connection.set("good");
  expect(Stream.open).toEqual([]);
});
