// Messages of the page layout, in Norwegian.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
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
