// What stands around every page, in French.

import type { frame as english } from "../en/frame";
import type { Translated } from "../translated";

export const frame: Translated<typeof english> = {
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
