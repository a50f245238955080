// The image: what it names exists, and where there is Docker it is built, answers, and ends when it is told to.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { serveCommand } from "../../../cli/commands/serve/command";
import { bin } from "../../../package.json";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");
const compose = parse(readFileSync(join(root, "compose.yaml"), "utf8")) as {
  services: { octavo: { environment: Record<string, string>; volumes: string[]; ports: string[] } };
};

const hasDocker = spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;

test("every variable of the image and the compose file is a variable of serve", () => {
  const known = new Set(serveCommand.options.flatMap(({ variable }) => variable ?? []));
  const ofOthers = ["NODE_ENV", "PATH", "MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_"];
  const pairs = [...dockerfile.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => line!.split(" "));
  const set = [...pairs.map((pair) => pair.split("=")[0]!), ...Object.keys(compose.services.octavo.environment)];
  const named = set.filter((name) => !ofOthers.includes(name));
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

test("the image runs the program of the package, and the compose file persists its data", () => {
  expect(dockerfile).toContain(`"node_modules/octavo/${bin.octavo.replace("./", "")}", "serve"]`);
  const folder = /DATA_DIR=(\S+)/.exec(dockerfile)![1]!;
  expect(dockerfile).toContain(`VOLUME ${folder}`);
  expect(compose.services.octavo.volumes.map((it) => it.split(":")[1])).toEqual([folder]);
  expect(compose.services.octavo.ports).toEqual([`127.0.0.1:3000:${/EXPOSE (\d+)/.exec(dockerfile)![1]}`]);
});

test("every file that the build copies exists", () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.*) \S+$/gm)].flatMap(([, names]) => names!.split(" "));
  expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

test.skipIf(!hasDocker)(
  "the image builds, answers requests and stops on a signal (skipped without Docker)",
  async () => {
    const docker = (...args: string[]) => execFileSync("docker", args, { cwd: root, encoding: "utf8" }).trim();
    docker("build", "--quiet", "--tag", "octavo-test", ".");
    const container = docker("run", "--detach", "--publish", "127.0.0.1::3000", "octavo-test");
    try {
      const address = docker("port", container, "3000").split("\n")[0]!;
      for (;;) {
        const answer = await fetch(`http://${address}/v1/ready`).catch(() => undefined);
        if (answer?.ok) break;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      docker("stop", container);
      expect(docker("inspect", "--format", "{{.State.ExitCode}}", container)).toBe("0");
    } finally {
      docker("rm", "--force", container);
    }
  },
);
