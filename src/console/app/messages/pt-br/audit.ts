// Messages of the audit log, in Brazilian Portuguese.

import type { audit as english } from "../en/audit";
import type { TranslatedMessages } from "../translated-messages";

export const audit: TranslatedMessages<typeof english> = {
  auditWhy: "Quem fez o quê, quando e de onde. Contém identificadores e nomes de campos, nunca conteúdo.",
  noAuditEvents: "Nada assim aconteceu.",
  actor: "Quem",
  anybody: "Qualquer pessoa",
  action: "O quê",
  anyAction: "Qualquer coisa",
  thing: "Identificador de uma coisa",
  fromDay: "De",
  untilDay: "Até",
  oldestFirst: "Mais antigos primeiro",
  downloadLog: "Baixar como linhas de JSON",
  eventOperation: "Operação",
  eventStatus: "Resposta",
  eventCredential: "Por meio de",
  eventAddress: "Endereço",
  eventBrowser: "Programa",
  eventThings: "Sobre",
  eventMade: "Criado",
  eventChanges: "Campos",
  eventTampered: "Esta linha foi alterada no armazenamento.",
};
