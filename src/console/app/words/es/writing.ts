// What happens while somebody writes, comments on blocks, the history, the trash and variables, in Spanish.

import type { writing as english } from "../en/writing";
import type { Translated } from "../translated";

export const writing: Translated<typeof english> = {
  changedByOther: "Otra persona ha cambiado esta página entretanto. Lo que escribiste sigue intacto.",
  putTogetherNow: "Unir ambos",
  changedJustNow: "Otra persona acaba de cambiar esta página. La ves como está ahora.",
  refusedNow: "Ya no puedes cambiar esta página. Lo que escribiste se conserva en este navegador.",
  goneNow: "Otra persona ha eliminado esta página. Lo que escribiste se conserva en este navegador.",
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
    "Se abre una solicitud de cambio que deshace, página por página, lo que vino después. Revísala y fusiónala. Los archivos y los contenidos reutilizables quedan como están.",
  spaceBackNothing: "No se ha cambiado nada desde entonces.",
  trash: "Papelera",
  trashWhy: "Los espacios eliminados permanecen aquí siete días. Después desaparecen para siempre.",
  trashEmpty: "La papelera está vacía.",
  restore: "Restaurar",
  deletedAt: "Eliminado {when}",
  deleteSpace: "Eliminar el espacio",
  deleteSpaceWhy: "El espacio y sus páginas van a la papelera. Se puede restaurar durante siete días.",
  variables: "Variables",
  variablesWhy: "Valores que las páginas de este espacio muestran por su nombre. Un cambio se ve en todas las páginas.",
  variableName: "Nombre",
  variableValue: "Valor",
  noVariables: "Este espacio aún no tiene variables.",
};
