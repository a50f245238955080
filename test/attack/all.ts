// Every attack, by topic: one file a topic.

import type { Attack } from "./attack";
import { conditions } from "./conditions";

const topics: Readonly<Record<string, readonly Attack[]>> = { conditions };

export const all: readonly (Attack & { readonly topic: string })[] = Object.entries(topics).flatMap(
  ([topic, attacks]) => attacks.map((attack) => ({ ...attack, topic })),
);
