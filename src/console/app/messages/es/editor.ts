// Messages of the page editor, in Spanish.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Título de la página",
  description: "Descripción",
  text: "Texto de la página",
  preview: "Vista previa",
  write: "Escribir",
  pageSettings: "Ajustes de la página",
  slug: "Parte de la dirección",
  emoji: "Emoji",
  icon: "Icono",
  condition: "Se muestra si",
  conditionHint: 'Una expresión como visitor.claims.plan == "pro". Vacío: siempre.',
  hidden: "Fuera del índice",
  noIndex: "Fuera de la búsqueda",
  unsaved: "Sin guardar todavía",
  keptHere: "Conservado en este navegador",
  draftFound: "Aquí escribió algo que no se guardó.",
  takeDraft: "Seguir con ello",
  dropDraft: "Descartarlo",
  staleTitle: "Otra persona ha cambiado esta página",
  staleWhy: "Su texto está a la izquierda, el de usted a la derecha. Tome lo que deba quedar y guarde.",
  staleMerged: "Otra persona ha cambiado esta página. Los dos cambios se han unido: revíselo y guarde.",
  theirs: "Lo que está guardado ahora",
  yours: "Lo que usted escribió",
  saveMerged: "Guardar este texto",
  done: "Listo",
  insertBlock: "Insertar un bloque",
  uploadFailed: "No se pudo guardar el archivo: {why}",
};
