// Messages of the audit log, in German.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Wer wann was getan hat, und von wo. Es enthält Kennungen und Feldnamen, nie Inhalte.",
  noAuditEvents: "Nichts dergleichen ist geschehen.",
  actor: "Wer",
  anybody: "Irgendwer",
  action: "Was",
  anyAction: "Irgendetwas",
  thing: "Kennung einer Sache",
  fromDay: "Von",
  untilDay: "Bis",
  oldestFirst: "Älteste zuerst",
  downloadLog: "Als JSON-Zeilen herunterladen",
  eventOperation: "Operation",
  eventStatus: "Antwort",
  eventCredential: "Mittels",
  eventAddress: "Adresse",
  eventBrowser: "Programm",
  eventThings: "Betrifft",
  eventMade: "Angelegt",
  eventChanges: "Felder",
  eventTampered: "Diese Zeile wurde im Speicher verändert.",
};
