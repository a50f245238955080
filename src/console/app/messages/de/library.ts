// Messages of the library, in German.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Neuer Bereich",
  newCollection: "Neue Sammlung",
  noSpaces: "Hier ist noch nichts. Ein Bereich enthält die Seiten eines Buches.",
  spaces: "Bereiche",
  collections: "Sammlungen",
  changed: "Geändert {when}",
  openRequests: { one: "{count} offener Änderungsvorschlag", other: "{count} offene Änderungsvorschläge" },
};
