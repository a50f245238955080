// Everything that can go wrong with a script, as a closed list: each with a sentence that may be shown to whoever wrote it.

import type { FailureKind, SandboxFailure } from "./port";

const sentences: Readonly<Record<FailureKind, string>> = {
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

/** A failure, with a sentence of its own where there is more to say. */
export function failureOf(kind: FailureKind, message: string = sentences[kind], stack?: string): SandboxFailure {
  return stack ? { kind, message, stack } : { kind, message };
}

/** Ends a run at once, wherever it is thrown. It passes through the engine, which is not used again. */
export class Stop extends Error {
  override readonly name = "Stop";

  constructor(readonly failure: SandboxFailure) {
    super(failure.message);
  }
}

/** What an exception that came out of the engine means. */
export function failureBehind(error: unknown, hasStepsLeft: boolean): SandboxFailure {
  if (error instanceof Stop) return error.failure;
  if (!hasStepsLeft) return failureOf("cpu");
  // The engine checks its own stack too late where its native functions call themselves.
  if (error instanceof RangeError || isNamed(error, "InternalError")) return failureOf("stack");
  return failureOf("crashed");
}

/** What an error means that the script threw or did not catch. The engine throws two kinds of its own. */
export function failureOfScript(
  kind: FailureKind,
  error: { readonly name: string; readonly message: string; readonly stack: string },
): SandboxFailure {
  if (error.name === "InternalError" && /^(out of memory|string too long)/.test(error.message))
    return failureOf("memory");
  // Its JSON parser reports this as a syntax error.
  if (/^(InternalError|SyntaxError)$/.test(error.name) && error.message === "stack overflow") return failureOf("stack");
  const text = [error.name, error.message].filter((part) => part !== "").join(": ");
  return failureOf(kind, text.slice(0, 2000), ownLines(error.stack).slice(0, 4000));
}

/** The lines of a stack that tell where the script was. The message is told beside it. */
function ownLines(stack: string): string {
  return stack
    .split("\n")
    .filter((line) => /^ +at /.test(line) && !line.includes("world.js"))
    .join("\n")
    .trimEnd();
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
