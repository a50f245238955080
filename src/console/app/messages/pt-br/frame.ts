// Messages of the page layout, in Portuguese (Brazil).

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Organizações",
  yourAccount: "Sua conta",
  signOut: "Sair",
  library: "Biblioteca",
  changeRequests: "Solicitações de mudança",
  sites: "Sites",
  specifications: "Especificações de API",
  translations: "Traduções",
  integrations: "Integrações",
  people: "Pessoas",
  settings: "Configurações",
  auditLog: "Registro de auditoria",
  navigation: "Navegação",
  language: "Idioma",
};
