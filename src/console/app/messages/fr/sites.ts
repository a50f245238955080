// Messages about sites, in French.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Nouveau site",
  noSites: "Il n’y a pas encore de site. Un site montre des espaces aux lecteurs.",
  firstSpace: "Son premier espace",
  published: "Publié",
  notPublished: "Non publié",
  visibilityPublic: "Tout le monde",
  visibilityUnlisted: "Tout le monde, mais les moteurs de recherche ne le listent pas",
  visibilityShareLink: "Qui possède un lien de partage",
  visibilityVisitors: "Les visiteurs qui se connectent",
  whoSees: "Qui le voit",
  openSite: "Ouvrir le site",
  publish: "Publier",
  unpublish: "Mettre hors ligne",
  deleteSite: "Supprimer le site",
  deleteSiteWhy: "« {title} » n’est plus à son adresse. Ses espaces restent.",
  spacesOfSite: "Espaces de ce site",
  noSpacesOfSite: "Ce site n’a encore aucun espace.",
  addSpace: "Ajouter un espace",
  isDefault: "s’ouvre en premier",
};
