// Messages of the site insights, in Dutch.

import type { insights as english } from "../en/insights";
import type { TranslatedMessages } from "../translated-messages";

export const insights: TranslatedMessages<typeof english> = {
  insights: "Inzichten",
  insightsWhy:
    "Er wordt per dag in UTC geteld, zonder namen van bezoekers. Weergaven worden geteld als de server daarvoor is ingesteld.",
  period: "Periode",
  lastWeek: "De laatste 7 dagen",
  lastMonth: "De laatste 30 dagen",
  lastQuarter: "De laatste 90 dagen",
  lastYear: "De laatste 12 maanden",
  whatIsCounted: "Wat wordt geteld",
  pageViews: "Paginaweergaven",
  searches: "Zoekopdrachten",
  searchResults: "Geopende zoekresultaten",
  feedback: "Feedback",
  questions: "Vragen",
  linkClicks: "Klikken op links",
  apiTries: "Geprobeerde API-operaties",
  topPages: "Pagina’s",
  topSearches: "Waarnaar is gezocht",
  topQuestions: "Wat is gevraagd",
  referrers: "Waar bezoekers vandaan kwamen",
  devices: "Apparaten",
  browsers: "Browsers",
  languagesOfVisitors: "Talen",
  ratingGood: "Nuttig",
  ratingOk: "Deels nuttig",
  ratingBad: "Niet nuttig",
  nothingCounted: "Er is nog niets geteld.",
  rare: "Zeldzaam",
  allOthers: "Al het andere",
  goneItem: "Iets dat er niet meer is",
  plotSays: "{title}: {total} in totaal. De getallen staan in de tabel eronder.",
  asTable: "Als tabel",
  date: "Datum",
  number: "Aantal",
};
