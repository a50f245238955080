// A process that plays what it is asked to: `<engine>` as its argument, batches of seeds and controls as messages.

import { type EngineName, type Finding, load } from "./engines";
import { type Batch, type Played, play } from "./tally";

export type Asked = { readonly what: "controls" | "beside" } | { readonly what: "batch"; readonly batch: Batch };
export type Told =
  | { readonly what: "sentence"; readonly sentence: string }
  /** Whether all that the sentences tell is as it must be. */
  | { readonly what: "proof"; readonly holds: boolean }
  | { readonly what: "batch"; readonly played: Played };

/** Each control must be found out by one of so many seeds. */
const CONTROL_SEEDS = 100;

const engine = await load[process.argv[2] as EngineName]();
const tell = (told: Told) => void process.send!(told);

process.on("message", async (asked: Asked) => {
  if (asked.what === "batch") tell({ what: "batch", played: await play(engine.simulate, asked.batch) });
  else {
    let holds = true;
    for await (const finding of asked.what === "controls" ? controls() : (engine.beside?.() ?? [])) {
      tell({ what: "sentence", sentence: finding.sentence });
      holds &&= finding.holds;
    }
    tell({ what: "proof", holds });
  }
});

async function* controls(): AsyncGenerator<Finding> {
  for (const [name, broken] of Object.entries(engine.controls())) {
    let seed = 0;
    let found: string | undefined;
    while (found === undefined && seed < CONTROL_SEEDS)
      found = await engine.simulate(++seed, broken).then(
        () => undefined,
        (error: Error) => error.message,
      );
    const sentence = `Control: ${name}: ${found === undefined ? "NOT FOUND OUT" : `found out by seed ${seed}`}.`;
    yield { sentence, holds: found !== undefined };
  }
}
