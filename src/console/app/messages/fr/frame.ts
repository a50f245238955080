// Messages of the page layout, in French.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Organisations",
  yourAccount: "Votre compte",
  signOut: "Se déconnecter",
  library: "Bibliothèque",
  changeRequests: "Demandes de modification",
  sites: "Sites",
  specifications: "Spécifications d’API",
  translations: "Traductions",
  integrations: "Intégrations",
  people: "Personnes",
  settings: "Paramètres",
  auditLog: "Journal d’audit",
  navigation: "Navigation",
  language: "Langue",
};
