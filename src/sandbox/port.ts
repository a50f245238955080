// The interface of the sandbox: its types, options and default limits. Importing it loads no engine; the sandbox itself is
// loaded when a script is first run.

/** Runs scripts. */
export interface Sandbox {
  /** Calls a script with an event. Never throws because of the script. */
  readonly run: (script: string, call: SandboxCall, host: SandboxHost) => Promise<SandboxResult>;
  /**
   * Checks that a script compiles, starts, and has a default export with `fetch`, without calling it. The script can
   * fetch nothing meanwhile. Returns undefined for a valid script.
   */
  readonly check: (script: string, host: Omit<SandboxHost, "fetch">) => Promise<SandboxFailure | undefined>;
  /** Ends the threads that no other sandbox uses. */
  readonly close: () => Promise<void>;
}

/** The functions that the host lends to a run. */
export interface SandboxHost {
  /** Sends the requests of the script, with the guard that they need. Undefined: the script can fetch nothing. */
  readonly fetch: typeof fetch | undefined;
  /** The time when a run begins. In a thread, the clock of the machine continues from there. */
  readonly now: () => Date;
  /** Returns random bytes. In a thread, the runtime's own are used instead. */
  readonly random: (bytes: number) => Uint8Array;
  /** Waits. Default: `setTimeout`. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** The event that a script is called with. */
export interface SandboxCall {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: HeaderPairs;
    readonly body: Uint8Array | null;
  };
  /** Passed to the script as JSON. */
  readonly env: unknown;
}

/** The response of a script. */
export interface SandboxResponse {
  readonly status: number;
  readonly headers: HeaderPairs;
  readonly body: Uint8Array;
}

/** The outcome of a run, with the script's log. */
export type SandboxResult =
  | { readonly response: SandboxResponse; readonly failure?: never; readonly logs: readonly LogLine[] }
  | { readonly failure: SandboxFailure; readonly response?: never; readonly logs: readonly LogLine[] };

/** Headers as pairs, with names in lower case. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[];

/** A line of the script's log. */
export interface LogLine {
  readonly level: "debug" | "log" | "info" | "warn" | "error";
  readonly message: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/**
 * The kinds of failures. The script did too much work (`cpu`), took too long (`timeout`), needed too much `memory` or
 * `stack`, threw (`script_error`), is not a valid script (`invalid_script`), sent no valid response (`invalid_response`,
 * `unanswered`, `too_much_output`), or was called with too much (`too_much_input`). The engine broke down (`crashed`), or
 * there is none (`unavailable`).
 */
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

/** A failure of a run. */
export interface SandboxFailure {
  readonly kind: FailureKind;
  /** A sentence for people. */
  readonly message: string;
  /** The place in the script, if it is known. */
  readonly stack?: string;
}

/** The options of a sandbox. */
export interface SandboxOptions {
  /**
   * The compiled engine, `octavo/sandbox.wasm`, for runtimes that cannot compile WebAssembly at run time, such as
   * Workers. Default: the engine of the package, compiled when a script is first run.
   */
  readonly engine?: WebAssembly.Module;
  /** The limits of one event. Those that are not named have their defaults. */
  readonly limits?: Partial<SandboxLimits>;
  /**
   * The number of threads that run scripts, which all APIs of the process share. With 0, scripts run in the thread of
   * the server, as they do where the runtime has no threads, as in Workers, and with an `engine`. Default: 1.
   */
  readonly threads?: number;
  /**
   * Called once if no thread can be started, with the reason. Scripts then run in the thread of the server. Default:
   * `onError` of the API.
   */
  readonly onError?: (error: unknown) => void;
}

/** The limits of one event. */
export interface SandboxLimits {
  /**
   * Steps of the engine: iterations of its loops and calls of its functions. Ten million are about 50 ms of work, and
   * the same script takes the same number on every machine. Default: 200 million.
   */
  readonly steps: number;
  /** Time from start to end, including waits. Default: 10,000. */
  readonly milliseconds: number;
  /** The memory of the engine with everything that the script holds; never less than 6 MiB. Default: 48 MiB. */
  readonly memoryBytes: number;
  /** The stack of the engine. Default: 256 KiB. */
  readonly stackBytes: number;
  /** The text of a script. Default: 2 MiB. */
  readonly scriptBytes: number;
  /** Outbound requests. Default: 50. */
  readonly requests: number;
  /** Concurrent outbound requests. Default: 6. */
  readonly requestsAtOnce: number;
  /** The bodies of all outbound requests together. Default: 8 MiB. */
  readonly sentBytes: number;
  /** The bodies of all responses to outbound requests together. Default: 8 MiB. */
  readonly receivedBytes: number;
  /** The body of the script's response. Default: 8 MiB. */
  readonly answerBytes: number;
  /** The names and values of the headers of a request or a response. Default: 32 KiB. */
  readonly headerBytes: number;
  /** Lines of the log; further lines are only counted. Default: 200. */
  readonly logLines: number;
  /** Characters of the log. Default: 64 Ki. */
  readonly logCharacters: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** The default limits. Everything that a script can make grow has a limit. */
export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  steps: 200_000_000,
  milliseconds: 10_000,
  memoryBytes: 48 * MIB,
  stackBytes: 256 * KIB,
  scriptBytes: 2 * MIB,
  requests: 50,
  requestsAtOnce: 6,
  sentBytes: 8 * MIB,
  receivedBytes: 8 * MIB,
  answerBytes: 8 * MIB,
  headerBytes: 32 * KIB,
  logLines: 200,
  logCharacters: 64 * KIB,
};
