// The messages between a thread that runs scripts and the thread that started it. Types only.

import type { SettledRequest } from "./outbound-requests";
import type { LogLine, SandboxCall, SandboxFailure, SandboxLimits, SandboxResponse } from "./port";

/** A script to call. Without a call it is only checked. */
export interface Task {
  readonly script: string;
  readonly call?: SandboxCall | undefined;
  readonly limits: SandboxLimits;
}

/** The outcome of a task. A check without a failure means that the script is valid. */
export interface TaskResult {
  readonly response?: SandboxResponse;
  readonly failure?: SandboxFailure;
  readonly logs: readonly LogLine[];
}

/** Messages to a thread: its first message, a task with the host's time, and the outcome of a request. */
export type ThreadInput =
  | { readonly type: "open"; readonly engine: Uint8Array<ArrayBuffer>; readonly world: string }
  | { readonly type: "run"; readonly id: number; readonly task: Task; readonly now: number }
  | { readonly type: "settled"; readonly id: number; readonly settled: SettledRequest };

/** Messages from a thread: it can begin, has begun a task, wants a request sent or aborted, and has ended a task. */
export type ThreadOutput =
  | { readonly type: "ready" }
  | { readonly type: "begun"; readonly id: number }
  | { readonly type: "fetch"; readonly id: number; readonly value: unknown; readonly bytes: Uint8Array | undefined }
  | { readonly type: "abort"; readonly id: number; readonly value: unknown }
  | { readonly type: "ended"; readonly id: number; readonly ended: TaskResult };
