// `octavo completion`: prints a completion script for a shell.

import { type Command, UsageError } from "../framework/command";
import { formatAlternatives } from "../framework/command-input";
import { SHELLS, type Shell } from "../framework/render-completion";

export function createCompletionCommand(commands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a shell completion script.",
    args: [{ name: "shell", summary: `${formatAlternatives(SHELLS)}.`, choices: SHELLS }],
    options: [],
    examples: [
      'eval "$(octavo completion bash)"',
      'eval "$(octavo completion zsh)"',
      "octavo completion fish | source",
    ],
    async run(input, { terminal }) {
      const shell = input.args[0] as Shell;
      if (!SHELLS.includes(shell)) throw new UsageError(`The shell must be ${formatAlternatives(SHELLS)}.`);
      const { renderCompletion: completionFor } = await import("../framework/render-completion");
      terminal.print(completionFor(shell, commands()).trimEnd());
      return undefined;
    },
  };
}
