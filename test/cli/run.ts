// The command line inside the test: the same code as the process, with what it writes as texts.

import { commands } from "../../cli/commands";
import type { Command } from "../../cli/framework/command";
import { createTerminal } from "../../cli/framework/terminal";
import { runMain } from "../../cli/main";

/** Runs a line of arguments with nothing in its environment but what is given. */
export async function ran(
  argv: readonly string[],
  env: Record<string, string> = {},
  {
    table = commands,
    signal = new AbortController().signal,
  }: { table?: readonly Command[]; signal?: AbortSignal } = {},
) {
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const terminal = createTerminal(sink("stdout"), sink("stderr"));
  const status = await runMain(argv, table, { terminal, env, signal });
  return { status, ...written };
}
