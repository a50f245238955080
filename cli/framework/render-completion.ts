// Scripts that complete the command line in shells, made from the table of commands. Each knows all names when it is printed,
// so that a shell never waits for this program.

import type { Command } from "./command";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** What can stand behind the words that were typed so far. */
interface Place {
  /** The words: a command, the first word of several, or none. */
  readonly words: string;
  readonly next: readonly string[];
  readonly command?: Command;
}

export function completionFor(shell: Shell, commands: readonly Command[]): string {
  return { bash, zsh, fish }[shell](placesOf(commands));
}

function placesOf(commands: readonly Command[]): Place[] {
  const firsts = [...new Set(commands.map(({ name }) => name.split(" ")[0]!))];
  const groups = firsts.filter((first) => !commands.some(({ name }) => name === first));
  const below = (first: string) =>
    commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(" ")[1]!] : []));
  return [
    { words: "", next: [...firsts, "help", "--help", "--version"] },
    ...groups.map((first) => ({ words: first, next: below(first) })),
    ...commands.map((command) => ({ words: command.name, next: flagsOf(command), command })),
  ];
}

function flagsOf({ args = [], options }: Command): string[] {
  return [
    ...args.flatMap(({ choices = [] }) => choices),
    ...options.filter(({ isVariableOnly }) => !isVariableOnly).map(({ name }) => `--${name}`),
    "--help",
  ];
}

/** Options with a fixed list of values, for all commands that have them. */
function choicesOf(places: readonly Place[]): [words: string, flag: string, values: readonly string[]][] {
  return places.flatMap(({ words, command }) =>
    (command?.options ?? []).flatMap(({ name, choices, isVariableOnly }) =>
      choices && !isVariableOnly ? [[words, `--${name}`, choices] as [string, string, readonly string[]]] : [],
    ),
  );
}

/** The patterns of all words that lead somewhere. */
function patternsOf(places: readonly Place[]): string {
  return places.flatMap(({ words }) => (words === "" ? [] : [quoted(words)])).join("|");
}

const lines = (rows: readonly string[]) => rows.join("\n");

function bash(places: readonly Place[]): string {
  const reply = (values: readonly string[]) => `COMPREPLY=($(compgen -W ${quoted(values.join(" "))} -- "$current"))`;
  return `# Completion for octavo: eval "$(octavo completion bash)"
_octavo() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' i
  for ((i = 1; i < COMP_CWORD && i < 3; i++)); do
    case "\${words:+$words }\${COMP_WORDS[i]}" in
      ${patternsOf(places)}) words="\${words:+$words }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$words $previous" in
${lines(choicesOf(places).map(([words, flag, values]) => `    ${quoted(`${words} ${flag}`)}) ${reply(values)}; return ;;`))}
  esac
  case "$words" in
${lines(places.map(({ words, next }) => `    ${quoted(words)}) ${reply(next)} ;;`))}
  esac
}
complete -o default -F _octavo octavo
`;
}

function zsh(places: readonly Place[]): string {
  const reply = (values: readonly string[]) => `compadd -- ${values.map(quoted).join(" ")}`;
  return `#compdef octavo
# Completion for octavo: eval "$(octavo completion zsh)"
_octavo() {
  local found='' i previous=\${words[CURRENT-1]}
  for ((i = 2; i < CURRENT && i < 4; i++)); do
    case "\${found:+$found }\${words[i]}" in
      ${patternsOf(places)}) found="\${found:+$found }\${words[i]}" ;;
      *) break ;;
    esac
  done
  case "$found $previous" in
${lines(choicesOf(places).map(([words, flag, values]) => `    ${quoted(`${words} ${flag}`)}) ${reply(values)}; return ;;`))}
  esac
  case "$found" in
${lines(places.map(({ words, next }) => `    ${quoted(words)}) ${reply(next)} ;;`))}
  esac
  [[ -n $found ]] && _files
}
compdef _octavo octavo
`;
}

function fish(places: readonly Place[]): string {
  const when = (words: string) => `complete -c octavo -n ${quoted(`__octavo_at ${quoted(words)}`)}`;
  const words = places.flatMap((place) =>
    place.next.filter((name) => !name.startsWith("--")).map((name) => `${when(place.words)} -f -a ${quoted(name)}`),
  );
  const flags = places.flatMap((place) =>
    (place.command?.options ?? [])
      .filter(({ isVariableOnly }) => !isVariableOnly)
      .map(({ name, value, choices, summary }) => {
        const values = choices ? ` -f -a ${quoted(choices.join(" "))}` : "";
        return `${when(place.words)} -l ${name}${value === undefined ? "" : " -r"}${values} -d ${quoted(summary)}`;
      }),
  );
  return `# Completion for octavo: octavo completion fish | source
function __octavo_at
    set -l typed
    for word in (commandline -opc)[2..]
        string match -q -- '-*' $word; and break
        set -a typed $word
    end
    set -l text "$typed"
    test "$text" = "$argv[1]"; and return 0
    test -n "$argv[1]"; and string match -q -- "$argv[1] *" "$text"
end
${lines([...words, ...flags])}
`;
}

/** A text that a shell takes as it is. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
