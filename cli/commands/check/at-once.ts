// Work on many things, a few at a time.

/** Runs something on every item, with at most `limit` under way. The first failure ends it. */
export async function atOnce<T>(items: readonly T[], limit: number, run: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await run(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, lane));
}
