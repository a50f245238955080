// Messages about writing, comments, the history, the trash and variables, in German.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Jemand anderes hat diese Seite inzwischen geändert. Was Sie getippt haben, ist unberührt.",
  putTogetherNow: "Beides zusammenführen",
  changedJustNow: "Jemand anderes hat diese Seite gerade geändert. Sie sehen sie, wie sie jetzt ist.",
  refusedNow: "Sie dürfen diese Seite nicht mehr ändern. Was Sie geschrieben haben, bleibt in diesem Browser.",
  goneNow: "Jemand anderes hat diese Seite gelöscht. Was Sie geschrieben haben, bleibt in diesem Browser.",
  copyText: "Text kopieren",
  savedLater: "Gespeichert wird, sobald der Server wieder erreichbar ist.",
  commentOn: "„{block}“ kommentieren",
  commentsOnBlock: { one: "{count} Kommentar", other: "{count} Kommentare" },
  historyOf: "Verlauf von {title}",
  revisionEdits: "Bearbeitet",
  revisionMerge: "Änderungsvorschlag übernommen",
  revisionUpdate: "Aktualisiert",
  revisionNow: "Jetzt",
  noHistory: "Es wurde noch nichts geändert.",
  backToThis: "Zurück zu diesem Stand",
  pageBackWhy:
    "Text und Felder der Seite werden wieder, was sie waren. Ihr Platz bleibt. Was jetzt da ist, bleibt im Verlauf.",
  spaceBack: "Den Bereich auf diesen Stand zurückbringen",
  spaceBackWhy:
    "Ein Änderungsvorschlag wird geöffnet, der Seite für Seite zurücknimmt, was später kam. Sehen Sie ihn an und übernehmen Sie ihn dann. Dateien und wiederverwendbare Inhalte bleiben, wie sie sind.",
  spaceBackNothing: "Seitdem wurde nichts geändert.",
  trash: "Papierkorb",
  trashWhy: "Gelöschte Bereiche bleiben sieben Tage hier. Dann sind sie endgültig weg.",
  trashEmpty: "Der Papierkorb ist leer.",
  restore: "Wiederherstellen",
  deletedAt: "Gelöscht {when}",
  variables: "Variablen",
  variablesWhy: "Werte, die Seiten dieses Bereichs unter ihrem Namen zeigen. Eine Änderung erscheint auf jeder Seite.",
  variableName: "Name",
  variableValue: "Wert",
  noVariables: "Dieser Bereich hat noch keine Variablen.",
};
