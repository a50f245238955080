// Renders help as text, from the table of commands.

import { type Command, type CommandOption, STATUS, STATUS_MEANINGS } from "./command";

const WIDTH = 100;

/** Renders help about everything, about commands that begin with a word, or about one command. */
export function renderHelp(about: readonly string[], commands: readonly Command[]): string {
  const name = about.join(" ");
  const command = commands.find((it) => it.name === name);
  if (command) return renderCommandHelp(command);
  const listed = about.length === 0 ? commands : commands.filter((it) => it.name.startsWith(`${name} `));
  const rows = listed.map((it): [string, string] => [
    formatUsage(it)
      .replace(/^octavo /, "")
      .replace(/ \[options\]$/, ""),
    it.summary,
  ]);
  const head = about.length === 0 ? ["Octavo: documentation on your own server.", ""] : [];
  return [
    ...head,
    `Usage: octavo ${name === "" ? "<command>" : `${name} <command>`} [options]`,
    "",
    ...formatTable(rows),
    "",
    "Run octavo <command> --help for more about a command, or octavo --version for the version.",
    "",
  ].join("\n");
}

function renderCommandHelp(command: Command): string {
  const { args = [], options, notes, examples = [] } = command;
  const flags = options.filter((it) => !it.isVariableOnly);
  const variables = options.filter((it) => it.isVariableOnly);
  const statuses = Object.entries(STATUS_MEANINGS) as [keyof typeof STATUS, string][];
  const renderBlock = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", `${title}:`, ...lines];
  return [
    `Usage: ${formatUsage(command)}`,
    "",
    ...wrapText(command.summary, ""),
    ...(notes
      ? ["", ...notes.split("\n\n").flatMap((text, i) => [...(i > 0 ? [""] : []), ...wrapText(text, "")])]
      : []),
    ...renderBlock("Arguments", formatTable(args.map((it) => [`<${it.name}>`, it.summary]))),
    ...renderBlock("Options", formatTable(flags.map((it) => [formatFlag(it), describeOption(it)]))),
    ...renderBlock("Variables", formatTable(variables.map((it) => [it.variable!, describeOption(it)]))),
    ...renderBlock(
      "Examples",
      examples.map((line) => `  ${line}`),
    ),
    ...renderBlock("Exit status", formatTable(statuses.map(([name, text]) => [String(STATUS[name]), text]))),
    "",
  ].join("\n");
}

/** Formats how a command is typed: `octavo import <source> [options]`. */
export function formatUsage({ name, args = [], options }: Command): string {
  const placeholders = args.map((arg) => {
    const text = `<${arg.name}>${arg.isMany ? " …" : ""}`;
    return arg.isOptional ? `[${text}]` : text;
  });
  const hasFlags = options.some(({ isVariableOnly }) => !isVariableOnly);
  return ["octavo", name, ...placeholders, ...(hasFlags ? ["[options]"] : [])].join(" ");
}

export function formatFlag({ name, value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

function describeOption({ summary, choices, fallback, variable, isVariableOnly, isMany }: CommandOption): string {
  const more = [
    ...(choices ? [`One of: ${choices.join(", ")}.`] : []),
    ...(isMany ? ["Can be repeated."] : []),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
    ...(variable && !isVariableOnly ? [`Variable: ${variable}.`] : []),
  ];
  return [summary, ...more].join(" ");
}

/** Formats two columns. A left cell that is too long gets a line of its own. */
function formatTable(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.min(Math.max(...rows.map(([left]) => left.length), 0), 32);
  const indent = " ".repeat(width + 4);
  return rows.flatMap(([left, right]) => {
    const lines = wrapText(right, indent);
    if (left.length > width) return [`  ${left}`, ...lines];
    return [`  ${left.padEnd(width)}  ${lines[0]!.trimStart()}`, ...lines.slice(1)];
  });
}

function wrapText(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.length > indent.length && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
