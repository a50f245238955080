// Messages of the site insights, in French.

import type { insights as english } from "../en/insights";
import type { TranslatedMessages } from "../translated-messages";

export const insights: TranslatedMessages<typeof english> = {
  insights: "Statistiques",
  insightsWhy:
    "Les nombres sont comptés par jour en UTC, sans noms de visiteurs. Les vues sont comptées si le serveur est réglé pour cela.",
  period: "Période",
  lastWeek: "Les 7 derniers jours",
  lastMonth: "Les 30 derniers jours",
  lastQuarter: "Les 90 derniers jours",
  lastYear: "Les 12 derniers mois",
  whatIsCounted: "Ce qui est compté",
  pageViews: "Vues de pages",
  searches: "Recherches",
  searchResults: "Résultats de recherche ouverts",
  feedback: "Avis",
  questions: "Questions",
  linkClicks: "Clics sur des liens",
  apiTries: "Opérations d’API essayées",
  topPages: "Pages",
  topSearches: "Ce qui a été cherché",
  topQuestions: "Ce qui a été demandé",
  referrers: "D’où viennent les visiteurs",
  devices: "Appareils",
  browsers: "Navigateurs",
  languagesOfVisitors: "Langues",
  ratingGood: "Utile",
  ratingOk: "Utile en partie",
  ratingBad: "Pas utile",
  nothingCounted: "Rien n’a encore été compté.",
  rare: "Rares",
  allOthers: "Tout le reste",
  goneItem: "Quelque chose qui n’existe plus",
  plotSays: "{title} : {total} en tout. Les nombres sont dans le tableau ci-dessous.",
  asTable: "En tableau",
  date: "Date",
  number: "Nombre",
};
