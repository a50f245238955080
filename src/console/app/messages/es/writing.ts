// Messages about writing, comments, the history, the trash and variables, in Spanish.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Otra persona ha cambiado esta página entretanto. Lo que ha escrito sigue intacto.",
  putTogetherNow: "Unir ambos",
  changedJustNow: "Otra persona acaba de cambiar esta página. La ve como está ahora.",
  refusedNow: "Ya no puede cambiar esta página. Lo que ha escrito se conserva en este navegador.",
  goneNow: "Otra persona ha eliminado esta página. Lo que ha escrito se conserva en este navegador.",
  copyText: "Copiar el texto",
  savedLater: "Se guardará en cuanto se pueda contactar con el servidor.",
  commentOn: "Comentar «{block}»",
  commentsOnBlock: { one: "{count} comentario", many: "{count} comentarios", other: "{count} comentarios" },
  historyOf: "Historial de {title}",
  revisionEdits: "Editado",
  revisionMerge: "Solicitud de cambio fusionada",
  revisionUpdate: "Actualizado",
  revisionNow: "Ahora",
  noHistory: "Todavía no se ha cambiado nada.",
  backToThis: "Volver a este estado",
  pageBackWhy:
    "El texto y los campos de la página vuelven a ser lo que eran. Su lugar no cambia. Lo que hay ahora queda en el historial.",
  spaceBack: "Devolver el espacio a este estado",
  spaceBackWhy:
    "Se abre una solicitud de cambio que deshace, página por página, lo que vino después. Revísela y fusiónela. Los archivos y los contenidos reutilizables quedan como están.",
  spaceBackNothing: "No se ha cambiado nada desde entonces.",
  trash: "Papelera",
  trashWhy: "Los espacios eliminados permanecen aquí siete días. Después desaparecen para siempre.",
  trashEmpty: "La papelera está vacía.",
  restore: "Restaurar",
  deletedAt: "Eliminado {when}",
  variables: "Variables",
  variablesWhy: "Valores que las páginas de este espacio muestran por su nombre. Un cambio se ve en todas las páginas.",
  variableName: "Nombre",
  variableValue: "Valor",
  noVariables: "Este espacio aún no tiene variables.",
};
