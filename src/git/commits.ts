// Reads and writes commits as bytes.

import type { GitCommit, GitPerson } from "./port";

/** A commit, and the tree that it holds. */
export interface ParsedCommit extends GitCommit {
  readonly tree: string;
}

/** The largest time of a JavaScript `Date`. */
const MAX_TIME_SECONDS = 8_640_000_000_000;

/** Parses a commit. Returns undefined if the bytes are not a commit. */
export function parseCommit(oid: string, bytes: Uint8Array): ParsedCommit | undefined {
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf("\n\n");
  const head = end < 0 ? text : text.slice(0, end);
  const tree = /^tree ([0-9a-f]{40})(?:\n|$)/.exec(head)?.[1];
  if (tree === undefined) return undefined;

  // author Name <email> seconds +0000
  const line = head.split("\n").find((line) => line.startsWith("author ")) ?? "";
  const author = line.slice("author ".length);
  const open = author.indexOf("<");
  const close = author.lastIndexOf(">");
  const seconds = Number.parseInt(author.slice(close + 1), 10) || 0;
  return {
    oid,
    tree,
    message: end < 0 ? "" : text.slice(end + 2),
    author: {
      name: author.slice(0, Math.max(open, 0)).trim(),
      email: open < close ? author.slice(open + 1, close) : "",
    },
    authoredAt: new Date(Math.min(Math.max(seconds, 0), MAX_TIME_SECONDS) * 1000),
  };
}

interface NewCommit {
  readonly tree: string;
  readonly parent: string | undefined;
  readonly author: GitPerson;
  readonly authoredAt: Date;
  readonly message: string;
}

/** Writes a commit. The same input always yields the same bytes. */
export function writeCommit({ tree, parent, author, authoredAt, message }: NewCommit): Uint8Array {
  // Git separates names and emails with these characters.
  const removeSeparators = (text: string) => text.replace(/[\s\x00-\x1f\x7f<>]+/g, " ").trim();
  const seconds = Math.floor(authoredAt.getTime() / 1000);
  const person = `${removeSeparators(author.name) || "nobody"} <${removeSeparators(author.email)}> ${seconds} +0000`;

  const head = [`tree ${tree}`];
  if (parent) head.push(`parent ${parent}`);
  head.push(`author ${person}`, `committer ${person}`);
  const body = message.replaceAll("\0", "").replace(/\r\n?/g, "\n").trimEnd();
  return new TextEncoder().encode(`${head.join("\n")}\n\n${body}\n`);
}
