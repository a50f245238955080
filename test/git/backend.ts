// Git as a program: run in a folder, or behind a request as a CGI script does.

import { execFile, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";

/** Why there is no Git server; undefined when there is one. */
export const whyNoGit: string | undefined = (() => {
  try {
    const path = execFileSync("git", ["--exec-path"], { encoding: "utf8" }).trim();
    return existsSync(join(path, "git-http-backend")) ? undefined : "git http-backend is not installed";
  } catch {
    return "git is not installed";
  }
})();

const quiet = { PATH: process.env.PATH, HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };

/** One request as a run of `git http-backend`. */
export function backend(root: string, req: IncomingMessage, res: ServerResponse): void {
  const url = new URL(req.url!, "http://localhost");
  const program = spawn("git", ["http-backend"], {
    env: {
      ...quiet,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: "1",
      REMOTE_USER: "ada",
      REQUEST_METHOD: req.method!,
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: req.headers["content-type"] ?? "",
      CONTENT_LENGTH: req.headers["content-length"] ?? "",
      HTTP_GIT_PROTOCOL: String(req.headers["git-protocol"] ?? ""),
    },
    stdio: ["pipe", "pipe", "ignore"],
  });
  program.stdin.on("error", () => {});
  req.pipe(program.stdin);
  let head = Buffer.alloc(0);
  const onHead = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf("\r\n\r\n");
    if (end < 0) return;
    const fields = head.subarray(0, end).toString().split("\r\n");
    const headers = fields.map((field) => /^(.*?): (.*)$/.exec(field)!.slice(1, 3) as [string, string]);
    const status = headers.find(([name]) => name === "Status")?.[1];
    res.writeHead(status ? Number.parseInt(status, 10) : 200, Object.fromEntries(headers));
    res.write(head.subarray(end + 4));
    program.stdout.off("data", onHead).pipe(res);
  };
  program.stdout.on("data", onHead);
}

/** Runs git; gives what it prints. */
export function git(folder: string, args: readonly string[], input?: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, env: quiet, maxBuffer: 64 * 1024 * 1024 };
    const program = execFile("git", args, options, (error, stdout) => (error ? reject(error) : resolve(stdout.trim())));
    program.stdin!.end(input);
  });
}
