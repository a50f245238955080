// How much of a text is lost in another: by the runs of three words that stand in the one and not in the other.

/** The words of a text, in lower case. */
export function wordsIn(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

/** The runs of three words of a text; one that is shorter is one run. */
export function trigramsIn(text: string): Set<string> {
  const words = wordsIn(text);
  if (words.length > 0 && words.length < 3) return new Set([words.join(" ")]);
  const found = new Set<string>();
  for (let i = 2; i < words.length; i++) found.add(`${words[i - 2]} ${words[i - 1]} ${words[i]}`);
  return found;
}

/** A page there and here. */
export interface Pair {
  readonly name: string;
  readonly source: string;
  readonly ours: string;
}

/** What was lost of a page. */
export interface Loss {
  readonly name: string;
  readonly runs: number;
  readonly lost: number;
  /** Some of the lost runs. */
  readonly some: readonly string[];
}

/** A run that stands on more than this share of the pages belongs to the site around them. */
const COMMON = 0.1;
/** Fewer pages than this have nothing in common. */
const FEW = 10;

/** What was lost of each page. What many pages of the source share is the site around them, and is not counted. */
export function lossesOf(pairs: readonly Pair[]): Loss[] {
  const sources = pairs.map(({ source }) => trigramsIn(source));
  const pages = new Map<string, number>();
  for (const runs of sources) for (const run of runs) pages.set(run, (pages.get(run) ?? 0) + 1);
  const most = pairs.length < FEW ? Number.POSITIVE_INFINITY : Math.max(3, pairs.length * COMMON);
  return pairs.map(({ name, ours }, i) => {
    const kept = trigramsIn(ours);
    const own = [...sources[i]!].filter((run) => pages.get(run)! <= most);
    const lost = own.filter((run) => !kept.has(run));
    return { name, runs: own.length, lost: lost.length, some: lost.slice(0, 5) };
  });
}
