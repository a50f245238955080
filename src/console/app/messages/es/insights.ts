// Messages of the site insights, in Spanish.

import type { insights as english } from "../en/insights";
import type { TranslatedMessages } from "../translated-messages";

export const insights: TranslatedMessages<typeof english> = {
  insights: "Estadísticas",
  insightsWhy:
    "Se cuenta por días en UTC, sin nombres de visitantes. Las visitas se cuentan si el servidor está configurado para ello.",
  period: "Periodo",
  lastWeek: "Los últimos 7 días",
  lastMonth: "Los últimos 30 días",
  lastQuarter: "Los últimos 90 días",
  lastYear: "Los últimos 12 meses",
  whatIsCounted: "Qué se cuenta",
  pageViews: "Visitas de páginas",
  searches: "Búsquedas",
  searchResults: "Resultados de búsqueda abiertos",
  feedback: "Opiniones",
  questions: "Preguntas",
  linkClicks: "Clics en enlaces",
  apiTries: "Operaciones de API probadas",
  topPages: "Páginas",
  topSearches: "Qué se buscó",
  topQuestions: "Qué se preguntó",
  referrers: "De dónde llegaron los visitantes",
  devices: "Dispositivos",
  browsers: "Navegadores",
  languagesOfVisitors: "Idiomas",
  ratingGood: "Útil",
  ratingOk: "Útil en parte",
  ratingBad: "No útil",
  nothingCounted: "Aún no se ha contado nada.",
  rare: "Poco frecuentes",
  allOthers: "Todo lo demás",
  goneItem: "Algo que ya no existe",
  plotSays: "{title}: {total} en total. Los números están en la tabla de abajo.",
  asTable: "Como tabla",
  date: "Fecha",
  number: "Número",
};
