// Messages of all pages, in Portuguese (Brazil).

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Carregando…",
  showMore: "Mostrar mais",
  tryAgain: "Tentar de novo",
  close: "Fechar",
  cancel: "Cancelar",
  save: "Salvar",
  saving: "Salvando…",
  saved: "Salvo",
  delete: "Excluir",
  rename: "Renomear",
  create: "Criar",
  more: "Mais",
  skip: "Ir para o conteúdo",
  search: "Buscar",
  title: "Título",
  notFound: "Esta página não existe",
  notFoundWhy: "Ela foi movida ou excluída, ou você não pode vê-la.",
  wentWrong: "Algo deu errado",
  connectionLost: "Não há conexão com o servidor. O que você escreveu está guardado.",
  signedOut: "Sua sessão terminou",
  signedOutWhy: "Entre de novo em outra aba e volte para cá. Nada do que você escreveu se perde.",
  signInAgain: "Entrar",
  goOn: "Continuar",
};
