// Messages of the page editor, in Portuguese (Brazil).

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Título da página",
  description: "Descrição",
  text: "Texto da página",
  preview: "Prévia",
  write: "Escrever",
  pageSettings: "Configurações da página",
  slug: "Parte do endereço",
  emoji: "Emoji",
  icon: "Ícone",
  condition: "Mostrada se",
  conditionHint: 'Uma expressão como visitor.claims.plan == "pro". Vazio: sempre.',
  hidden: "Fora do sumário",
  noIndex: "Fora da busca",
  unsaved: "Ainda não salvo",
  keptHere: "Guardado neste navegador",
  draftFound: "Você escreveu algo aqui que não foi salvo.",
  takeDraft: "Continuar com isso",
  dropDraft: "Descartar",
  staleTitle: "Outra pessoa mudou esta página",
  staleWhy: "O texto dela está à esquerda, o seu à direita. Aproveite o que deve ficar e salve.",
  staleMerged: "Outra pessoa mudou esta página. As duas mudanças foram unidas: confira e salve.",
  theirs: "O que está salvo agora",
  yours: "O que você escreveu",
  saveMerged: "Salvar este texto",
  done: "Concluir",
  insertBlock: "Inserir um bloco",
  uploadFailed: "Não foi possível guardar o arquivo: {why}",
};
