// Messages of the audit log, in English.

export const audit = {
  auditWhy: "Who did what, when, and from where. It holds ids and names of fields, never content.",
  noAuditEvents: "Nothing of the kind happened.",
  actor: "Who",
  anybody: "Anybody",
  action: "What",
  anyAction: "Anything",
  thing: "Id of a thing",
  fromDay: "From",
  untilDay: "Until",
  oldestFirst: "Oldest first",
  downloadLog: "Download as lines of JSON",
  eventOperation: "Operation",
  eventStatus: "Answer",
  eventCredential: "By means of",
  eventAddress: "Address",
  eventBrowser: "Program",
  eventThings: "About",
  eventMade: "Made",
  eventChanges: "Fields",
  eventTampered: "This line was changed in the storage.",
} as const;
