// Every attack, by topic: one file a topic.

import type { Attack } from "./attack";
import { texts } from "./texts";

const topics: Readonly<Record<string, readonly Attack[]>> = { texts };

export const all: readonly (Attack & { readonly topic: string })[] = Object.entries(topics).flatMap(
  ([topic, attacks]) => attacks.map((attack) => ({ ...attack, topic })),
);
