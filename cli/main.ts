// Runs a command line: help, version, or a command. Whatever goes wrong becomes one sentence and a status.

import { version } from "../package.json";
import { omitUndefined } from "../src/utils/objects";
import type { Command, Surroundings } from "./framework/command";
import { CommandFailed, STATUS, type Status } from "./framework/errors";
import { parse } from "./framework/parse-command-line";
import { plain } from "./framework/plain";
import { help } from "./framework/render-help";

/** Gives the status that the process should end with. */
export async function main(
  argv: readonly string[],
  commands: readonly Command[],
  surroundings: Surroundings,
): Promise<Status> {
  const { terminal, env, signal } = surroundings;
  try {
    const parsed = parse(argv, commands, env);
    if (parsed.kind === "run") return (await parsed.command.run(parsed.given, surroundings)) ?? STATUS.done;
    terminal.print(parsed.kind === "version" ? version : help(parsed.about, commands).trimEnd());
    return STATUS.done;
  } catch (error) {
    if (signal.aborted) {
      terminal.tell("Interrupted.");
      return STATUS.interrupted;
    }
    const { message, status, reason } = failureOf(error);
    if (argv.includes("--json"))
      terminal.tell(
        JSON.stringify({ error: { message, status, ...omitUndefined({ reason: reason ? reason : undefined }) } }),
      );
    else terminal.tell(plain(message));
    return status;
  }
}

/** An error that is not meant for people is told by its message all the same: nobody can use a stack. */
function failureOf(error: unknown): { message: string; status: Status; reason?: string | undefined } {
  if (error instanceof CommandFailed) return { message: error.message, status: error.status, reason: error.reason };
  const text = error instanceof Error ? error.message : String(error);
  return { message: text.replace(/\s*\n\s*/g, " "), status: STATUS.failed };
}
