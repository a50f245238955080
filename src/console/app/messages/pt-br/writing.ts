// Messages about writing, comments, the history, the trash and variables, in Portuguese of Brazil.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Outra pessoa alterou esta página nesse meio-tempo. O que você digitou está intacto.",
  putTogetherNow: "Juntar os dois",
  changedJustNow: "Outra pessoa acabou de alterar esta página. Você a vê como está agora.",
  refusedNow: "Você não pode mais alterar esta página. O que você escreveu foi mantido neste navegador.",
  goneNow: "Outra pessoa excluiu esta página. O que você escreveu foi mantido neste navegador.",
  copyText: "Copiar o texto",
  savedLater: "Será salvo assim que o servidor puder ser alcançado.",
  commentOn: "Comentar “{block}”",
  commentsOnBlock: { one: "{count} comentário", many: "{count} comentários", other: "{count} comentários" },
  historyOf: "Histórico de {title}",
  revisionEdits: "Editado",
  revisionMerge: "Solicitação de mudança mesclada",
  revisionUpdate: "Atualizado",
  revisionNow: "Agora",
  noHistory: "Nada foi alterado ainda.",
  backToThis: "Voltar a este estado",
  pageBackWhy:
    "O texto e os campos da página voltam a ser o que eram. O lugar dela não muda. O que há agora fica no histórico.",
  spaceBack: "Trazer o espaço de volta a este estado",
  spaceBackWhy:
    "É aberta uma solicitação de mudança que desfaz, página por página, o que veio depois. Veja-a e depois mescle. Os arquivos e os conteúdos reutilizáveis ficam como estão.",
  spaceBackNothing: "Nada foi alterado desde então.",
  trash: "Lixeira",
  trashWhy: "Espaços excluídos ficam aqui por sete dias. Depois desaparecem para sempre.",
  trashEmpty: "A lixeira está vazia.",
  restore: "Restaurar",
  deletedAt: "Excluído {when}",
  variables: "Variáveis",
  variablesWhy: "Valores que as páginas deste espaço mostram pelo nome. Uma alteração aparece em todas as páginas.",
  variableName: "Nome",
  variableValue: "Valor",
  noVariables: "Este espaço ainda não tem variáveis.",
};
