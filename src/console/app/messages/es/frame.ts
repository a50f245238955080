// Messages of the page layout, in Spanish.

import type { frame as english } from "../en/frame";
import type { TranslatedMessages } from "../translated-messages";

export const frame: TranslatedMessages<typeof english> = {
  organizations: "Organizaciones",
  yourAccount: "Su cuenta",
  signOut: "Cerrar sesión",
  library: "Biblioteca",
  changeRequests: "Solicitudes de cambio",
  sites: "Sitios",
  specifications: "Especificaciones de API",
  translations: "Traducciones",
  integrations: "Integraciones",
  people: "Personas",
  settings: "Ajustes",
  auditLog: "Registro de auditoría",
  navigation: "Navegación",
  language: "Idioma",
};
