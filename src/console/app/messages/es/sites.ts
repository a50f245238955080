// Messages about sites, in Spanish.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Nuevo sitio",
  noSites: "Todavía no hay sitios. Un sitio muestra espacios a los lectores.",
  firstSpace: "Su primer espacio",
  published: "Publicado",
  notPublished: "Sin publicar",
  visibilityPublic: "Todo el mundo",
  visibilityUnlisted: "Todo el mundo, pero los buscadores no lo muestran",
  visibilityShareLink: "Quien tenga un enlace para compartir",
  visibilityVisitors: "Visitantes que inician sesión",
  whoSees: "Quién lo ve",
  openSite: "Abrir el sitio",
  publish: "Publicar",
  unpublish: "Retirar de la red",
  deleteSite: "Eliminar el sitio",
  deleteSiteWhy: "«{title}» deja de estar en su dirección. Sus espacios permanecen.",
  spacesOfSite: "Espacios de este sitio",
  noSpacesOfSite: "Este sitio todavía no tiene ningún espacio.",
  addSpace: "Añadir un espacio",
  isDefault: "se abre primero",
};
