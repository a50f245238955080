// A command is a value: its name, the input that it accepts, and the function that runs it. Help, parsing, completion and
// documentation are all made from the table of these values, so a new command is one new value.

import type { CommandInput, EnvironmentVariables } from "./command-input";
import type { Status } from "./errors";
import type { CommandOption } from "./option";
import type { Terminal } from "./terminal";

/** A positional argument. */
export interface Argument {
  readonly name: string;
  readonly summary: string;
  /** Default: false. */
  readonly isOptional?: boolean;
  /** Takes all remaining arguments. Allowed for the last argument only. Default: false. */
  readonly isMany?: boolean;
  /** The values that a shell completes here. Default: files. */
  readonly choices?: readonly string[];
}

/** The process that a command runs in. Tests pass their own. */
export interface CommandContext {
  readonly terminal: Terminal;
  readonly env: EnvironmentVariables;
  /** Aborts when the user interrupts the command from the keyboard. `serve` handles interruptions itself. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** One or two words, as they are typed: `serve`, `user create`. */
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options: readonly CommandOption[];
  /** Further sentences for help and documentation. */
  readonly notes?: string;
  readonly examples?: readonly string[];
  /** Runs the command. It loads its dependencies itself, so that help starts quickly. Default of the status: done. */
  readonly run: (input: CommandInput, context: CommandContext) => Promise<Status | undefined>;
}
