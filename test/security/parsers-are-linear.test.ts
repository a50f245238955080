// S39: slow parsers. Twice the text takes at most two and a half times the processor time, for every text and every
// parser.

import { describe, expect, test } from "vitest";
import { filled, HARMLESS } from "./hostile-texts";
import { type Family, PARSERS, type Parser } from "./parsers";

/** The size that texts begin with, in characters. */
const SIZE = 2_000;
/** What takes less is not compared: what is quadratic takes more. */
const LEAST_MS = 2.5;
/** The most that twice the text may take. */
const MOST = 2.5;
/** What half the text takes, this many times, is no sign of anything: a part that grows with the square would show at twice
 * the text no sooner. */
const SURELY = 2.2;
/** How often a text is doubled before it counts: memory and compilers make steps, but not twice in a row. */
const DOUBLINGS = 5;

/** What was doubled three times and takes this long need not be doubled again. */
const LONG_MS = 100;

/** The processor time of one reading, in milliseconds; a refusal is a reading, too. */
async function costOf(read: Parser["read"], text: string): Promise<number> {
  const before = process.cpuUsage();
  try {
    await read(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The least of several readings; what takes long is read once, and varies little. */
async function leastCost(times: number, read: Parser["read"], text: string): Promise<number> {
  let least = await costOf(read, text);
  for (let n = 1; n < times && least < LONG_MS; n++) least = Math.min(least, await costOf(read, text));
  return least;
}

/**
 * How the cost grows, when it keeps growing by more than the text; undefined when it does not. What costs less than `least`
 * is not compared.
 */
async function growthOf(
  read: Parser["read"],
  text: (size: number) => string,
  least: number,
): Promise<string | undefined> {
  const first = await costOf(read, text(SIZE));
  if (first < least || first <= SURELY * (await costOf(read, text(SIZE / 2)))) return undefined;
  const once = await costOf(read, text(SIZE));
  if (once < least || (await costOf(read, text(2 * SIZE))) <= MOST * once) return undefined;
  const costs = [await leastCost(3, read, text(SIZE))];
  const harmless = [await leastCost(3, read, filled(HARMLESS, SIZE))];
  for (let doubling = 1; doubling <= DOUBLINGS; doubling++) {
    costs.push(await leastCost(3, read, text(SIZE * 2 ** doubling)));
    harmless.push(await leastCost(3, read, filled(HARMLESS, SIZE * 2 ** doubling)));
    const [before, after] = costs.slice(-2) as [number, number];
    const [harmlessBefore, harmlessAfter] = harmless.slice(-2) as [number, number];
    // On a machine whose caches and memory others use as well, a harmless text takes more than twice the time, too: what it
    // takes more, at the same moment and for the same reader, is no sign. One that is too short to be measured tells nothing.
    const slowed = harmlessBefore < least ? 1 : Math.max(1, harmlessAfter / harmlessBefore / 2);
    if (after <= MOST * slowed * before) return undefined;
    if (doubling >= 3 && after > LONG_MS) break;
  }
  return costs.map((cost) => `${Math.round(cost)} ms`).join(", ");
}

async function growths({ read, families }: Parser): Promise<string[]> {
  const found: string[] = [];
  // A reader may need its time for no text at all; that does not grow.
  const least = LEAST_MS + (await leastCost(10, read, ""));
  for (const [name, text] of families) {
    const growth = await growthOf(read, text, least);
    if (growth !== undefined) found.push(`${name}: ${growth}`);
  }
  return found;
}

// Processor time is the subject, not the clock: a busy machine may take its time.
describe("S39: linear parsers", () => {
  test.each(PARSERS.map((parser) => [parser.name, parser] as const))(
    "S39: twice the text for %s takes twice the time",
    async (_, parser) => {
      expect(await growths(parser)).toEqual([]);
    },
  );

  test.each(PARSERS.map(({ name, read }) => [name, read] as const))("S39: %s is accepted at all", async (_, read) => {
    await expect((async () => read("a: b\n"))()).resolves.not.toBeNull();
  });

  test("control: quadratic cost, and nothing else, is detected", async () => {
    const families: Family[] = [["letters", (size) => filled("a", size)]];
    /** A reader that takes a text so many times that it is long enough to be compared on this machine. */
    const comparable = async (read: (text: string, times: number) => unknown): Promise<Parser["read"]> => {
      let times = 1;
      while ((await leastCost(3, (text) => read(text, times), filled("a", SIZE))) < 2 * LEAST_MS) times *= 2;
      return (text) => read(text, times);
    };
    const quadratic = await comparable((text, times) => {
      for (let n = 0; n < times; n++) /a*b/.test(text);
    });
    const linear = await comparable((text, times) => [...text.repeat(times)].sort());
    // A pause at the wrong moment hides a growth, but not again and again.
    const seen: string[] = [];
    for (let tries = 0; tries < 5 && seen.length === 0; tries++)
      seen.push(...(await growths({ name: "", read: quadratic, families })));
    expect(seen).toHaveLength(1);
    expect(await growths({ name: "", read: linear, families })).toEqual([]);
  });
});
