// Help as text, made from the table of commands.

import type { Argument, Command } from "./command";
import { meanings, STATUS } from "./errors";
import type { Option } from "./option";

const WIDTH = 100;

/** Help about everything, about commands that begin with a word, or about one command. */
export function help(about: readonly string[], commands: readonly Command[]): string {
  const name = about.join(" ");
  const command = commands.find((it) => it.name === name);
  if (command) return aboutCommand(command);
  const shown = about.length === 0 ? commands : commands.filter((it) => it.name.startsWith(`${name} `));
  const rows = shown.map(
    (it) =>
      [
        usageOf(it)
          .replace(/^octavo /, "")
          .replace(/ \[options\]$/, ""),
        it.summary,
      ] as const,
  );
  const head = about.length === 0 ? ["Octavo: documentation that runs in your own server.", ""] : [];
  return [
    ...head,
    `Usage: octavo ${name === "" ? "<command>" : `${name} <command>`} [options]`,
    "",
    ...table(rows),
    "",
    "octavo <command> --help says more about a command. octavo --version prints the version.",
    "",
  ].join("\n");
}

function aboutCommand(command: Command): string {
  const { args = [], options, notes, examples = [] } = command;
  const block = (title: string, lines: readonly string[]) => (lines.length === 0 ? [] : ["", `${title}:`, ...lines]);
  return [
    `Usage: ${usageOf(command)}`,
    "",
    ...wrapped(command.summary, ""),
    ...(notes ? ["", ...notes.split("\n\n").flatMap((text, i) => [...(i > 0 ? [""] : []), ...wrapped(text, "")])] : []),
    ...block("Arguments", table(args.map((it) => [`<${it.name}>`, it.summary]))),
    ...block("Options", table(options.filter((it) => !it.isVariableOnly).map((it) => [flagOf(it), saidOf(it)]))),
    ...block("Variables", table(options.filter((it) => it.isVariableOnly).map((it) => [it.variable!, saidOf(it)]))),
    ...block(
      "Examples",
      examples.map((line) => `  ${line}`),
    ),
    ...block(
      "Exit status",
      table(Object.entries(meanings).map(([name, text]) => [String(STATUS[name as keyof typeof STATUS]), text])),
    ),
    "",
  ].join("\n");
}

/** How a command is typed. */
export function usageOf({ name, args = [], options }: Command): string {
  const hasFlags = options.some(({ isVariableOnly }) => !isVariableOnly);
  return ["octavo", name, ...args.map(placeOf), ...(hasFlags ? ["[options]"] : [])].join(" ");
}

function placeOf({ name, isOptional, isMany }: Argument): string {
  const text = `<${name}>${isMany ? " …" : ""}`;
  return isOptional ? `[${text}]` : text;
}

export function flagOf({ name, value }: Option): string {
  return value === undefined ? `--${name}` : `--${name} <${value}>`;
}

function saidOf({ summary, choices, fallback, variable, isVariableOnly, isMany }: Option): string {
  const more = [
    ...(choices ? [`One of: ${choices.join(", ")}.`] : []),
    ...(isMany ? ["May be given more than once."] : []),
    ...(fallback === undefined ? [] : [`Default: ${fallback}.`]),
    ...(variable && !isVariableOnly ? [`Variable: ${variable}.`] : []),
  ];
  return [summary, ...more].join(" ");
}

/** Two columns. A left part that is too long stands on a line of its own. */
function table(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.min(Math.max(...rows.map(([left]) => left.length), 0), 32);
  const indent = " ".repeat(width + 4);
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, indent);
    if (left.length > width) return [`  ${left}`, ...lines];
    return [`  ${left.padEnd(width)}  ${lines[0]!.trimStart()}`, ...lines.slice(1)];
  });
}

function wrapped(text: string, indent: string): string[] {
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
