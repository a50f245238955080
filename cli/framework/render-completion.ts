// Renders the scripts that complete the command line in shells, from the table of commands. Each script contains all names, so
// that a shell never waits for this program.

import type { Command } from "./command";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

/** The words that can follow the words that were typed so far. */
interface CompletionPoint {
  /** The typed words: a command, the first word of several commands, or nothing. */
  readonly words: string;
  readonly next: readonly string[];
  readonly command?: Command;
}

export function renderCompletion(shell: Shell, commands: readonly Command[]): string {
  const firstWords = [...new Set(commands.map(({ name }) => name.split(" ")[0]!))];
  const groups = firstWords.filter((first) => !commands.some(({ name }) => name === first));
  const points: CompletionPoint[] = [
    { words: "", next: [...firstWords, "help", "--help", "--version"] },
    ...groups.map((first) => {
      const subcommands = commands.filter(({ name }) => name.startsWith(`${first} `));
      return { words: first, next: subcommands.map(({ name }) => name.split(" ")[1]!) };
    }),
    ...commands.map((command) => {
      const { name, args = [], options } = command;
      const choices = args.flatMap((it) => it.choices ?? []);
      const flags = options.filter(({ isVariableOnly }) => !isVariableOnly).map((option) => `--${option.name}`);
      return { words: name, next: [...choices, ...flags, "--help"], command };
    }),
  ];
  // The shell pattern of all words that can be continued.
  const pattern = points.flatMap(({ words }) => (words === "" ? [] : [quoteForShell(words)])).join("|");
  return { bash: renderBash, zsh: renderZsh, fish: renderFish }[shell](points, pattern);
}

/** Renders a case of the shell for each option with a fixed list of values. `reply` renders the completion of the values. */
function renderChoiceCases(points: readonly CompletionPoint[], reply: (values: readonly string[]) => string): string {
  const cases = points.flatMap(({ words, command }) =>
    (command?.options ?? []).flatMap(({ name, choices, isVariableOnly }) =>
      choices && !isVariableOnly ? [`    ${quoteForShell(`${words} --${name}`)}) ${reply(choices)}; return ;;`] : [],
    ),
  );
  return cases.join("\n");
}

/** Renders a case of the shell for each completion point. */
function renderPointCases(points: readonly CompletionPoint[], reply: (values: readonly string[]) => string): string {
  return points.map(({ words, next }) => `    ${quoteForShell(words)}) ${reply(next)} ;;`).join("\n");
}

function renderBash(points: readonly CompletionPoint[], pattern: string): string {
  const reply = (values: readonly string[]) =>
    `COMPREPLY=($(compgen -W ${quoteForShell(values.join(" "))} -- "$current"))`;
  return `# Completion for octavo: eval "$(octavo completion bash)"
_octavo() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} words='' i
  for ((i = 1; i < COMP_CWORD && i < 3; i++)); do
    case "\${words:+$words }\${COMP_WORDS[i]}" in
      ${pattern}) words="\${words:+$words }\${COMP_WORDS[i]}" ;;
      *) break ;;
    esac
  done
  COMPREPLY=()
  case "$words $previous" in
${renderChoiceCases(points, reply)}
  esac
  case "$words" in
${renderPointCases(points, reply)}
  esac
}
complete -o default -F _octavo octavo
`;
}

function renderZsh(points: readonly CompletionPoint[], pattern: string): string {
  const reply = (values: readonly string[]) => `compadd -- ${values.map(quoteForShell).join(" ")}`;
  return `#compdef octavo
# Completion for octavo: eval "$(octavo completion zsh)"
_octavo() {
  local found='' i previous=\${words[CURRENT-1]}
  for ((i = 2; i < CURRENT && i < 4; i++)); do
    case "\${found:+$found }\${words[i]}" in
      ${pattern}) found="\${found:+$found }\${words[i]}" ;;
      *) break ;;
    esac
  done
  case "$found $previous" in
${renderChoiceCases(points, reply)}
  esac
  case "$found" in
${renderPointCases(points, reply)}
  esac
  [[ -n $found ]] && _files
}
compdef _octavo octavo
`;
}

function renderFish(points: readonly CompletionPoint[]): string {
  const renderCondition = (words: string) =>
    `complete -c octavo -n ${quoteForShell(`__octavo_at ${quoteForShell(words)}`)}`;
  const words = points.flatMap((point) =>
    point.next
      .filter((name) => !name.startsWith("--"))
      .map((name) => `${renderCondition(point.words)} -f -a ${quoteForShell(name)}`),
  );
  const flags = points.flatMap((point) =>
    (point.command?.options ?? [])
      .filter(({ isVariableOnly }) => !isVariableOnly)
      .map(({ name, value, choices, summary }) => {
        const values = choices ? ` -f -a ${quoteForShell(choices.join(" "))}` : "";
        return `${renderCondition(point.words)} -l ${name}${value === undefined ? "" : " -r"}${values} -d ${quoteForShell(summary)}`;
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
${[...words, ...flags].join("\n")}
`;
}

/** Quotes a text so that a shell takes it literally. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
