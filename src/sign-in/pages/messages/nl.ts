// The messages of the pages in Dutch.

import type { PageMessages } from "./en";

export const nl: PageMessages = {
  language: "Taal",
  signIn: "Inloggen",
  continueWith: (name) => `Doorgaan met ${name}`,
  or: "of",
  email: "E-mailadres",
  emailHint:
    "We sturen u een link om in te loggen. Heeft uw organisatie eenmalige aanmelding (SSO), dan leidt de e-mail daarheen.",
  emailWrong: "Dit is geen e-mailadres.",
  sendLink: "Stuur mij een link",
  noWay: "Hier kunt u niet met een browser inloggen. Vraag het aan de beheerder van deze server.",
  checkMail: "Kijk in uw e-mail",
  mailSent: (email) =>
    `Als ${email} hier mag inloggen, is er een e-mail onderweg. Die werkt één keer, tien minuten lang, in deze browser.`,
  mailMissing: "Geen e-mail? Kijk bij de ongewenste e-mail, of vraag het opnieuw.",
  code: "Code uit de e-mail",
  codeWrong: "Dit is niet de code uit de laatste e-mail. Kijk nog eens.",
  otherAddress: "Opnieuw vragen, of een ander adres gebruiken",
  aboutToSignIn: (email) => `U gaat inloggen als ${email}.`,
  elsewhere: "Open de link waar u erom vroeg",
  elsewhereWhy:
    "De link werkt alleen in de browser waarin u uw adres hebt ingevuld. Open hem daar, of vul daar de code uit de e-mail in.",
  linkEnded: "Deze link werkt niet meer",
  linkEndedWhy: "Een link werkt één keer, en maar kort. Vraag een nieuwe.",
  askAgain: "Vraag een nieuwe link",
  unknown: "U bent hier niet bekend",
  unknownWhy: "Met dit adres kan hier niemand inloggen. Vraag om een uitnodiging.",
  signedIn: "U bent ingelogd",
  signedInAs: (name, email) => `Als ${name} (${email}).`,
  organizations: "Uw organisaties",
  noOrganizations: "U zit nog in geen organisatie. Vraag om een uitnodiging.",
  goOn: "Doorgaan",
  signOut: "Uitloggen",
  signOutWhy: "Uw sessie in deze browser eindigt.",
  signedOut: "U bent uitgelogd",
  join: (organization) => `Lid worden van ${organization}`,
  invited: (organization) => `U bent uitgenodigd om lid te worden van ${organization}.`,
  invitedAs: (name, email) => `U bent ingelogd als ${name} (${email}).`,
  signInFirst: "Log eerst in. Daarna komt u terug op deze pagina.",
  accept: "Lid worden",
  inviteOver: "Deze uitnodiging is niet bruikbaar",
  inviteOverWhy: "Ze is gebruikt, ingetrokken of verlopen, of heeft nooit bestaan. Vraag om een nieuwe.",
  inviteForOther: "Deze uitnodiging is voor iemand anders",
  inviteForOtherWhy: (email) =>
    `Ze is niet naar ${email} gestuurd. Log uit, en log in met het adres waar ze naartoe is gestuurd.`,
  joined: (organization) => `U bent lid van ${organization}`,
  wrong: "Er ging iets mis",
  crossSite:
    "Dit kwam niet van een pagina van deze server. Open de pagina opnieuw op het adres hieronder en herhaal het.",
  tooMany: "Dit waren te veel pogingen. Wacht even en probeer het opnieuw.",
  notFound: "Hier is niets",
  notFoundWhy: "Dit adres leidt nergens heen. Misschien is het onvolledig.",
  disabled: "Dit account is uitgeschakeld. Vraag het aan een beheerder van uw organisatie.",
  back: "Naar inloggen",
};
