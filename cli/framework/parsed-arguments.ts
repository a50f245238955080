// What a command was given: its arguments, and its options from flags or from the environment.

import { wrongUse } from "./errors";
import type { Option } from "./option";

export interface Given {
  readonly args: readonly string[];
  /** The value of an option; undefined when it was not given. An empty variable counts as absent. */
  readonly text: (name: string) => string | undefined;
  /** All values of an option that may come more than once. */
  readonly texts: (name: string) => readonly string[];
  /** Whether a switch is on. */
  readonly isOn: (name: string) => boolean;
  /** Whether an option came as a flag. */
  readonly isFlag: (name: string) => boolean;
  /** What the person wrote for this option: `--port`, or `PORT`. For sentences about its value. */
  readonly label: (name: string) => string;
}

/** Flags by their names, each with its values in order. A switch has the value `true`. */
export type Flags = ReadonlyMap<string, readonly string[]>;

export function givenTo(
  options: readonly Option[],
  args: readonly string[],
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
): Given {
  const byName = new Map(options.map((option) => [option.name, option]));
  const option = (name: string): Option => {
    const found = byName.get(name);
    if (!found) throw new TypeError(`This command has no option ${name}.`);
    return found;
  };
  const texts = (name: string): readonly string[] => {
    const { variable } = option(name);
    const set = variable === undefined ? undefined : env[variable];
    return flags.get(name) ?? (set ? [isSwitch(option(name)) ? (NUMBERS.get(set) ?? set) : set] : []);
  };
  const label = (name: string) => {
    const { variable, isVariableOnly } = option(name);
    if (flags.has(name) || variable === undefined) return `--${name}`;
    return isVariableOnly || texts(name).length > 0 ? variable : `--${name} or ${variable}`;
  };
  for (const { name, value, choices } of options) checkValue(texts(name), label(name), value, choices);
  return {
    args,
    texts,
    text: (name) => texts(name).at(-1),
    isOn: (name) => texts(name).at(-1) === "true",
    isFlag: (name) => flags.has(name),
    label,
  };
}

/** In variables, people write a switch as a number too. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["1", "true"],
  ["0", "false"],
]);

function isSwitch({ value, choices }: Option): boolean {
  return value === undefined && choices === undefined;
}

function checkValue(
  texts: readonly string[],
  label: string,
  value: string | undefined,
  choices: readonly string[] | undefined,
): void {
  const allowed = choices ?? (value === undefined ? ["true", "false"] : undefined);
  if (!allowed) return;
  if (texts.some((text) => !allowed.includes(text))) throw wrongUse(`${label} must be ${oneOf(allowed)}.`);
}

/** Words as a person lists them: `a, b or c`. */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
