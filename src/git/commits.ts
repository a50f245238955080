// Reads and writes commits as bytes.

import type { GitCommit, GitPerson } from "./port";

/** A commit, and the tree that it holds. */
export interface ParsedCommit extends GitCommit {
  readonly tree: string;
}

const MAX_TIME = 8_640_000_000_000;

/** The content of a commit; undefined when the bytes are not a commit. */
export function parseCommit(oid: string, bytes: Uint8Array): ParsedCommit | undefined {
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const tree = /^tree ([0-9a-f]{40})(?:\n|$)/.exec(head)?.[1];
  if (tree === undefined) return undefined;
  const line = head.split("\n").find((line) => line.startsWith("author ")) ?? "";
  return { oid, tree, message: end < 0 ? "" : text.slice(end + 2), ...authorship(line.slice("author ".length)) };
}

function authorship(line: string): { author: GitPerson; authoredAt: Date } {
  const open = line.indexOf("<");
  const close = line.lastIndexOf(">");
  const seconds = Number.parseInt(line.slice(close + 1), 10) || 0;
  return {
    author: { name: line.slice(0, Math.max(open, 0)).trim(), email: open < close ? line.slice(open + 1, close) : "" },
    authoredAt: new Date(Math.min(Math.max(seconds, 0), MAX_TIME) * 1000),
  };
}

interface NewCommit {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly author: GitPerson;
  readonly at: Date;
  readonly message: string;
}

/** The bytes of a commit. The same input always gives the same bytes. */
export function writeCommit({ tree, parent, author, at, message }: NewCommit): Uint8Array {
  const who = `${named(author.name) || "nobody"} <${named(author.email)}> ${Math.floor(at.getTime() / 1000)} +0000`;
  const head = [`tree ${tree}`, ...(parent ? [`parent ${parent}`] : []), `author ${who}`, `committer ${who}`];
  const body = message.replaceAll("\0", "").replace(/\r\n?/g, "\n").trimEnd();
  return new TextEncoder().encode(`${head.join("\n")}\n\n${body}\n`);
}

/** A name or an address without the characters that Git uses as separators. */
function named(text: string): string {
  return text.replace(/[\s\x00-\x1f\x7f<>]+/g, " ").trim();
}
