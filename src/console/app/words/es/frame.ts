// What stands around every page, in Spanish.

import type { frame as english } from "../en/frame";
import type { Translated } from "../translated";

export const frame: Translated<typeof english> = {
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
