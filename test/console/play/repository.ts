// A repository with a small book, which a Git server of this machine gives to everybody.

import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { backend, git } from "../../git/backend";

const files = {
  "README.md": "# Engines\n\nWhat they are, and how they are kept.\n",
  "SUMMARY.md": "# Contents\n\n* [Engines](README.md)\n* [Care](care.md)\n* [Parts](parts.md)\n",
  "care.md": "# Care\n\nOil the engine every week.\n\nKeep the room dry.\n",
  "parts.md": "# Parts\n\n| Part | Wears |\n| --- | --- |\n| Barrel | slowly |\n| Lever | quickly |\n",
};

export interface Book {
  readonly host: string;
  readonly url: string;
  readonly close: () => Promise<void>;
}

export async function bookInGit(): Promise<Book> {
  const root = await mkdtemp(join(tmpdir(), "octavo-play-git-"));
  const work = join(root, "work");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(work, path)), { recursive: true });
    await writeFile(join(work, path), text);
  }
  await git(work, ["init", "-q", "-b", "main"]);
  await git(work, ["add", "."]);
  await git(work, ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "commit", "-q", "-m", "A book"]);
  await git(root, ["clone", "-q", "--bare", "work", "engines.git"]);
  const server = createServer((request, response) => backend(root, request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/engines.git`,
    async close() {
      server.closeAllConnections();
      server.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}
