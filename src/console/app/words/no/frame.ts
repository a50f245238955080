// What stands around every page, in Norwegian.

import type { frame as english } from "../en/frame";
import type { Translated } from "../translated";

export const frame: Translated<typeof english> = {
  organizations: "Organisasjoner",
  yourAccount: "Kontoen din",
  signOut: "Logg ut",
  library: "Bibliotek",
  changeRequests: "Endringsforslag",
  sites: "Nettsteder",
  specifications: "API-spesifikasjoner",
  translations: "Oversettelser",
  integrations: "Integrasjoner",
  people: "Personer",
  settings: "Innstillinger",
  auditLog: "Revisjonslogg",
  navigation: "Navigasjon",
  language: "Språk",
};
