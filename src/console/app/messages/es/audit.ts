// Messages of the audit log, in Spanish.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Quién hizo qué, cuándo y desde dónde. Contiene identificadores y nombres de campos, nunca contenido.",
  noAuditEvents: "No ocurrió nada así.",
  actor: "Quién",
  anybody: "Cualquiera",
  action: "Qué",
  anyAction: "Cualquier cosa",
  thing: "Identificador de una cosa",
  fromDay: "Desde",
  untilDay: "Hasta",
  oldestFirst: "Los más antiguos primero",
  downloadLog: "Descargar como líneas de JSON",
  eventOperation: "Operación",
  eventStatus: "Respuesta",
  eventCredential: "Por medio de",
  eventAddress: "Dirección",
  eventBrowser: "Programa",
  eventThings: "Acerca de",
  eventMade: "Creado",
  eventChanges: "Campos",
  eventTampered: "Esta línea fue alterada en el almacenamiento.",
};
