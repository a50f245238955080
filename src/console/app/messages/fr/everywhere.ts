// Messages of all pages, in French.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Chargement…",
  showMore: "Afficher plus",
  tryAgain: "Réessayer",
  close: "Fermer",
  cancel: "Annuler",
  save: "Enregistrer",
  saving: "Enregistrement…",
  saved: "Enregistré",
  delete: "Supprimer",
  rename: "Renommer",
  create: "Créer",
  more: "Plus",
  skip: "Aller au contenu",
  search: "Rechercher",
  title: "Titre",
  notFound: "Cette page n’existe pas",
  notFoundWhy: "Elle a été déplacée ou supprimée, ou vous n’avez pas le droit de la voir.",
  wentWrong: "Une erreur s’est produite",
  connectionLost: "Pas de connexion au serveur. Ce que vous avez écrit est conservé.",
  signedOut: "Vous avez été déconnecté",
  signedOutWhy: "Reconnectez-vous dans un nouvel onglet, puis revenez ici. Rien de ce que vous avez écrit n’est perdu.",
  signInAgain: "Se connecter",
  goOn: "Continuer",
};
