// A command is a value: what it is called, what it takes, and what it runs. Help, parsing, completion and documentation are
// all made from the table of these values, so a new command is a new value and nothing else.

import type { Status } from "./errors";
import type { Option } from "./option";
import type { Given } from "./parsed-arguments";
import type { Terminal } from "./terminal";

/** A value without a flag. */
export interface Argument {
  readonly name: string;
  readonly summary: string;
  /** Default: false. */
  readonly isOptional?: boolean;
  /** Whether it takes everything that is left. Only the last argument can. Default: false. */
  readonly isMany?: boolean;
  /** What a shell completes here. Default: files. */
  readonly choices?: readonly string[];
}

/** What a command runs in. Tests pass their own. */
export interface Surroundings {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends when the person at the keyboard interrupts the command. `serve` has its own way to stop. */
  readonly signal: AbortSignal;
}

export interface Command {
  /** One word or two, as they are typed: `serve`, `user create`. */
  readonly name: string;
  readonly summary: string;
  readonly args?: readonly Argument[];
  readonly options: readonly Option[];
  /** Further sentences for help and documentation. */
  readonly notes?: string;
  readonly examples?: readonly string[];
  /** Does it. What a command needs is loaded here, so that help starts at once. Default of the status: done. */
  readonly run: (given: Given, surroundings: Surroundings) => Promise<Status | undefined>;
}
