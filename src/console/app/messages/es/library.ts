// Messages of the library, in Spanish.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "Nuevo espacio",
  newCollection: "Nueva colección",
  noSpaces: "Aquí todavía no hay nada. Un espacio contiene las páginas de un libro.",
  spaces: "Espacios",
  collections: "Colecciones",
  changed: "Cambiado {when}",
  openRequests: { one: "{count} solicitud de cambio abierta", other: "{count} solicitudes de cambio abiertas" },
};
