// Handles output that cannot be written, because its reader has gone or the disk of its file is full.

import { STATUS } from "./command";

let isOutputOptional = false;

/** Treats further output as a log that may be lost: a server keeps answering requests when its log has no room. */
export function continueWithoutOutput(): void {
  isOutputOptional = true;
}

/** Ends the process when its output is lost. */
export function watchOutput({ stdout, stderr, exit }: Pick<NodeJS.Process, "stdout" | "stderr" | "exit">): void {
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that takes only the first lines, such as `head`, is no failure.
    if (error.code === "EPIPE") exit(STATUS.done);
    if (isOutputOptional) return;
    stderr.write(`Cannot write output: ${error.message}\n`);
    exit(STATUS.failed);
  });
  // There is no other stream to report it on.
  stderr.on("error", () => {});
}
