// Renders the reference of all commands as Markdown, from the table of commands.

import { type Command, type CommandOption, STATUS, STATUS_MEANINGS } from "./command";
import { formatFlag, formatUsage } from "./render-help";

/** Renders the generated part of `docs/reference/command-line.md`. Options that several commands share are listed once. */
export function renderReference(commands: readonly Command[], shared: readonly CommandOption[]): string {
  return [
    "## Exit status",
    "",
    "| Status | Meaning |",
    "| --- | --- |",
    ...Object.entries(STATUS_MEANINGS).map(([name, text]) => `| ${STATUS[name as keyof typeof STATUS]} | ${text} |`),
    "",
    "## Server or storage options",
    "",
    "Every command that works on data accepts these options.",
    "",
    ...renderOptionTable(shared),
    "",
    "## Commands",
    "",
    "| Command | |",
    "| --- | --- |",
    ...commands.map(
      ({ name, summary }) => `| [\`octavo ${name}\`](#octavo-${name.replaceAll(" ", "-")}) | ${summary} |`,
    ),
    "",
    ...commands.flatMap((command) => {
      const { name, summary, notes, args = [], options, examples = [] } = command;
      const isShared = shared.every((option) => options.includes(option));
      const own = isShared ? options.filter((option) => !shared.includes(option)) : options;
      return [
        `### octavo ${name}`,
        "",
        summary,
        "",
        "```sh",
        formatUsage(command),
        "```",
        "",
        ...(notes ? [notes, ""] : []),
        ...(args.length > 0 ? [...args.map((it) => `- \`<${it.name}>\`: ${it.summary}`), ""] : []),
        ...(own.length > 0 ? [...renderOptionTable(own), ""] : []),
        ...(isShared ? ["Also accepts the [server or storage options](#server-or-storage-options).", ""] : []),
        ...(examples.length > 0 ? ["```sh", ...examples, "```", ""] : []),
      ];
    }),
  ].join("\n");
}

function renderOptionTable(options: readonly CommandOption[]): string[] {
  return [
    "| Option | Variable | Default | |",
    "| --- | --- | --- | --- |",
    ...options.map((option) => {
      const { variable, fallback = "", isVariableOnly, summary, choices, isMany } = option;
      const flag = isVariableOnly ? "" : `\`${formatFlag(option)}\``;
      const more = [choices ? ` One of: ${choices.join(", ")}.` : "", isMany ? " Can be repeated." : ""].join("");
      const cells = [fallback, summary + more].map((text) => text.replaceAll("|", "\\|").replaceAll("*", "\\*"));
      return `| ${flag} | ${variable ? `\`${variable}\`` : ""} | ${cells.join(" | ")} |`;
    }),
  ];
}
