// Whether this process can answer requests. Load balancers ask it often and without a token, so what was found counts for
// a second, and who asks meanwhile waits for the same look.

/** Says why the process is not ready, as the end of a sentence; undefined when it is. What it throws is reported. */
export interface Condition {
  readonly holds: () => Promise<unknown>;
  /** What is told when it throws. */
  readonly otherwise: string;
}

/** Why the process is not ready; undefined when it is. */
export type WhyNotReady = () => Promise<string | undefined>;

const LATELY_MS = 1000;
/** The longest that somebody waits for an answer. */
const PATIENCE_MS = 5000;

export function createReadiness(
  conditions: readonly Condition[],
  { now, onError }: { readonly now: () => Date; readonly onError: (error: unknown) => void },
): WhyNotReady {
  let last: { readonly since: number; readonly found: Promise<string | undefined>; isOver: boolean } | undefined;

  async function look(): Promise<string | undefined> {
    for (const { holds, otherwise } of conditions) {
      try {
        await holds();
      } catch (error) {
        onError(error);
        return otherwise;
      }
    }
    return undefined;
  }

  return () => {
    const time = now().getTime();
    if (!last || (last.isOver && Math.abs(time - last.since) >= LATELY_MS)) {
      const begun = { since: time, found: look(), isOver: false };
      begun.found.finally(() => {
        begun.isOver = true;
      });
      last = begun;
    }
    return withPatience(last.found);
  };
}

/** A look that takes too long says so. It goes on, and the next to ask find out how it ends. */
async function withPatience(found: Promise<string | undefined>): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, "the storage does not answer");
  });
  try {
    return await Promise.race([found, late]);
  } finally {
    clearTimeout(timer);
  }
}
