// Messages of the site insights, in German.

import type { insights as english } from "../en/insights";
import type { TranslatedMessages } from "../translated-messages";

export const insights: TranslatedMessages<typeof english> = {
  insights: "Einblicke",
  insightsWhy:
    "Gezählt wird nach Tagen in UTC, ohne Namen von Besuchern. Aufrufe werden gezählt, wenn der Server dafür eingerichtet ist.",
  period: "Zeitraum",
  lastWeek: "Die letzten 7 Tage",
  lastMonth: "Die letzten 30 Tage",
  lastQuarter: "Die letzten 90 Tage",
  lastYear: "Die letzten 12 Monate",
  whatIsCounted: "Was gezählt wird",
  pageViews: "Seitenaufrufe",
  searches: "Suchen",
  searchResults: "Geöffnete Suchergebnisse",
  feedback: "Rückmeldungen",
  questions: "Fragen",
  linkClicks: "Klicks auf Links",
  apiTries: "Ausprobierte API-Operationen",
  topPages: "Seiten",
  topSearches: "Wonach gesucht wurde",
  topQuestions: "Was gefragt wurde",
  referrers: "Woher Besucher kamen",
  devices: "Geräte",
  browsers: "Browser",
  languagesOfVisitors: "Sprachen",
  ratingGood: "Hilfreich",
  ratingOk: "Teilweise hilfreich",
  ratingBad: "Nicht hilfreich",
  nothingCounted: "Es wurde noch nichts gezählt.",
  rare: "Seltenes",
  allOthers: "Alles andere",
  goneItem: "Etwas, das es nicht mehr gibt",
  plotSays: "{title}: {total} insgesamt. Die Zahlen stehen in der Tabelle darunter.",
  asTable: "Als Tabelle",
  date: "Datum",
  number: "Anzahl",
};
