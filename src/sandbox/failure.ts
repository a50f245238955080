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

/** Finds the failure behind an exception that the engine let through. */
export function classifyEngineError(error: unknown, hasStepsLeft: boolean): SandboxFailure {
  if (error instanceof SandboxError) return error.failure;
  if (!hasStepsLeft) return createFailure("cpu");
  // The engine checks its own stack too late where its native functions call themselves.
  const isStackOverflow = error instanceof RangeError || (error instanceof Error && error.name === "InternalError");
  return createFailure(isStackOverflow ? "stack" : "crashed");
}

/** Finds the failure behind an error that the script threw or did not catch. The engine throws two kinds of its own. */
export function classifyScriptError(
  kind: FailureKind,
  error: { readonly name: string; readonly message: string; readonly stack: string },
): SandboxFailure {
  if (error.name === "InternalError" && /^(out of memory|string too long)/.test(error.message))
    return createFailure("memory");
  // The engine's JSON parser reports a stack overflow as a syntax error.
  if (/^(InternalError|SyntaxError)$/.test(error.name) && error.message === "stack overflow")
    return createFailure("stack");

  const message = [error.name, error.message].filter((part) => part !== "").join(": ");
  // The message is reported separately, and the lines of the world mean nothing to the author.
  const stack = error.stack
    .split("\n")
    .filter((line) => /^ +at /.test(line) && !line.includes("world.js"))
    .join("\n")
    .trimEnd();
  return createFailure(kind, message.slice(0, 2000), stack.slice(0, 4000));
}
