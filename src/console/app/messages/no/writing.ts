// Messages about writing, comments, the history, the trash and variables, in Norwegian.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Noen andre har endret denne siden i mellomtiden. Det du skrev, er urørt.",
  putTogetherNow: "Flett begge sammen",
  changedJustNow: "Noen andre har nettopp endret denne siden. Du ser den slik den er nå.",
  refusedNow: "Du kan ikke lenger endre denne siden. Det du skrev, er beholdt i denne nettleseren.",
  goneNow: "Noen andre har slettet denne siden. Det du skrev, er beholdt i denne nettleseren.",
  copyText: "Kopier teksten",
  savedLater: "Det lagres så snart tjeneren kan nås.",
  commentOn: "Kommenter «{block}»",
  commentsOnBlock: { one: "{count} kommentar", other: "{count} kommentarer" },
  historyOf: "Historikk for {title}",
  revisionEdits: "Redigert",
  revisionMerge: "Endringsforslag flettet inn",
  revisionUpdate: "Oppdatert",
  revisionNow: "Nå",
  noHistory: "Ingenting er endret ennå.",
  backToThis: "Tilbake til denne tilstanden",
  pageBackWhy:
    "Teksten og feltene på siden blir det de var. Plassen er den samme. Det som er der nå, blir i historikken.",
  spaceBack: "Bring området tilbake til denne tilstanden",
  spaceBackWhy:
    "Et endringsforslag åpnes som side for side omgjør det som kom senere. Se på det, og flett det så inn. Filer og gjenbrukbart innhold blir som de er.",
  spaceBackNothing: "Ingenting er endret siden.",
  trash: "Papirkurv",
  trashWhy: "Slettede områder blir her i sju dager. Deretter er de borte for godt.",
  trashEmpty: "Papirkurven er tom.",
  restore: "Gjenopprett",
  deletedAt: "Slettet {when}",
  variables: "Variabler",
  variablesWhy: "Verdier som sidene i dette området viser ved navn. En endring vises på alle sider.",
  variableName: "Navn",
  variableValue: "Verdi",
  noVariables: "Dette området har ingen variabler ennå.",
};
