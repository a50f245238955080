// Messages about sites, in Norwegian.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Nytt nettsted",
  noSites: "Det er ingen nettsteder ennå. Et nettsted viser områder til leserne.",
  firstSpace: "Det første området på det",
  published: "Publisert",
  notPublished: "Ikke publisert",
  visibilityPublic: "Alle",
  visibilityUnlisted: "Alle, men søkemotorer viser det ikke",
  visibilityShareLink: "De som har en delingslenke",
  visibilityVisitors: "Besøkende som logger inn",
  whoSees: "Hvem som ser det",
  openSite: "Åpne nettstedet",
  publish: "Publiser",
  unpublish: "Ta av nett",
  deleteSite: "Slett nettstedet",
  deleteSiteWhy: "«{title}» er ikke lenger på sin adresse. Områdene blir værende.",
  spacesOfSite: "Områder på dette nettstedet",
  noSpacesOfSite: "Det er ingen områder på dette nettstedet ennå.",
  addSpace: "Legg til et område",
  isDefault: "åpnes først",
};
