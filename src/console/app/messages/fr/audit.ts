// Messages of the audit log, in French.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Qui a fait quoi, quand et d’où. On y trouve des identifiants et des noms de champs, jamais de contenu.",
  noAuditEvents: "Rien de tel ne s’est passé.",
  actor: "Qui",
  anybody: "N’importe qui",
  action: "Quoi",
  anyAction: "N’importe quoi",
  thing: "Identifiant d’une chose",
  fromDay: "Du",
  untilDay: "Au",
  oldestFirst: "Les plus anciens d’abord",
  downloadLog: "Télécharger en lignes JSON",
  eventOperation: "Opération",
  eventStatus: "Réponse",
  eventCredential: "Au moyen de",
  eventAddress: "Adresse",
  eventBrowser: "Programme",
  eventThings: "Au sujet de",
  eventMade: "Créé",
  eventChanges: "Champs",
  eventTampered: "Cette ligne a été modifiée dans le stockage.",
};
