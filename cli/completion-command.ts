// `octavo completion`: prints a script for a shell.

import type { Command } from "./command";
import { type Shell, shells } from "./completion";
import { wrongUse } from "./failure";
import { oneOf } from "./given";

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
      const { completionFor } = await import("./completion");
      terminal.print(completionFor(shell, commands()).trimEnd());
      return undefined;
    },
  };
}
