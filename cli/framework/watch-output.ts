// What happens when that which a command prints cannot be written: nobody reads it any more, or the disk of its file is full.

import { STATUS } from "./errors";

let isDispensable = false;

/** From here on what is printed is a log. A server answers requests also where its log has no room. */
export function goOnWithoutOutput(): void {
  isDispensable = true;
}

/** Ends the process when its output is lost. */
export function watchOutput({ stdout, stderr, exit }: Pick<NodeJS.Process, "stdout" | "stderr" | "exit">): void {
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    // Somebody who reads only the first lines, as `head` does, is no failure.
    if (error.code === "EPIPE") exit(STATUS.done);
    if (isDispensable) return;
    stderr.write(`The output could not be written: ${error.message}\n`);
    exit(STATUS.failed);
  });
  // There is no other place to say it.
  stderr.on("error", () => {});
}
