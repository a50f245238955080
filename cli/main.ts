// Runs a command line: help, the version, or a command. Every failure becomes one sentence and a status.

import { version } from "../package.json";
import { omitUndefined } from "../src/utils/objects";
import { type Command, type CommandContext, CommandError, STATUS, type Status } from "./framework/command";
import { parseCommandLine } from "./framework/parse-command-line";
import { renderHelp } from "./framework/render-help";
import { replaceControlCharacters } from "./framework/terminal";

/** Runs a command line and returns the status that the process should end with. */
export async function runMain(
  argv: readonly string[],
  commands: readonly Command[],
  context: CommandContext,
): Promise<Status> {
  const { terminal, env, signal } = context;
  try {
    const parsed = parseCommandLine(argv, commands, env);
    if (parsed.kind === "run") return (await parsed.command.run(parsed.input, context)) ?? STATUS.done;
    terminal.print(parsed.kind === "version" ? version : renderHelp(parsed.about, commands).trimEnd());
    return STATUS.done;
  } catch (error) {
    if (signal.aborted) {
      terminal.tell("Interrupted.");
      return STATUS.interrupted;
    }
    // Unexpected errors are reported by their message too, because a stack trace does not help the user.
    const { message, status, reason } =
      error instanceof CommandError
        ? error
        : new CommandError((error instanceof Error ? error.message : String(error)).replace(/\s*\n\s*/g, " "));
    if (argv.includes("--json"))
      terminal.tell(
        JSON.stringify({ error: { message, status, ...omitUndefined({ reason: reason ? reason : undefined }) } }),
      );
    else terminal.tell(replaceControlCharacters(message));
    return status;
  }
}
