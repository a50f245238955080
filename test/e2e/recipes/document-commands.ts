// Runs the commands of documents as a reader pastes them: every block of `sh`, and every file that a document shows, in order
// and in one shell. The word behind `sh` in the Markdown says how a block is run.

import { spawn } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { freePort } from "../../support/listening";
import { root } from "../runtimes/project";

/**
 * How a block is run: `now` in the shell of the reader, `server` beside it until the end, `stopped` after the server has ended, and
 * `fails` if it must be refused. `no-run` blocks are not run.
 */
const MODES = ["now", "server", "stopped", "fails", "no-run"] as const;

export interface CommandBlock {
  /** The document and the line. */
  readonly place: string;
  readonly mode: (typeof MODES)[number];
  readonly text: string;
  /** The file that the block is written to, instead of being run. */
  readonly file: string | undefined;
}

const FENCE = /^( *)(`{3,})(\w+)[ \t]*([^\n]*)\n([\s\S]*?)^\1\2 *$/gm;

/** Returns the blocks of a document that are commands, or that show a file with a title. */
export function readCommandBlocks(document: string, markdown: string): CommandBlock[] {
  return [...markdown.matchAll(FENCE)].flatMap<CommandBlock>(([, indent, , language, info, body], i, matches) => {
    const line = markdown.slice(0, matches[i]!.index).split("\n").length;
    const place = `${document}:${line}`;
    const text = body!.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const file = info!.match(/title="([^"]+)"/)?.[1];
    if (language !== "sh") return file === undefined ? [] : [{ place, mode: "now", text, file }];
    const mode = MODES.find((mode) => mode === (info || "now"));
    if (!mode) throw new Error(`${place}: "${info}" is not one of ${MODES.join(", ")}`);
    return [{ place, mode, text, file: undefined }];
  });
}

const END_OF_FILE = "END_OF_DOCUMENT_FILE";

function writeBlock({ mode, text, file }: CommandBlock): string {
  if (file !== undefined)
    return `mkdir -p "$(dirname '${file}')"\ncat > '${file}' <<'${END_OF_FILE}'\n${text}${END_OF_FILE}\n`;
  if (mode === "server") return `stop_server\n(\n${text}) > server.log 2>&1 &\nSERVER=$!\nwait_for_server\n`;
  if (mode === "stopped") return `stop_server\n${text}`;
  if (mode === "fails") return `if (\n${text}); then echo 'This command must fail.' >&2; exit 1; fi\n`;
  return mode === "no-run" ? "" : text;
}

/** Returns a script that runs the blocks. A job of its own has a process group of its own, which is ended as a whole. */
function writeScript(blocks: readonly CommandBlock[], port: number): string {
  const start = [
    "set -emo pipefail",
    "SERVER=",
    'stop_server() { if [ -n "$SERVER" ]; then kill -- -$SERVER 2> /dev/null || true; wait $SERVER 2> /dev/null || true; SERVER=; fi; }',
    "wait_for_server() {",
    `  until curl -sf http://127.0.0.1:${port}/v1/ready > /dev/null; do`,
    "    kill -0 $SERVER 2> /dev/null || { echo 'The server has ended:' >&2; cat server.log >&2; exit 1; }",
    "    sleep 0.2",
    "  done",
    "}",
    "trap stop_server EXIT",
  ];
  const steps = blocks
    .filter(({ mode }) => mode !== "no-run")
    .map((block) => `echo '## ${block.place}' >&2\necho '## ${block.place}'\n${writeBlock(block)}`);
  return `${start.join("\n")}\n${steps.join("\n")}`.replaceAll(/\b(127\.0\.0\.1|localhost):3000\b/g, `$1:${port}`);
}

/** What the blocks printed. A failure has the place of the block. */
export interface CommandRun {
  readonly output: string;
  readonly error: string | undefined;
}

/**
 * Runs the blocks of documents in a project that has the package. Without `usesNpx`, `npx` is a script that runs installed
 * programs. Port 3000 becomes a free one, and `npm install` of packages that
 * the project has does nothing.
 */
export async function runCommandBlocks(
  project: string,
  blocks: readonly CommandBlock[],
  { usesNpx = true } = {},
): Promise<CommandRun> {
  const port = await freePort();
  const programs = join(project, "programs");
  await mkdir(programs, { recursive: true });
  const install =
    '#!/usr/bin/env bash\nset -e\n[ "$1" = install ]\nshift\nfor name; do [ -d "node_modules/$name" ]; done\n';
  await writeFile(join(programs, "npm"), install, { mode: 0o755 });
  // Starting npm for each command would take longer than the commands.
  const runInstalled = '#!/usr/bin/env bash\nname=$1\nshift\nexec "node_modules/.bin/$name" "$@"\n';
  if (!usesNpx) await writeFile(join(programs, "npx"), runInstalled, { mode: 0o755 });
  await writeFile(join(project, "commands.sh"), writeScript(blocks, port));
  const env = {
    PATH: `${programs}:${process.env.PATH}`,
    HOME: project,
    PORT: String(port),
    npm_config_update_notifier: "false",
  };
  const child = spawn("bash", ["commands.sh"], { cwd: project, env, stdio: ["ignore", "pipe", "pipe"] });
  // The script stops its server when it ends.
  onTestFinished(() => void child.kill());
  const texts = { output: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    texts.output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    texts.errors += text;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const undefinedField = texts.output.match(/^## (\S+)\n(?:(?!## ).*\n)*?undefined$/m)?.[1];
  const error =
    code !== 0
      ? `${texts.output.slice(-2_000)}\n${texts.errors.slice(-2_000)}`
      : undefinedField && `${undefinedField} prints undefined.`;
  return { output: texts.output, error };
}

/** The guides in the order in which their commands are run: each continues from the ones before. */
export async function readGuides(): Promise<readonly (readonly [string, string])[]> {
  const index = await readFile(join(root, "docs/README.md"), "utf8");
  const names = [...new Set([...index.matchAll(/\(guides\/([\w-]+\.md)\)/g)].map(([, name]) => `docs/guides/${name}`))];
  return Promise.all(names.map(async (name) => [name, await readFile(join(root, name), "utf8")] as const));
}
