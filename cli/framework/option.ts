// The options of commands, as data.

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
