// Messages of the page editor, in French.

import type { editor as english } from "../en/editor";
import type { TranslatedMessages } from "../translated-messages";

export const editor: TranslatedMessages<typeof english> = {
  pageTitle: "Titre de la page",
  description: "Description",
  text: "Texte de la page",
  preview: "Aperçu",
  write: "Écrire",
  pageSettings: "Paramètres de la page",
  slug: "Partie de l’adresse",
  emoji: "Emoji",
  icon: "Icône",
  condition: "Affichée si",
  conditionHint: 'Une expression comme visitor.claims.plan == "pro". Vide : toujours.',
  hidden: "Absente de la table des matières",
  noIndex: "Absente de la recherche",
  unsaved: "Pas encore enregistré",
  keptHere: "Conservé dans ce navigateur",
  draftFound: "Vous avez écrit ici quelque chose qui n’a pas été enregistré.",
  takeDraft: "Continuer avec ce texte",
  dropDraft: "Le jeter",
  staleTitle: "Quelqu’un d’autre a modifié cette page",
  staleWhy: "Son texte est à gauche, le vôtre à droite. Reprenez ce qui doit rester, puis enregistrez.",
  staleMerged:
    "Quelqu’un d’autre a modifié cette page. Les deux modifications ont été réunies : vérifiez, puis enregistrez.",
  theirs: "Ce qui est enregistré",
  yours: "Ce que vous avez écrit",
  saveMerged: "Enregistrer ce texte",
  done: "Terminé",
  insertBlock: "Insérer un bloc",
  uploadFailed: "Le fichier n’a pas pu être enregistré : {why}",
};
