// Messages about sites, in Portuguese (Brazil).

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "Novo site",
  noSites: "Ainda não há sites. Um site mostra espaços aos leitores.",
  firstSpace: "O primeiro espaço dele",
  published: "Publicado",
  notPublished: "Não publicado",
  visibilityPublic: "Todos",
  visibilityUnlisted: "Todos, mas os buscadores não o listam",
  visibilityShareLink: "Quem tem um link de compartilhamento",
  visibilityVisitors: "Visitantes que entram com login",
  whoSees: "Quem vê",
  openSite: "Abrir o site",
  publish: "Publicar",
  unpublish: "Tirar do ar",
  deleteSite: "Excluir o site",
  deleteSiteWhy: "“{title}” deixa de estar em seu endereço. Os espaços permanecem.",
  spacesOfSite: "Espaços deste site",
  noSpacesOfSite: "Este site ainda não tem nenhum espaço.",
  addSpace: "Adicionar um espaço",
  isDefault: "abre primeiro",
};
