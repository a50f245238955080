// The command line itself: what it understands, how it refuses, what it writes, and what is made from its table.

import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { commands } from "../../cli/commands";
import type { Command } from "../../cli/framework/command";
import { renderCompletion } from "../../cli/framework/render-completion";
import { createTerminal } from "../../cli/framework/terminal";
import { withReference } from "../../scripts/commands/document";
import { findNearestName } from "../../src/utils/suggest";
import { octavo, program, runCommand } from "./processes";
import { ran } from "./run";
import { served } from "./servers";

/** A command that prints what it was given. */
const echo: Command = {
  name: "say hello",
  summary: "Say hello.",
  args: [
    { name: "who", summary: "Somebody." },
    { name: "others", summary: "More.", isOptional: true, isMany: true },
  ],
  options: [
    { name: "loud", summary: "Loudly.", variable: "LOUD" },
    { name: "tone", value: "kind", choices: ["high", "low"], summary: "The tone.", variable: "TONE" },
    { name: "also", value: "text", isMany: true, summary: "More words." },
    { name: "key", value: "text", isVariableOnly: true, variable: "KEY", summary: "A secret." },
  ],
  async run({ args, text, texts, isEnabled }, { terminal }) {
    terminal.print(JSON.stringify([args, isEnabled("loud"), text("tone") ?? null, texts("also"), text("key") ?? null]));
    return undefined;
  },
};
const table = [echo, { ...echo, name: "whisper" }];
const said = async (line: string, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = await ran(line.split(" ").filter(Boolean), env, { table });
  return status === 0 ? JSON.parse(stdout) : [status, stderr.trimEnd()];
};

describe("parsing the command line", () => {
  test.each([
    ["say hello ada", {}, [["ada"], false, null, [], null]],
    ["say hello ada grace --loud --tone=low joan", {}, [["ada", "grace", "joan"], true, "low", [], null]],
    ["whisper ada --also a --also=-b", {}, [["ada"], false, null, ["a", "-b"], null]],
    ["whisper -- --ada", {}, [["--ada"], false, null, [], null]],
    ["whisper ada --tone high", { TONE: "low", LOUD: "true", KEY: "k" }, [["ada"], true, "high", [], "k"]],
    ["whisper ada", { TONE: "", LOUD: "false" }, [["ada"], false, null, [], null]],
  ])("the command line parses %s %j", async (line, env, given) => {
    expect(await said(line, env as Record<string, string>)).toEqual(given);
  });

  test.each([
    ["wisper ada", "Unknown command: wisper. Did you mean whisper?"],
    ["say hallo ada", "Unknown command: say hallo. Did you mean say hello?"],
    ["say", "octavo say needs a subcommand: hello."],
    ["frobnicate", "Unknown command: frobnicate. See octavo --help."],
    ["--loud", "Expected a command before --loud. See octavo --help."],
    ["whisper ada --lowd", "Unknown option for octavo whisper: --lowd. Did you mean --loud?"],
    ["whisper ada --frobnicate", "Unknown option for octavo whisper: --frobnicate. See octavo whisper --help."],
    ["whisper ada --key k", "Unknown option for octavo whisper: --key. See octavo whisper --help."],
    ["whisper ada -x", "Unknown option for octavo whisper: -x. See octavo whisper --help."],
    ["whisper ada --tone", "--tone needs a value."],
    ["whisper ada --tone --loud", "--tone needs a value."],
    ["whisper ada --tone shrill", "--tone must be high or low."],
    ["whisper ada --loud=yes", "--loud doesn't take a value."],
    ["whisper ada --tone low --tone high", "--tone can only be given once."],
    ["whisper", "octavo whisper needs who: Somebody."],
  ])("the command line rejects %s with one sentence", async (line, sentence) => {
    expect(await said(line)).toEqual([2, sentence]);
  });

  test("an invalid environment variable is rejected by its name", async () => {
    expect(await said("whisper ada", { TONE: "shrill" })).toEqual([2, "TONE must be high or low."]);
    expect(await said("whisper ada", { LOUD: "very" })).toEqual([2, "LOUD must be true or false."]);
  });

  test("a command line that asks for help prints help, whatever else it contains", async () => {
    for (const line of [
      ["help", "whisper"],
      ["whisper", "--help"],
      ["whisper", "--frobnicate", "-h"],
    ]) {
      const { status, stdout } = await ran(line, {}, { table });
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: octavo whisper <who> \[<others> …\] \[options\]\n\nSay hello\.\n/);
      expect(stdout).toContain("--tone <kind>");
      expect(stdout).toMatch(/Variables:\n {2}KEY {2}A secret\./);
    }
    expect((await ran(["say", "--help"], {}, { table })).stdout).toContain("say hello <who>");
    expect((await ran([], {}, { table })).stdout).toContain("Usage: octavo <command> [options]");
    expect((await ran(["help", "nothing"], {}, { table })).status).toBe(2);
  });

  test("a misspelled command or flag is corrected or suggested", () => {
    expect(findNearestName("prot", ["port", "host", "storage"])).toBe("port");
    expect(findNearestName("sto", ["port", "host", "storage"])).toBe("storage");
    expect(findNearestName("xyz", ["port", "host", "storage"])).toBeUndefined();
  });
});

describe("running the command", () => {
  test("octavo prints its version and help at once, without loading the API", async () => {
    const version = octavo(["--version"]);
    expect(await version.exited).toBe(0);
    expect(version.output.stdout.trim()).toBe(JSON.parse(readFileSync("package.json", "utf8")).version);
    const help = octavo([], { NODE_DEBUG: "esm" });
    expect(await help.exited).toBe(0);
    for (const { name } of commands) expect(help.output.stdout).toContain(`  ${name}`);
    expect(help.output.stderr).toContain("octavo.js");
    expect(help.output.stderr).not.toMatch(/valibot|itty-router|noble/);
  });

  test("octavo exits quietly when its output is no longer read", async () => {
    const { child, exited, output } = octavo(["help", "serve"]);
    child.stdout.destroy();
    expect(await exited).toBe(0);
    expect(output.stderr).toBe("");
  });
});

describe("progress", () => {
  function watched(isTTY: boolean) {
    let [out, err] = ["", ""];
    const terminal = createTerminal(
      {
        write: (text: string) => {
          out += text;
        },
      },
      {
        write: (text: string) => {
          err += text;
        },
        isTTY,
        columns: 40,
      },
    );
    return { terminal, written: () => ({ out, err }) };
  }

  test("progress is a bar on a terminal, which other lines do not tear and which disappears at the end", () => {
    const { terminal, written } = watched(true);
    const progress = terminal.progress("pages of a space with a long title", 4);
    progress.at(1);
    terminal.print("a result");
    progress.at(4);
    progress.end();
    const { out, err } = written();
    expect(out).toBe("a result\n");
    const shown = err.split("\r\x1b[K");
    expect(shown).toEqual([`[######${"-".repeat(18)}] 1/4 pages of`, `[${"#".repeat(24)}] 4/4 pages of`, ""]);
    expect(shown[0]!.length).toBe(39);
  });

  test("progress is one line for every tenth when the output is not a terminal", () => {
    const { terminal, written } = watched(false);
    const progress = terminal.progress("pages", 1000);
    for (let done = 1; done <= 1000; done++) progress.at(done);
    progress.end();
    const lines = written().err.trimEnd().split("\n");
    expect(lines).toHaveLength(10);
    expect(lines[0]).toBe("pages: 100 of 1000");
  });

  test.skipIf(!existsSync("/usr/bin/script"))(
    "progress is a bar in a real terminal (skipped without the script program)",
    async () => {
      const { api, env, organization: organizationId, user } = await served();
      const space = await api.call("createSpace", { params: { organizationId }, body: { title: "Guide" } }, { user });
      const changes = [{ operation: "insert_page" as const, title: "Start", document: { markdown: "Hello.\n" } }];
      await api.call("changeContent", { params: { spaceId: space.id }, body: { changes } }, { user });
      const line = `"${process.execPath}" "${program}" check --space ${space.id}`;
      const run = runCommand("script", ["-qec", line, "/dev/null"], env);
      expect(await run.exited).toBe(0);
      expect(run.output.stdout).toContain(`[${"#".repeat(24)}] 1/1 pages of Guide\r\x1b[K`);
      expect(run.output.stdout).toContain("Checked 1 page in 1 space: found 0 problems.");
    },
  );
});

describe("shell completion", () => {
  const run = promisify(execFile);
  /** What bash offers for a line whose last word is being typed. */
  async function offered(...words: string[]): Promise<string[]> {
    const script = `${renderCompletion("bash", commands)}
COMP_WORDS=(octavo "$@"); COMP_CWORD=$#; _octavo; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await run("bash", ["-uc", script, "octavo", ...words]);
    return stdout.split("\n").filter(Boolean);
  }

  test("completion in bash offers commands, subcommands, options and their values", async () => {
    expect(await offered("se")).toEqual(["serve"]);
    expect(await offered("user", "")).toEqual(["create", "list", "show", "link"]);
    expect(await offered("user", "create", "--cr")).toEqual(["--create-org"]);
    expect(await offered("serve", "--storage", "")).toEqual(["level", "memory", "postgres", "s3"]);
    expect(await offered("serve", "--sec")).toEqual([]);
    expect(await offered("completion", "")).toEqual(["bash", "zsh", "fish", "--help"]);
    expect(await offered("check", "--json", "--sp")).toEqual(["--space"]);
  });

  const here = (shell: string) => existsSync(`/usr/bin/${shell}`) || existsSync(`/bin/${shell}`);

  test.skipIf(!here("zsh"))("completion in zsh is a script that loads (skipped without zsh)", async () => {
    const script = `autoload -U compinit; compinit -D -u; ${renderCompletion("zsh", commands)}
compadd() { shift; print -l -- "$@" }; words=(octavo user ''); CURRENT=3; _files() { }; _octavo`;
    expect((await run("zsh", ["-fc", script])).stdout.split("\n").filter(Boolean)).toEqual([
      "create",
      "list",
      "show",
      "link",
    ]);
  });

  test.skipIf(!here("fish"))("completion in fish offers the same (skipped without fish)", async () => {
    const script = `${renderCompletion("fish", commands)}\ncomplete -C 'octavo user '; complete -C 'octavo serve --stora'`;
    const { stdout } = await run("fish", ["--no-config", "-c", script]);
    const offers = stdout.split("\n").map((line) => line.split("\t")[0]);
    expect(offers).toEqual(expect.arrayContaining(["create", "list", "show", "--storage"]));
  });

  test("completion for an unknown shell is rejected", async () => {
    expect(await ran(["completion", "tcsh"])).toMatchObject({
      status: 2,
      stderr: "The shell must be bash, zsh or fish.\n",
    });
  });
});

describe("the table of commands", () => {
  test("docs/reference/command-line.md matches the table of commands that npm run generate:commands generates", () => {
    const document = readFileSync("docs/reference/command-line.md", "utf8");
    expect(withReference(document)).toBe(document);
  });

  test("every name, flag and variable is unique and has a description", () => {
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
    for (const { name, summary, options, args = [] } of commands) {
      expect(name).toMatch(/^[a-z-]+( [a-z-]+)?$/);
      for (const text of [summary, ...options.map((it) => it.summary), ...args.map((it) => it.summary)])
        expect(text, `${name}: ${text}`).toMatch(/^[A-Za-z].*\.$/);
      expect(new Set(options.map((it) => it.name)).size).toBe(options.length);
      const variables = options.flatMap(({ variable }) => variable ?? []);
      expect(new Set(variables).size).toBe(variables.length);
    }
  });
});
