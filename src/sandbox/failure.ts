// The closed list of failures of a script, each with a sentence that may be shown to its author.

import type { FailureKind, SandboxFailure } from "./port";

const MESSAGES: Readonly<Record<FailureKind, string>> = {
  cpu: "The script exceeded the CPU limit for an event.",
  timeout: "The script exceeded the time limit for an event.",
  memory: "The script exceeded the memory limit.",
  stack: "The script exceeded the maximum call depth.",
  script_error: "The script threw an error.",
  invalid_script: "The script is not a module with a default export that has a function `fetch`.",
  invalid_response: "The script didn't return a valid Response.",
  unanswered: "The script is waiting for a promise that never resolves.",
  too_much_input: "The request is too large for a script.",
  too_much_output: "The response of the script is too large.",
  crashed: "The script engine failed. Try again.",
  unavailable: "This runtime can't compile WebAssembly. The host must provide the engine as a compiled module.",
};

/** Creates a failure. Default of `message`: the sentence of its kind. */
export function createFailure(kind: FailureKind, message: string = MESSAGES[kind], stack?: string): SandboxFailure {
  return stack ? { kind, message, stack } : { kind, message };
}

/** Ends a run at once, wherever it is thrown. It passes through the engine, which is not used again. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";

  constructor(readonly failure: SandboxFailure) {
    super(failure.message);
  }
}
