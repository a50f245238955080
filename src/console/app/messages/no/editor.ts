// Messages of the page editor, in Norwegian.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Sidens tittel",
  description: "Beskrivelse",
  text: "Sidens tekst",
  preview: "Forhåndsvisning",
  write: "Skriv",
  pageSettings: "Sidens innstillinger",
  slug: "Del av adressen",
  emoji: "Emoji",
  icon: "Ikon",
  condition: "Vises hvis",
  conditionHint: 'Et uttrykk som visitor.claims.plan == "pro". Tomt: alltid.',
  hidden: "Ikke i innholdsfortegnelsen",
  noIndex: "Ikke i søket",
  unsaved: "Ikke lagret ennå",
  keptHere: "Tatt vare på i denne nettleseren",
  draftFound: "Du skrev noe her som ikke ble lagret.",
  takeDraft: "Fortsett med det",
  dropDraft: "Forkast det",
  staleTitle: "Noen andre har endret denne siden",
  staleWhy: "Teksten deres står til venstre, din til høyre. Ta med det som skal bli stående, og lagre.",
  staleMerged: "Noen andre har endret denne siden. Begge endringene er slått sammen: se over, og lagre.",
  theirs: "Det som er lagret nå",
  yours: "Det du skrev",
  saveMerged: "Lagre denne teksten",
  done: "Ferdig",
  insertBlock: "Sett inn en blokk",
  uploadFailed: "Filen kunne ikke lagres: {why}",
};
