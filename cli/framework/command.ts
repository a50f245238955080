// A command is a value: its name, the input that it accepts, and the function that runs it. Help, parsing, completion and
// documentation are all made from the table of these values, so a new command is one new value.

import { replaceControlCharacters, type Terminal } from "./terminal";

/** The environment, and the input of a command: its arguments, and its options from flags or from the environment. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export interface CommandInput {
  readonly args: readonly string[];
  /** Returns the value of an option, or undefined if it was not given. An empty variable counts as absent. */
  readonly text: (name: string) => string | undefined;
  /** Returns all values of an option that can be repeated. */
  readonly texts: (name: string) => readonly string[];
  /** Returns true if a switch is on. */
  readonly isEnabled: (name: string) => boolean;
  readonly isFlag: (name: string) => boolean;
  /** Returns the option as the user wrote it, `--port` or `PORT`, for messages about its value. */
  readonly label: (name: string) => string;
}

/** A positional argument. */
interface Argument {
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

/** A setting that is given by a flag, by an environment variable, or by either. */
export interface CommandOption {
  /** The flag without its dashes. */
  readonly name: string;
  readonly summary: string;
  /** The placeholder that help shows for the value, such as `port`. Without it, the option is a switch that the flag turns on. */
  readonly value?: string;
  /** The environment variable for the same setting. The flag takes precedence. */
  readonly variable?: string;
  /** Accepts the variable only, because other users of the machine can read the flags of a process. Default: false. */
  readonly isVariableOnly?: boolean;
  /** The only values that are allowed. Default: any. */
  readonly choices?: readonly string[];
  /** The default, as help describes it. */
  readonly fallback?: string;
  /** Allows the flag to be repeated. Default: false. */
  readonly isMany?: boolean;
}

/** Adds to each option without a variable the one that is named after it: `METRICS_PORT` for `metrics-port`. */
export function addVariables(options: readonly CommandOption[]): readonly CommandOption[] {
  return options.map((option) =>
    option.variable === undefined ? { ...option, variable: option.name.toUpperCase().replaceAll("-", "_") } : option,
  );
}

export const jsonOption: CommandOption = { name: "json", summary: "Print the result as JSON, and errors too." };

/** Prints `value` if JSON was requested, and `lines` otherwise. */
export function printResult(input: CommandInput, terminal: Terminal, value: unknown, lines: readonly string[]): void {
  if (input.isEnabled("json")) terminal.print(JSON.stringify(value, null, 2));
  else for (const line of lines) terminal.print(line);
}

/** Aligns rows in columns as wide as their widest cells. The last column is not padded. Control characters are replaced. */
export function formatColumns(rows: readonly (readonly string[])[]): string[] {
  const safeRows = rows.map((row) => row.map(replaceControlCharacters));
  const widths = (safeRows[0] ?? []).map((_, i) => Math.max(...safeRows.map((row) => row[i]!.length)));
  return safeRows.map((row) =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i]!))).join("  "),
  );
}

/** Returns a number with its noun: `1 page`, `2 pages`. */
export function formatCount(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** The statuses that a process ends with. The documentation prints these rows. */
export const STATUS = {
  done: 0,
  failed: 1,
  wrongUse: 2,
  unreachable: 3,
  interrupted: 130,
} as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];

/** The meaning of each status, for help and documentation. */
export const STATUS_MEANINGS: Readonly<Record<keyof typeof STATUS, string>> = {
  done: "Success.",
  failed: "The command failed or was refused, or it found a problem.",
  wrongUse: "Invalid command, option or variable. Nothing was done.",
  unreachable: "The server is unreachable or busy. Try again later.",
  interrupted: "Interrupted from the keyboard.",
};

/** Ends a command with a sentence and a status. */
export class CommandError extends Error {
  constructor(
    sentence: string,
    readonly status: Status = STATUS.failed,
    /** The reason of the API, if it gave one. */
    readonly reason?: string,
  ) {
    super(sentence);
  }
}

/** Ends a command that was typed or configured incorrectly. */
export class UsageError extends CommandError {
  constructor(sentence: string) {
    super(sentence, STATUS.wrongUse);
  }
}
