// Parses a command line into a command and its input. Anything that is not understood is refused with one sentence, and with
// the name that was most likely meant.

import { parseArgs } from "node:util";
import { findNearestName } from "../../src/utils/suggest";
import type { CommandInput, EnvironmentVariables } from "./command";
import { type Command, UsageError } from "./command";
import { createCommandInput, type Flags } from "./command-input";

/** The request that a command line expresses. */
export type ParsedCommandLine =
  | { readonly kind: "run"; readonly command: Command; readonly input: CommandInput }
  /** `about` has the words before `--help`: a command, the first word of several commands, or nothing. */
  | { readonly kind: "help"; readonly about: readonly string[] }
  | { readonly kind: "version" };

export const GLOBAL_OPTIONS = ["help", "version"] as const;

export function parseCommandLine(
  argv: readonly string[],
  commands: readonly Command[],
  env: EnvironmentVariables,
): ParsedCommandLine {
  if (argv[0] === "help") return { kind: "help", about: resolveHelpTopic(argv.slice(1), commands) };
  const firstFlag = argv.findIndex((arg) => arg.startsWith("-"));
  const words = firstFlag === -1 ? argv : argv.slice(0, firstFlag);
  const command = findCommand(words, commands);
  const hasFlag = (flag: string, short: string) => argv.some((arg) => arg === flag || arg === short);
  if (hasFlag("--help", "-h"))
    return { kind: "help", about: command ? command.name.split(" ") : resolveHelpTopic(words, commands) };
  if (!command && hasFlag("--version", "-v")) return { kind: "version" };
  if (argv.length === 0) return { kind: "help", about: [] };
  if (!command) throw createUnknownCommandError(words, argv, commands);

  const { name, args: params = [], options } = command;
  const { args, flags } = parseArguments(argv.slice(name.split(" ").length), command);
  const missing = params.find(({ isOptional }, i) => !isOptional && args.length <= i);
  if (missing) throw new UsageError(`octavo ${name} needs ${missing.name}: ${missing.summary}`);
  if (args.length > params.length && !params.at(-1)?.isMany)
    throw new UsageError(`octavo ${name} got an unexpected argument: ${args[params.length]}.`);
  return { kind: "run", command, input: createCommandInput(options, args, flags, env) };
}

/** Finds the command that the first two words name, or the first word alone. */
function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const findByWords = (count: number) =>
    commands.find(({ name }) => words.length >= count && name === words.slice(0, count).join(" "));
  return findByWords(2) ?? findByWords(1);
}

/** Returns the words that name a command or begin one. Throws if there is no such command. */
function resolveHelpTopic(words: readonly string[], commands: readonly Command[]): readonly string[] {
  if (words.length === 0) return [];
  if (!commands.some(({ name }) => name === words[0] || name.startsWith(`${words[0]} `)))
    throw createUnknownCommandError(words, words, commands);
  const exact = findCommand(words, commands);
  return exact ? exact.name.split(" ") : words.slice(0, 1);
}

function createUnknownCommandError(
  words: readonly string[],
  argv: readonly string[],
  commands: readonly Command[],
): UsageError {
  const [first] = words;
  if (first === undefined) return new UsageError(`Expected a command before ${argv[0]}. See octavo --help.`);
  const subcommands = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (subcommands.length > 0 && words.length === 1)
    return new UsageError(
      `octavo ${first} needs a subcommand: ${subcommands.map((name) => name.split(" ")[1]).join(", ")}.`,
    );
  const typed = words.slice(0, subcommands.length > 0 ? 2 : 1).join(" ");
  const names = subcommands.length > 0 ? subcommands : [...new Set(commands.map(({ name }) => name.split(" ")[0]!))];
  const meant = findNearestName(typed, names);
  return new UsageError(`Unknown command: ${typed}. ${meant ? `Did you mean ${meant}?` : "See octavo --help."}`);
}

/** Separates positional arguments from flags, and refuses flags that the command does not have. */
function parseArguments(argv: readonly string[], { name, options }: Command): { args: string[]; flags: Flags } {
  const flagOptions = options.filter(({ isVariableOnly }) => !isVariableOnly);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      flagOptions.map((it) => [it.name, { type: it.value === undefined ? "boolean" : "string" }]),
    ),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const args: string[] = [];
  const flags = new Map<string, string[]>();
  for (const token of tokens) {
    if (token.kind === "positional") args.push(token.value);
    if (token.kind !== "option") continue;
    const { rawName, value, inlineValue } = token;
    const option = flagOptions.find((it) => it.name === token.name);
    if (!option) {
      const meant = findNearestName(rawName.replace(/^-+/, ""), [
        ...flagOptions.map((it) => it.name),
        ...GLOBAL_OPTIONS,
      ]);
      const hint = meant ? `Did you mean --${meant}?` : `See octavo ${name} --help.`;
      throw new UsageError(`Unknown option for octavo ${name}: ${rawName}. ${hint}`);
    }
    const values = flags.get(option.name) ?? [];
    if (values.length > 0 && !option.isMany) throw new UsageError(`--${option.name} can only be given once.`);
    if (option.value === undefined) {
      if (value !== undefined) throw new UsageError(`${rawName} doesn't take a value.`);
      flags.set(option.name, [...values, "true"]);
    } else {
      // A value that looks like a flag means that the value was forgotten, unless it stands behind `=`.
      if (value === undefined || (!inlineValue && /^--?[a-z]/.test(value)))
        throw new UsageError(`${rawName} needs a value.`);
      flags.set(option.name, [...values, value]);
    }
  }
  return { args, flags };
}
