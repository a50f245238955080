// Messages about a space and its pages, in Spanish.

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Páginas",
  newPage: "Nueva página",
  newGroup: "Nuevo grupo",
  noPages: "Este espacio todavía no tiene páginas.",
  firstPage: "Escribir la primera página",
  edit: "Editar",
  editHere: "Editar directamente",
  editInChangeRequest: "Editar en una solicitud de cambio",
  lockedSpace: "Este espacio solo se cambia con solicitudes de cambio.",
  moveUp: "Subir",
  moveDown: "Bajar",
  moveIn: "Meter en la página anterior",
  moveOut: "Sacar un nivel",
  deletePage: "Eliminar la página",
  deletePageWhy: "«{title}» y las páginas que hay debajo se quitan del espacio. El historial las conserva.",
  movedTo: "{title} está ahora en la posición {place} de {count}.",
  history: "Historial",
};
