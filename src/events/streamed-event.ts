// The events of a stream on the wire: what changed, who changed it, and which thing. An event has ids and names of operations, and
// never content.

import type { Progress, ProgressRecord } from "../jobs/progress";

/** A thing with an id. Its type is the kind of the id in kebab case, such as `change-request`. */
export interface StreamedThing {
  readonly type: string;
  readonly id: string;
}

/** The content that a space, or a change request of it, shows now. */
export interface ShownContent {
  readonly space: string;
  readonly changeRequest?: string;
  readonly revision: string;
  /** The pages that differ from the revision before, at most 100. */
  readonly pages: readonly string[];
  /** True if more pages differ. */
  readonly more?: true;
}

/** An operation was completed. */
export interface ChangedEvent {
  readonly type: "changed";
  /** An event that is sent again has the same id. */
  readonly id: string;
  readonly at: string;
  /** The name of the operation: `updateTeam`. */
  readonly action: string;
  readonly by: { readonly type: string; readonly id?: string };
  /** The things that it was done to, from the outside to the inside. */
  readonly things: readonly StreamedThing[];
  /** The things that it made. */
  readonly made: readonly StreamedThing[];
  readonly content?: ShownContent;
}

/** Work after a response has made progress, or has ended. */
export interface WorkProgressEvent {
  readonly type: "progress";
  readonly at: string;
  readonly work: ProgressRecord["work"];
  readonly status: ProgressRecord["status"];
  readonly things: readonly StreamedThing[];
  readonly progress: Progress;
  readonly content?: ShownContent;
}

/** The data of the reader may be out of date, and should be loaded again. Earlier events are not sent. */
export interface ResetEvent {
  readonly type: "reset";
}

/** The stream ends. After `signed-out` and `no-access` there is no reason to reconnect. */
export interface EndEvent {
  readonly type: "end";
  readonly reason: "time" | "signed-out" | "no-access" | "closing";
}

export type StreamedEvent = ChangedEvent | WorkProgressEvent | ResetEvent | EndEvent;
