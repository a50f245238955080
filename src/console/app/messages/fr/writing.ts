// Messages about writing, comments, the history, the trash and variables, in French.

import type { writing as english } from "../en/writing";
import type { TranslatedMessages } from "../translated-messages";

export const writing: TranslatedMessages<typeof english> = {
  changedByOther: "Quelqu’un d’autre a modifié cette page entre-temps. Ce que vous avez saisi est intact.",
  putTogetherNow: "Réunir les deux",
  changedJustNow: "Quelqu’un d’autre vient de modifier cette page. Vous la voyez telle qu’elle est maintenant.",
  refusedNow: "Vous ne pouvez plus modifier cette page. Ce que vous avez écrit est conservé dans ce navigateur.",
  goneNow: "Quelqu’un d’autre a supprimé cette page. Ce que vous avez écrit est conservé dans ce navigateur.",
  copyText: "Copier le texte",
  savedLater: "L’enregistrement se fera dès que le serveur sera joignable.",
  commentOn: "Commenter « {block} »",
  commentsOnBlock: { one: "{count} commentaire", many: "{count} commentaires", other: "{count} commentaires" },
  historyOf: "Historique de {title}",
  revisionEdits: "Modifié",
  revisionMerge: "Demande de modification fusionnée",
  revisionUpdate: "Mis à jour",
  revisionNow: "Maintenant",
  noHistory: "Rien n’a encore été modifié.",
  backToThis: "Revenir à cet état",
  pageBackWhy:
    "Le texte et les champs de la page redeviennent ce qu’ils étaient. Sa place ne change pas. Ce qui est là maintenant reste dans l’historique.",
  spaceBack: "Ramener l’espace à cet état",
  spaceBackWhy:
    "Une demande de modification est ouverte, qui annule page par page ce qui est venu ensuite. Regardez-la, puis fusionnez-la. Les fichiers et les contenus réutilisables restent tels quels.",
  spaceBackNothing: "Rien n’a été modifié depuis.",
  trash: "Corbeille",
  trashWhy: "Les espaces supprimés restent ici sept jours. Ensuite, ils disparaissent définitivement.",
  trashEmpty: "La corbeille est vide.",
  restore: "Restaurer",
  deletedAt: "Supprimé {when}",
  variables: "Variables",
  variablesWhy: "Valeurs que les pages de cet espace affichent par leur nom. Un changement apparaît sur chaque page.",
  variableName: "Nom",
  variableValue: "Valeur",
  noVariables: "Cet espace n’a pas encore de variables.",
};
