// Messages of the page editor, in Dutch.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Titel van de pagina",
  description: "Beschrijving",
  text: "Tekst van de pagina",
  preview: "Voorbeeld",
  write: "Schrijven",
  pageSettings: "Instellingen van de pagina",
  slug: "Deel van het adres",
  emoji: "Emoji",
  icon: "Pictogram",
  condition: "Getoond als",
  conditionHint: 'Een uitdrukking zoals visitor.claims.plan == "pro". Leeg: altijd.',
  hidden: "Niet in de inhoudsopgave",
  noIndex: "Niet in de zoekresultaten",
  unsaved: "Nog niet opgeslagen",
  keptHere: "Bewaard in deze browser",
  draftFound: "U hebt hier iets geschreven dat niet is opgeslagen.",
  takeDraft: "Ermee verdergaan",
  dropDraft: "Weggooien",
  staleTitle: "Iemand anders heeft deze pagina gewijzigd",
  staleWhy: "Links staat de tekst van de ander, rechts die van u. Neem over wat moet blijven en sla dan op.",
  staleMerged:
    "Iemand anders heeft deze pagina gewijzigd. Beide wijzigingen zijn samengevoegd: kijk het na en sla dan op.",
  theirs: "Wat nu is opgeslagen",
  yours: "Wat u hebt geschreven",
  saveMerged: "Deze tekst opslaan",
  done: "Klaar",
  insertBlock: "Blok invoegen",
  uploadFailed: "Het bestand kon niet worden opgeslagen: {why}",
};
