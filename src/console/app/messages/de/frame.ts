// Messages of the page layout, in German.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Organisationen",
  yourAccount: "Ihr Konto",
  signOut: "Abmelden",
  library: "Bibliothek",
  changeRequests: "Änderungsvorschläge",
  sites: "Websites",
  specifications: "API-Spezifikationen",
  translations: "Übersetzungen",
  integrations: "Integrationen",
  people: "Personen",
  settings: "Einstellungen",
  auditLog: "Prüfprotokoll",
  navigation: "Navigation",
  language: "Sprache",
};
