// The input of a command: its arguments, and its options from flags or from the environment.

import { type CommandInput, type CommandOption, type EnvironmentVariables, UsageError } from "./command";

/** Flags by name, each with its values in order. A switch has the value `true`. */
export type Flags = ReadonlyMap<string, readonly string[]>;

/** In variables, switches are also written as numbers. */
const SWITCH_VALUES: ReadonlyMap<string, string> = new Map([
  ["1", "true"],
  ["0", "false"],
]);

/** Combines flags and variables into the input of a command. Throws a `UsageError` for a value that is not allowed. */
export function createCommandInput(
  options: readonly CommandOption[],
  args: readonly string[],
  flags: Flags,
  env: EnvironmentVariables,
): CommandInput {
  const byName = new Map(options.map((option) => [option.name, option]));
  const getOption = (name: string): CommandOption => {
    const option = byName.get(name);
    if (!option) throw new TypeError(`Unknown option: ${name}`);
    return option;
  };
  const texts = (name: string): readonly string[] => {
    const { variable, value, choices } = getOption(name);
    const set = variable === undefined ? undefined : env[variable];
    const isSwitch = value === undefined && choices === undefined;
    return flags.get(name) ?? (set ? [isSwitch ? (SWITCH_VALUES.get(set) ?? set) : set] : []);
  };
  const label = (name: string) => {
    const { variable, isVariableOnly } = getOption(name);
    if (flags.has(name) || variable === undefined) return `--${name}`;
    return isVariableOnly || texts(name).length > 0 ? variable : `--${name} or ${variable}`;
  };
  for (const { name, value, choices } of options) {
    const allowed = choices ?? (value === undefined ? ["true", "false"] : undefined);
    if (allowed && texts(name).some((text) => !allowed.includes(text)))
      throw new UsageError(`${label(name)} must be ${formatAlternatives(allowed)}.`);
  }
  return {
    args,
    texts,
    text: (name) => texts(name).at(-1),
    isEnabled: (name) => texts(name).at(-1) === "true",
    isFlag: (name) => flags.has(name),
    label,
  };
}

/** Joins words as a sentence lists alternatives: `a, b or c`. */
export function formatAlternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** Returns the value of an option that is a whole number, or undefined if it was not given. Throws a `UsageError` for any other. */
export function readNumber({ text, label }: CommandInput, name: string, min: number, max: number): number | undefined {
  const value = text(name);
  if (value === undefined) return undefined;
  const isWhole = /^\d{1,13}$/.test(value) && Number(value) >= min && Number(value) <= max;
  if (!isWhole) throw new UsageError(`${label(name)} must be a whole number from ${min} to ${max}.`);
  return Number(value);
}
