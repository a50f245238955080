// Messages of the page layout, in Dutch.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Organisaties",
  yourAccount: "Uw account",
  signOut: "Afmelden",
  library: "Bibliotheek",
  changeRequests: "Wijzigingsverzoeken",
  sites: "Sites",
  specifications: "API-specificaties",
  translations: "Vertalingen",
  integrations: "Integraties",
  people: "Mensen",
  settings: "Instellingen",
  auditLog: "Auditlogboek",
  navigation: "Navigatie",
  language: "Taal",
};
