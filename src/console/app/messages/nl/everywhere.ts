// Messages of all pages, in Dutch.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Laden…",
  showMore: "Meer tonen",
  tryAgain: "Opnieuw proberen",
  close: "Sluiten",
  cancel: "Annuleren",
  save: "Opslaan",
  saving: "Opslaan…",
  saved: "Opgeslagen",
  delete: "Verwijderen",
  rename: "Hernoemen",
  create: "Maken",
  more: "Meer",
  skip: "Naar de inhoud",
  search: "Zoeken",
  title: "Titel",
  notFound: "Deze pagina bestaat niet",
  notFoundWhy: "Ze is verplaatst of verwijderd, of u mag haar niet zien.",
  wentWrong: "Er is iets misgegaan",
  connectionLost: "Er is geen verbinding met de server. Wat u hebt geschreven, blijft bewaard.",
  signedOut: "U bent afgemeld",
  signedOutWhy: "Meld u in een nieuw tabblad weer aan en kom dan terug. Niets van wat u hebt geschreven gaat verloren.",
  signInAgain: "Aanmelden",
  goOn: "Verder",
};
