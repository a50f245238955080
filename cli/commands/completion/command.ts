// `octavo completion`: prints a script for a shell.

import type { Command } from "../../framework/command";
import { wrongUse } from "../../framework/errors";
import { oneOf } from "../../framework/parsed-arguments";
import { type Shell, shells } from "../../framework/render-completion";

export function completionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a script that completes this command line in a shell.",
    args: [{ name: "shell", summary: `${oneOf(shells)}.`, choices: shells }],
    options: [],
    examples: [
      'eval "$(octavo completion bash)"',
      'eval "$(octavo completion zsh)"',
      "octavo completion fish | source",
    ],
    async run(given, { terminal }) {
      const shell = given.args[0] as Shell;
      if (!shells.includes(shell)) throw wrongUse(`The shell must be ${oneOf(shells)}.`);
      const { completionFor } = await import("../../framework/render-completion");
      terminal.print(completionFor(shell, commands()).trimEnd());
      return undefined;
    },
  };
}
