// Messages of the audit log, in Norwegian.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Hvem som gjorde hva, når og hvorfra. Den inneholder id-er og feltnavn, aldri innhold.",
  noAuditEvents: "Ingenting slikt har skjedd.",
  actor: "Hvem",
  anybody: "Hvem som helst",
  action: "Hva",
  anyAction: "Hva som helst",
  thing: "Id-en til en ting",
  fromDay: "Fra",
  untilDay: "Til",
  oldestFirst: "Eldste først",
  downloadLog: "Last ned som JSON-linjer",
  eventOperation: "Operasjon",
  eventStatus: "Svar",
  eventCredential: "Ved hjelp av",
  eventAddress: "Adresse",
  eventBrowser: "Program",
  eventThings: "Om",
  eventMade: "Laget",
  eventChanges: "Felter",
  eventTampered: "Denne linjen er endret i lageret.",
};
