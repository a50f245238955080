// The words of the pages: some are everywhere, most are rare. The same number gives the same text.

import { rare } from "../../bench/page-text";

const COMMON = ["setup", "token", "server", "review"] as const;
/** How many rare words there are. */
const RARE = 20_000;

/** About 500 characters, with a heading and a link to another page of the same space. */
export function pageText(n: number, pages: number): string {
  const word = (i: number) => (i % 9 === 0 ? COMMON[i % 4]! : rare((n * 31 + i * 17) % RARE));
  const words = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => word(from + i)).join(" ");
  const link = n % 10 === 0 ? ` See [another](page-${(n * 7) % pages}.md).` : "";
  return `${words(1, 30)}.${link}\n\n## Part ${n % 7}\n\n${words(30, 75)}.\n`;
}

/** A word that few pages have, one that most have, and two together. */
export const queries = { rare: rare(1234), common: "setup", several: `setup ${rare(77)}` } as const;
