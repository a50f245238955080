// Messages of the site insights, in Brazilian Portuguese.

import type { insights as english } from "../en/insights";
import type { TranslatedMessages } from "../translated-messages";

export const insights: TranslatedMessages<typeof english> = {
  insights: "Estatísticas",
  insightsWhy:
    "Conta-se por dia em UTC, sem nomes de visitantes. As visualizações são contadas se o servidor estiver configurado para isso.",
  period: "Período",
  lastWeek: "Os últimos 7 dias",
  lastMonth: "Os últimos 30 dias",
  lastQuarter: "Os últimos 90 dias",
  lastYear: "Os últimos 12 meses",
  whatIsCounted: "O que é contado",
  pageViews: "Visualizações de páginas",
  searches: "Buscas",
  searchResults: "Resultados de busca abertos",
  feedback: "Avaliações",
  questions: "Perguntas",
  linkClicks: "Cliques em links",
  apiTries: "Operações de API testadas",
  topPages: "Páginas",
  topSearches: "O que foi buscado",
  topQuestions: "O que foi perguntado",
  referrers: "De onde vieram os visitantes",
  devices: "Dispositivos",
  browsers: "Navegadores",
  languagesOfVisitors: "Idiomas",
  ratingGood: "Útil",
  ratingOk: "Útil em parte",
  ratingBad: "Não útil",
  nothingCounted: "Nada foi contado ainda.",
  rare: "Raros",
  allOthers: "Todo o resto",
  goneItem: "Algo que não existe mais",
  plotSays: "{title}: {total} no total. Os números estão na tabela abaixo.",
  asTable: "Como tabela",
  date: "Data",
  number: "Número",
};
