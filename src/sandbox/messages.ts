// The messages between a thread that runs scripts and the thread that started it. Types alone.

import type { SandboxLimits } from "./options";
import type { Settled } from "./outbound-requests";
import type { LogLine, SandboxCall, SandboxFailure, SandboxResponse } from "./port";

/** A script to call; without a call it is only checked. */
export interface Task {
  readonly script: string;
  readonly call?: SandboxCall | undefined;
  readonly limits: SandboxLimits;
}

/** How a task ended. A check without a failure means that the script is valid. */
export interface Ended {
  readonly response?: SandboxResponse;
  readonly failure?: SandboxFailure;
  readonly logs: readonly LogLine[];
}

/** What a thread is told: what it needs at first, a task with the host's time, and what came of a request. */
export type ToThread =
  | { readonly type: "open"; readonly engine: Uint8Array<ArrayBuffer>; readonly world: string }
  | { readonly type: "run"; readonly id: number; readonly task: Task; readonly now: number }
  | { readonly type: "settled"; readonly id: number; readonly settled: Settled };

/** What a thread tells: that it can begin, that it has begun with a task, what the script wants of others, and how it ended. */
export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "begun"; readonly id: number }
  | { readonly type: "fetch"; readonly id: number; readonly value: unknown; readonly bytes: Uint8Array | undefined }
  | { readonly type: "abort"; readonly id: number; readonly value: unknown }
  | { readonly type: "ended"; readonly id: number; readonly ended: Ended };
