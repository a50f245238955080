// How a row is measured: both sides in one run, in turns, so that other load on the machine affects both. Only the
// ratio of a round counts; absolute figures are never compared across runs.

/** One line of the table. */
export interface Row {
  readonly what: string;
  /** What it is measured against; for a figure that stands alone: how it was come by. */
  readonly against: string;
  readonly measured: string;
  readonly budget: string;
  /** Undefined where there is no budget: the figure is printed. */
  readonly holds?: boolean;
}

/** The ratio may be at most, or must be at least, so much. */
export type Budget = { readonly atMost: number } | { readonly atLeast: number };

/** One turn of one side; gives its figure, such as microseconds a request or requests a second. */
export type Side = () => Promise<number>;

interface Comparison {
  readonly what: string;
  readonly against: string;
  readonly budget: Budget;
  readonly ours: Side;
  readonly theirs: Side;
  /** How many rounds of both sides count, and how many before them do not. */
  readonly rounds: readonly [counted: number, warmUp: number];
}

/** Runs both sides; the row shows the median of the rounds' ratios and the quartiles around it. */
export async function compare({
  what,
  against,
  budget,
  ours,
  theirs,
  rounds: [rounds, warmUp],
}: Comparison): Promise<Row> {
  const ratios: number[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    // There and back, because a side leaves garbage for the next one to collect.
    const [first, second, third, fourth] = [await ours(), await theirs(), await theirs(), await ours()];
    if (round >= 0) ratios.push((first + fourth) / (second + third));
  }
  ratios.sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(share * (ratios.length - 1))]!;
  const show = "atMost" in budget ? times : percent;
  return {
    what,
    against,
    measured: `${show(at(0.5))} (${show(at(0.25))} to ${show(at(0.75))})`,
    budget: "atMost" in budget ? `at most ${show(budget.atMost)}` : `at least ${show(budget.atLeast)}`,
    holds: "atMost" in budget ? at(0.5) <= budget.atMost : at(0.5) >= budget.atLeast,
  };
}

/** A row without its budget: what depends on the machine more than on what is measured. */
export function withoutBudget({ what, against, measured }: Row): Row {
  return { what, against, measured, budget: "" };
}

/**
 * A side that does something so many times, one after the other, and gives the microseconds that one took. The time is
 * the processor's: what other programs take away in between does not count.
 */
export function oneByOne(count: number, run: () => Promise<unknown>): Side {
  return async () => {
    await turn();
    const start = process.cpuUsage();
    for (let i = 0; i < count; i++) await run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / count;
  };
}

/** A side that does something so many times, `runStepsAtOnce` of them at any time, and gives how many were done a second. */
export function concurrently(count: number, atOnce: number, run: () => Promise<unknown>): Side {
  return async () => {
    await turn();
    let begun = 0;
    const worker = async () => {
      while (begun++ < count) await run();
    };
    const start = performance.now();
    await Promise.all(Array.from({ length: atOnce }, worker));
    return (count * 1000) / (performance.now() - start);
  };
}

/** Lets the event loop turn: what a turn leaves to be finalized waits for that, and belongs to nobody. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} x`;
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}
