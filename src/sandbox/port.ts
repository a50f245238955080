// The sandbox as others see it: what goes in and what comes out. Types alone; the sandbox itself is loaded by the first who
// runs a script.

/** Runs scripts. */
export interface Sandbox {
  /** Calls a script with an event. Never throws because of the script. */
  readonly run: (script: string, call: SandboxCall, host: SandboxHost) => Promise<SandboxResult>;
  /** What keeps a script from being run at all: it does not compile, fails at once, or has no default export with
   * `fetch`. Nothing can be fetched meanwhile. Undefined: nothing. */
  readonly check: (script: string, host: Omit<SandboxHost, "fetch">) => Promise<SandboxFailure | undefined>;
  /** Ends the threads that nobody else uses. */
  readonly close: () => Promise<void>;
}

/** What the host lends to a run. */
export interface SandboxHost {
  /** How other hosts are reached, with the guard that it needs. Undefined: not at all. */
  readonly fetch: typeof fetch | undefined;
  /** The time when a run begins; in a thread it passes as that of the machine does from there. */
  readonly now: () => Date;
  /** Random bytes; in a thread they are those of the runtime. */
  readonly random: (bytes: number) => Uint8Array;
  /** Lets time pass. Default: `setTimeout`. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** What a script is called with. */
export interface SandboxCall {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: HeaderPairs;
    readonly body: Uint8Array | null;
  };
  /** Given to the script as JSON. */
  readonly env: unknown;
}

/** What a script answered. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** How a run ended, and what the script said meanwhile. */
export type SandboxResult =
  | { readonly response: SandboxResponse; readonly failure?: never; readonly logs: readonly LogLine[] }
  | { readonly failure: SandboxFailure; readonly response?: never; readonly logs: readonly LogLine[] };

/** Headers as pairs, names in lower case. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A line of the trace. */
export interface LogLine {
  readonly level: "debug" | "log" | "info" | "warn" | "error";
  readonly message: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** What can go wrong: the script did too much (`cpu`), took too long (`timeout`), needed too much `memory` or `stack`, threw
 * (`script_error`), is none (`invalid_script`), did not answer properly (`invalid_response`, `unanswered`,
 * `too_much_output`), was given too much (`too_much_input`); or the engine gave up (`crashed`), or there is none
 * (`unavailable`). */
export type FailureKind =
  | "cpu"
  | "timeout"
  | "memory"
  | "stack"
  | "script_error"
  | "invalid_script"
  | "invalid_response"
  | "unanswered"
  | "too_much_input"
  | "too_much_output"
  | "crashed"
  | "unavailable";

/** A failure as the event tells it. */
export interface SandboxFailure {
  readonly kind: FailureKind;
  /** A sentence for people. */
  readonly message: string;
  /** Where in the script it happened, if that is known. */
  readonly stack?: string;
}
