// Messages of the library, in French.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Nouvel espace",
  newCollection: "Nouvelle collection",
  noSpaces: "Il n’y a encore rien ici. Un espace contient les pages d’un livre.",
  spaces: "Espaces",
  collections: "Collections",
  changed: "Modifié {when}",
  openRequests: { one: "{count} demande de modification ouverte", other: "{count} demandes de modification ouvertes" },
};
