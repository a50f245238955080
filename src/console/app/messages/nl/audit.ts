// Messages of the audit log, in Dutch.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Wie wat deed, wanneer en vanwaar. Het bevat kenmerken en namen van velden, nooit inhoud.",
  noAuditEvents: "Zoiets is niet gebeurd.",
  actor: "Wie",
  anybody: "Iedereen",
  action: "Wat",
  anyAction: "Alles",
  thing: "Kenmerk van een ding",
  fromDay: "Van",
  untilDay: "Tot en met",
  oldestFirst: "Oudste eerst",
  downloadLog: "Downloaden als JSON-regels",
  eventOperation: "Bewerking",
  eventStatus: "Antwoord",
  eventCredential: "Door middel van",
  eventAddress: "Adres",
  eventBrowser: "Programma",
  eventThings: "Over",
  eventMade: "Gemaakt",
  eventChanges: "Velden",
  eventTampered: "Deze regel is in de opslag veranderd.",
};
