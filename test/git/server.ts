// A real Git server on this machine: `git http-backend` behind a bridge from node:http to CGI, with a name and a password,
// and repositories in a folder that is gone after the test.

import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterwards, serve } from "../node/servers";
import { backend } from "./backend";

export { git, whyNoGit } from "./backend";

export const AUTH = { username: "ada", password: "pa:ss/wörd-7f3c" };

export type GitServer = Awaited<ReturnType<typeof gitServer>>;

export interface ServerOptions {
  /** Whether everybody may read and write. Default: false. */
  readonly isOpen?: boolean;
  /** Answers instead of Git when it returns true. */
  readonly before?: (req: IncomingMessage, res: ServerResponse) => boolean;
}

export async function gitServer({ isOpen = false, before }: ServerOptions = {}) {
  const root = await mkdtemp(join(tmpdir(), "octavo-git-"));
  afterwards(() => rm(root, { recursive: true, force: true }));
  const requests: string[] = [];
  const expected = `Basic ${Buffer.from(`${AUTH.username}:${AUTH.password}`).toString("base64")}`;
  const answer: RequestListener = (req, res) => {
    requests.push(`${req.method} ${req.url?.split("?")[0]}`);
    if (before?.(req, res)) return;
    if (!isOpen && req.headers.authorization !== expected)
      res.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end("No.");
    else backend(root, req, res);
  };
  /** `root` has the repositories; a request that came is as `GET /one.git/info/refs`. */
  return { origin: await serve(answer), root, requests };
}
