// The library, in German.

import type { library as english } from "../en/library";
import type { Translated } from "../translated";

export const library: Translated<typeof english> = {
  newSpace: "Neuer Bereich",
  newCollection: "Neue Sammlung",
  noSpaces: "Hier ist noch nichts. Ein Bereich enthält die Seiten eines Buches.",
  spaces: "Bereiche",
  collections: "Sammlungen",
  changed: "Geändert {when}",
  openRequests: { one: "{count} offener Änderungsvorschlag", other: "{count} offene Änderungsvorschläge" },
};
