// Messages of all pages, in Norwegian.

import type { everywhere as english } from "../en/everywhere";
import type { TranslatedMessages } from "../translated-messages";

export const everywhere: TranslatedMessages<typeof english> = {
  loading: "Laster …",
  showMore: "Vis mer",
  tryAgain: "Prøv igjen",
  close: "Lukk",
  cancel: "Avbryt",
  save: "Lagre",
  saving: "Lagrer …",
  saved: "Lagret",
  delete: "Slett",
  rename: "Gi nytt navn",
  create: "Opprett",
  more: "Mer",
  skip: "Hopp til innholdet",
  search: "Søk",
  title: "Tittel",
  notFound: "Denne siden finnes ikke",
  notFoundWhy: "Den er flyttet eller slettet, eller du har ikke lov til å se den.",
  wentWrong: "Noe gikk galt",
  connectionLost: "Det er ingen forbindelse til serveren. Det du har skrevet, er tatt vare på.",
  signedOut: "Du er logget ut",
  signedOutWhy: "Logg inn igjen i en ny fane, og kom så tilbake. Ingenting av det du har skrevet, går tapt.",
  signInAgain: "Logg inn",
  goOn: "Fortsett",
};
