// Messages of the page editor, in German.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Titel der Seite",
  description: "Beschreibung",
  text: "Text der Seite",
  preview: "Vorschau",
  write: "Schreiben",
  pageSettings: "Einstellungen der Seite",
  slug: "Teil der Adresse",
  emoji: "Emoji",
  icon: "Symbol",
  condition: "Gezeigt, wenn",
  conditionHint: 'Ein Ausdruck wie visitor.claims.plan == "pro". Leer: immer.',
  hidden: "Nicht im Inhaltsverzeichnis",
  noIndex: "Nicht in der Suche",
  unsaved: "Noch nicht gespeichert",
  keptHere: "In diesem Browser aufbewahrt",
  draftFound: "Sie haben hier etwas geschrieben, das nicht gespeichert wurde.",
  takeDraft: "Damit weitermachen",
  dropDraft: "Verwerfen",
  staleTitle: "Jemand anderes hat diese Seite geändert",
  staleWhy: "Links steht der Text der anderen, rechts Ihrer. Übernehmen Sie, was bleiben soll, und speichern Sie dann.",
  staleMerged:
    "Jemand anderes hat diese Seite geändert. Beide Änderungen wurden zusammengeführt: Sehen Sie nach, und speichern Sie dann.",
  theirs: "Was jetzt gespeichert ist",
  yours: "Was Sie geschrieben haben",
  saveMerged: "Diesen Text speichern",
  done: "Fertig",
  insertBlock: "Block einfügen",
  uploadFailed: "Die Datei konnte nicht gespeichert werden: {why}",
};
