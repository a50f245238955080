// The errors that end a command: a sentence for the person who typed it, and the status that the process ends with.

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
  done: "Everything went well.",
  failed: "The command failed or was refused, or it found something that a person should look at.",
  wrongUse: "The command, an option or a variable is wrong. Nothing was done.",
  unreachable: "The server does not answer, or asks to come back later. The same command may work later.",
  interrupted: "The command was interrupted from the keyboard.",
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
