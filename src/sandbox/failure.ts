// The closed list of failures of a script, each with a sentence that may be shown to its author.

import type { FailureKind, SandboxFailure } from "./port";

const MESSAGES: Readonly<Record<FailureKind, string>> = {
  cpu: "The script did more work than one event may.",
  timeout: "The script took longer than one event may.",
  memory: "The script needed more memory than it may have.",
  stack: "The script called itself too deeply.",
  script_error: "The script threw an error.",
  invalid_script: "The script is not a module with a default export that has a function `fetch`.",
  invalid_response: "The script did not answer with a valid Response.",
  unanswered: "The script waits for something that never happens.",
  too_much_input: "The request is larger than a script may be given.",
  too_much_output: "The script's answer is larger than it may be.",
  crashed: "The engine could not go on with this script.",
  unavailable: "This runtime compiles no WebAssembly: the host must hand in the engine as a compiled module.",
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
