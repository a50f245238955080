// Reads a command line: which command it names, and what it gives to it. What it does not understand is refused with one
// sentence, and with the name that was most likely meant.

import { parseArgs } from "node:util";
import { findNearestName } from "../../src/utils/suggest";
import type { Command } from "./command";
import { wrongUse } from "./errors";
import { type Flags, type Given, givenTo } from "./parsed-arguments";

/** What a command line asks for. */
export type Parsed =
  | { readonly kind: "run"; readonly command: Command; readonly given: Given }
  /** `about` are the words before `--help`: a command, the first word of several, or none. */
  | { readonly kind: "help"; readonly about: readonly string[] }
  | { readonly kind: "version" };

/** The options that every command has. */
export const everywhere = ["help", "version"] as const;

export function parse(
  argv: readonly string[],
  commands: readonly Command[],
  env: Readonly<Record<string, string | undefined>>,
): Parsed {
  if (argv[0] === "help") return { kind: "help", about: known(argv.slice(1), commands) };
  const words = leadingWords(argv);
  const command = commandNamed(words, commands);
  const isAsked = (flag: string, short: string) => argv.some((arg) => arg === flag || arg === short);
  if (isAsked("--help", "-h"))
    return { kind: "help", about: command ? command.name.split(" ") : known(words, commands) };
  if (!command && isAsked("--version", "-v")) return { kind: "version" };
  if (argv.length === 0) return { kind: "help", about: [] };
  if (!command) throw unknownCommand(words, argv, commands);
  const { args, flags } = readArguments(argv.slice(command.name.split(" ").length), command);
  return { kind: "run", command, given: givenTo(command.options, checkedArgs(args, command), flags, env) };
}

/** The words before the first flag. */
function leadingWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((arg) => arg.startsWith("-"));
  return end === -1 ? argv : argv.slice(0, end);
}

function commandNamed(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const named = (count: number) =>
    commands.find(({ name }) => words.length >= count && name === words.slice(0, count).join(" "));
  return named(2) ?? named(1);
}

/** Words that name a command or begin one; else a refusal. */
function known(words: readonly string[], commands: readonly Command[]): readonly string[] {
  if (words.length === 0) return [];
  const begun = commands.filter(({ name }) => name === words[0] || name.startsWith(`${words[0]} `));
  if (begun.length === 0) throw unknownCommand(words, words, commands);
  const exact = commandNamed(words, commands);
  return exact ? exact.name.split(" ") : words.slice(0, 1);
}

function unknownCommand(words: readonly string[], argv: readonly string[], commands: readonly Command[]): Error {
  const [first] = words;
  if (first === undefined) return wrongUse(`A command must come first, and ${argv[0]} is none: see octavo --help.`);
  const below = commands.filter(({ name }) => name.startsWith(`${first} `)).map(({ name }) => name);
  if (below.length > 0 && words.length === 1)
    return wrongUse(`octavo ${first} needs a further word: ${below.map((name) => name.split(" ")[1]).join(", ")}.`);
  const typed = words.slice(0, below.length > 0 ? 2 : 1).join(" ");
  const names = below.length > 0 ? below : [...new Set(commands.map(({ name }) => name.split(" ")[0]!))];
  const meant = findNearestName(typed, names);
  return wrongUse(`There is no command ${typed}${meant ? `: did you mean ${meant}?` : ": see octavo --help."}`);
}

function readArguments(argv: readonly string[], { name, options }: Command): { args: string[]; flags: Flags } {
  const flagged = options.filter(({ isVariableOnly }) => !isVariableOnly);
  const { tokens } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      flagged.map((it) => [it.name, { type: it.value === undefined ? "boolean" : "string" }]),
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
    const option = flagged.find((it) => it.name === token.name);
    if (!option)
      throw unknownOption(
        token.rawName,
        name,
        flagged.map((it) => it.name),
      );
    const values = flags.get(option.name) ?? [];
    if (values.length > 0 && !option.isMany) throw wrongUse(`--${option.name} was given twice.`);
    flags.set(option.name, [...values, flagValue(token, option.value !== undefined)]);
  }
  return { args, flags };
}

function unknownOption(typed: string, command: string, names: readonly string[]): Error {
  const meant = findNearestName(typed.replace(/^-+/, ""), [...names, ...everywhere]);
  const hint = meant ? `did you mean --${meant}?` : `see octavo ${command} --help.`;
  return wrongUse(`octavo ${command} has no option ${typed}: ${hint}`);
}

function flagValue(
  token: { readonly rawName: string; readonly value?: string | undefined; readonly inlineValue?: boolean | undefined },
  needsValue: boolean,
): string {
  const { rawName, value, inlineValue } = token;
  if (!needsValue) {
    if (value !== undefined) throw wrongUse(`${rawName} takes no value.`);
    return "true";
  }
  // A value that looks like a flag is a flag whose value was forgotten, unless it stands behind `=`.
  if (value === undefined || (!inlineValue && /^--?[a-z]/.test(value))) throw wrongUse(`${rawName} needs a value.`);
  return value;
}

function checkedArgs(args: readonly string[], { name, args: wanted = [] }: Command): readonly string[] {
  const missing = wanted.find(({ isOptional }, i) => !isOptional && args.length <= i);
  if (missing) throw wrongUse(`octavo ${name} needs ${missing.name}: ${missing.summary}`);
  if (args.length > wanted.length && !wanted.at(-1)?.isMany)
    throw wrongUse(`octavo ${name} does not know what to do with ${args[wanted.length]}.`);
  return args;
}
