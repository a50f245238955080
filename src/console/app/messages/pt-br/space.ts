// Messages about a space and its pages, in Portuguese (Brazil).

import type { space as english } from "../en/space";
import type { TranslatedMessages } from "../translated-messages";

export const space: TranslatedMessages<typeof english> = {
  pages: "Páginas",
  newPage: "Nova página",
  newGroup: "Novo grupo",
  noPages: "Este espaço ainda não tem páginas.",
  firstPage: "Escrever a primeira página",
  edit: "Editar",
  editHere: "Editar diretamente",
  editInChangeRequest: "Editar em uma solicitação de mudança",
  lockedSpace: "Este espaço só muda por solicitações de mudança.",
  moveUp: "Mover para cima",
  moveDown: "Mover para baixo",
  moveIn: "Mover para dentro da página acima",
  moveOut: "Mover para fora",
  deletePage: "Excluir a página",
  deletePageWhy: "“{title}” e as páginas abaixo dela são retiradas do espaço. O histórico as mantém.",
  movedTo: "{title} agora é {place} de {count}.",
  history: "Histórico",
};
