// The events of a stream on the wire: what changed, by whom, and which thing. An event has ids and names of operations, and
// never content.

import type { Progress, ProgressRow } from "../jobs/progress";

/** Something with an id: its kind in words, such as `change-request`, and its id. */
export interface Thing {
  readonly type: string;
  readonly id: string;
}

/** What a space, or a change request of it, shows now. */
export interface ContentNow {
  readonly space: string;
  readonly changeRequest?: string;
  readonly revision: string;
  /** The pages that differ from the revision before: at most 100. */
  readonly pages: readonly string[];
  /** True when further pages differ. */
  readonly more?: true;
}

/** An operation was carried out. */
export interface Changed {
  readonly type: "changed";
  /** An event that is told again has the same id. */
  readonly id: string;
  readonly at: string;
  /** The name of the operation: `updateTeam`. */
  readonly action: string;
  readonly by: { readonly type: string; readonly id?: string };
  /** What it was done to, from the outside to the inside. */
  readonly things: readonly Thing[];
  /** What it made. */
  readonly made: readonly Thing[];
  readonly content?: ContentNow;
}

/** Work after an answer has got further, or has ended. */
export interface Progressed {
  readonly type: "progress";
  readonly at: string;
  readonly work: ProgressRow["work"];
  readonly status: ProgressRow["status"];
  readonly things: readonly Thing[];
  readonly progress: Progress;
  readonly content?: ContentNow;
}

/** What the reader has may be out of date, and is to be loaded anew. Events that happened before are not told. */
export interface Reset {
  readonly type: "reset";
}

/** The stream ends. With `signed-out` and `no-access` there is nothing to come back for. */
export interface Ended {
  readonly type: "end";
  readonly reason: "time" | "signed-out" | "no-access" | "closing";
}

export type StreamedEvent = Changed | Progressed | Reset | Ended;
