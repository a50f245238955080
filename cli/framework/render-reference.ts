// The reference of all commands as Markdown, made from the table.

import type { Command } from "./command";
import { meanings, STATUS } from "./errors";
import type { Option } from "./option";
import { flagOf, usageOf } from "./render-help";

/** The generated part of `docs/command-line.md`. Options that several commands share are listed once. */
export function reference(commands: readonly Command[], shared: readonly Option[]): string {
  return [
    "## Exit status",
    "",
    "| Status | Meaning |",
    "| --- | --- |",
    ...Object.entries(meanings).map(([name, text]) => `| ${STATUS[name as keyof typeof STATUS]} | ${text} |`),
    "",
    "## A server or a storage",
    "",
    "Every command that works on data takes these options.",
    "",
    ...optionTable(shared),
    "",
    "## Commands",
    "",
    "| Command | |",
    "| --- | --- |",
    ...commands.map(
      ({ name, summary }) => `| [\`octavo ${name}\`](#octavo-${name.replaceAll(" ", "-")}) | ${summary} |`,
    ),
    "",
    ...commands.flatMap((command) => about(command, shared)),
  ].join("\n");
}

function about(command: Command, shared: readonly Option[]): string[] {
  const { name, summary, notes, args = [], options, examples = [] } = command;
  const isShared = shared.every((option) => options.includes(option));
  const own = isShared ? options.filter((option) => !shared.includes(option)) : options;
  return [
    `### octavo ${name}`,
    "",
    summary,
    "",
    "```sh",
    usageOf(command),
    "```",
    "",
    ...(notes ? [notes, ""] : []),
    ...(args.length > 0 ? [...args.map((it) => `- \`<${it.name}>\`: ${it.summary}`), ""] : []),
    ...(own.length > 0 ? [...optionTable(own), ""] : []),
    ...(isShared ? ["And the options of [a server or a storage](#a-server-or-a-storage).", ""] : []),
    ...(examples.length > 0 ? ["```sh", ...examples, "```", ""] : []),
  ];
}

function optionTable(options: readonly Option[]): string[] {
  return [
    "| Option | Variable | Default | |",
    "| --- | --- | --- | --- |",
    ...options.map((option) => {
      const { variable, fallback = "", isVariableOnly, summary, choices, isMany } = option;
      const flag = isVariableOnly ? "" : `\`${flagOf(option)}\``;
      const more = [
        choices ? ` One of: ${choices.join(", ")}.` : "",
        isMany ? " May be given more than once." : "",
      ].join("");
      return `| ${flag} | ${variable ? `\`${variable}\`` : ""} | ${cell(fallback)} | ${cell(summary + more)} |`;
    }),
  ];
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("*", "\\*");
}
