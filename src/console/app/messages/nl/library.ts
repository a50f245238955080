// Messages of the library, in Dutch.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Nieuwe ruimte",
  newCollection: "Nieuwe verzameling",
  noSpaces: "Hier is nog niets. Een ruimte bevat de pagina’s van één boek.",
  spaces: "Ruimtes",
  collections: "Verzamelingen",
  changed: "Gewijzigd {when}",
  openRequests: { one: "{count} open wijzigingsverzoek", other: "{count} open wijzigingsverzoeken" },
};
