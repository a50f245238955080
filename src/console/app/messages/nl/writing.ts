// Messages about writing, comments, the history, the trash and variables, in Dutch.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Iemand anders heeft deze pagina intussen gewijzigd. Wat u hebt getypt, is onaangeroerd.",
  putTogetherNow: "Beide samenvoegen",
  changedJustNow: "Iemand anders heeft deze pagina zojuist gewijzigd. U ziet haar zoals ze nu is.",
  refusedNow: "U mag deze pagina niet meer wijzigen. Wat u schreef, blijft in deze browser bewaard.",
  goneNow: "Iemand anders heeft deze pagina verwijderd. Wat u schreef, blijft in deze browser bewaard.",
  copyText: "Tekst kopiëren",
  savedLater: "Het wordt opgeslagen zodra de server bereikbaar is.",
  commentOn: "Reageren op ‘{block}’",
  commentsOnBlock: { one: "{count} opmerking", other: "{count} opmerkingen" },
  historyOf: "Geschiedenis van {title}",
  revisionEdits: "Bewerkt",
  revisionMerge: "Wijzigingsverzoek samengevoegd",
  revisionUpdate: "Bijgewerkt",
  revisionNow: "Nu",
  noHistory: "Er is nog niets gewijzigd.",
  backToThis: "Terug naar deze toestand",
  pageBackWhy:
    "De tekst en de velden van de pagina worden weer wat ze waren. Haar plaats blijft. Wat er nu staat, blijft in de geschiedenis.",
  spaceBack: "De ruimte terugbrengen naar deze toestand",
  spaceBackWhy:
    "Er wordt een wijzigingsverzoek geopend dat pagina voor pagina ongedaan maakt wat later kwam. Bekijk het en voeg het dan samen. Bestanden en herbruikbare inhoud blijven zoals ze zijn.",
  spaceBackNothing: "Sindsdien is niets gewijzigd.",
  trash: "Prullenbak",
  trashWhy: "Verwijderde ruimten blijven hier zeven dagen. Daarna zijn ze voorgoed weg.",
  trashEmpty: "De prullenbak is leeg.",
  restore: "Terugzetten",
  deletedAt: "Verwijderd {when}",
  variables: "Variabelen",
  variablesWhy: "Waarden die pagina's van deze ruimte onder hun naam tonen. Een wijziging verschijnt op elke pagina.",
  variableName: "Naam",
  variableValue: "Waarde",
  noVariables: "Deze ruimte heeft nog geen variabelen.",
};
