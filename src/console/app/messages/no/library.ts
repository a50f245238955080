// Messages of the library, in Norwegian.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Nytt område",
  newCollection: "Ny samling",
  noSpaces: "Her er det ingenting ennå. Et område inneholder sidene i en bok.",
  spaces: "Områder",
  collections: "Samlinger",
  changed: "Endret {when}",
  openRequests: { one: "{count} åpent endringsforslag", other: "{count} åpne endringsforslag" },
};
