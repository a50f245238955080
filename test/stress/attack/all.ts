// Every attack, by topic: one file a topic.

import type { Attack } from "./attack";
import { bodies } from "./bodies";
import { conditions } from "./conditions";
import { expansions } from "./expansions";
import { multiplyingInputs } from "./multiplying-inputs";
import { packs } from "./packs";
import { sandbox } from "./sandbox";
import { specifications } from "./specifications";
import { texts } from "./texts";

const topics: Readonly<Record<string, readonly Attack[]>> = {
  bodies,
  conditions,
  expansions,
  "multiplying inputs": multiplyingInputs,
  packs,
  sandbox,
  specifications,
  texts,
};

export const all: readonly (Attack & { readonly topic: string })[] = Object.entries(topics).flatMap(
  ([topic, attacks]) => attacks.map((attack) => ({ ...attack, topic })),
);
