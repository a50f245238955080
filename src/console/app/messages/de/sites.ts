// Messages about sites, in German.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Neue Website",
  noSites: "Es gibt noch keine Websites. Eine Website zeigt Bereiche ihren Leserinnen und Lesern.",
  firstSpace: "Der erste Bereich darauf",
  published: "Veröffentlicht",
  notPublished: "Nicht veröffentlicht",
  visibilityPublic: "Alle",
  visibilityUnlisted: "Alle, aber Suchmaschinen führen sie nicht auf",
  visibilityShareLink: "Wer einen Freigabelink hat",
  visibilityVisitors: "Wer sich anmeldet",
  whoSees: "Wer sie sieht",
  openSite: "Website öffnen",
  publish: "Veröffentlichen",
  unpublish: "Vom Netz nehmen",
  deleteSite: "Website löschen",
  deleteSiteWhy: "„{title}“ ist dann nicht mehr unter ihrer Adresse zu finden. Ihre Bereiche bleiben.",
  spacesOfSite: "Bereiche auf dieser Website",
  noSpacesOfSite: "Auf dieser Website ist noch kein Bereich.",
  addSpace: "Bereich hinzufügen",
  isDefault: "öffnet sich zuerst",
};
