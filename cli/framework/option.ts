// An option of a command.

/** Something that a command can be told by a flag, by a variable of the environment, or by either. */
export interface Option {
  /** The flag without its dashes. */
  readonly name: string;
  readonly summary: string;
  /** What help shows for the value, such as `port`. Left out: a switch, which is on when the flag is there. */
  readonly value?: string;
  /** The variable that says the same. The flag wins. */
  readonly variable?: string;
  /** Whether there is only the variable: others on the machine can read the flags of a process. Default: false. */
  readonly isVariableOnly?: boolean;
  /** The only values. Default: any. */
  readonly choices?: readonly string[];
  /** What holds when it is not given, as help says it. */
  readonly fallback?: string;
  /** Whether the flag may come more than once. Default: false. */
  readonly isMany?: boolean;
}
