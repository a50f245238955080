// Messages about sites, in Dutch.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Nieuwe site",
  noSites: "Er zijn nog geen sites. Een site toont ruimtes aan lezers.",
  firstSpace: "De eerste ruimte erop",
  published: "Gepubliceerd",
  notPublished: "Niet gepubliceerd",
  visibilityPublic: "Iedereen",
  visibilityUnlisted: "Iedereen, maar zoekmachines tonen haar niet",
  visibilityShareLink: "Wie een deellink heeft",
  visibilityVisitors: "Bezoekers die zich aanmelden",
  whoSees: "Wie haar ziet",
  openSite: "Site openen",
  publish: "Publiceren",
  unpublish: "Offline halen",
  deleteSite: "Site verwijderen",
  deleteSiteWhy: "‘{title}’ staat dan niet meer op haar adres. Haar ruimtes blijven.",
  spacesOfSite: "Ruimtes op deze site",
  noSpacesOfSite: "Op deze site staat nog geen ruimte.",
  addSpace: "Ruimte toevoegen",
  isDefault: "opent het eerst",
};
