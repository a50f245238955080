// The messages of the pages in German.

import type { PageMessages } from "./en";

export const de: PageMessages = {
  language: "Sprache",
  signIn: "Anmelden",
  continueWith: (name) => `Weiter mit ${name}`,
  or: "oder",
  email: "E-Mail-Adresse",
  emailHint:
    "Wir senden Ihnen einen Link zum Anmelden. Hat Ihre Organisation eine zentrale Anmeldung, führt die E-Mail dorthin.",
  emailWrong: "Das ist keine E-Mail-Adresse.",
  sendLink: "Link senden",
  noWay: "Hier kann man sich nicht mit einem Browser anmelden. Fragen Sie, wer diesen Server betreibt.",
  checkMail: "Sehen Sie in Ihre E-Mails",
  mailSent: (email) =>
    `Wenn ${email} sich hier anmelden darf, ist eine E-Mail unterwegs. Sie gilt einmal, zehn Minuten lang, in diesem Browser.`,
  mailMissing: "Keine E-Mail? Sehen Sie im Spam-Ordner nach, oder versuchen Sie es noch einmal.",
  code: "Code aus der E-Mail",
  codeWrong: "Das ist nicht der Code aus der letzten E-Mail. Sehen Sie noch einmal nach.",
  otherAddress: "Noch einmal senden, oder eine andere Adresse",
  aboutToSignIn: (email) => `Sie melden sich als ${email} an.`,
  elsewhere: "Öffnen Sie den Link dort, wo Sie ihn angefordert haben",
  elsewhereWhy:
    "Der Link gilt nur in dem Browser, in dem Sie Ihre Adresse eingegeben haben. Öffnen Sie ihn dort, oder geben Sie dort den Code aus der E-Mail ein.",
  linkEnded: "Dieser Link gilt nicht mehr",
  linkEndedWhy: "Ein Link gilt einmal und nur kurze Zeit. Fordern Sie einen neuen an.",
  askAgain: "Neuen Link anfordern",
  unknown: "Sie sind hier nicht bekannt",
  unknownWhy: "Mit dieser Adresse kann sich hier niemand anmelden. Bitten Sie um eine Einladung.",
  signedIn: "Sie sind angemeldet",
  signedInAs: (name, email) => `Als ${name} (${email}).`,
  organizations: "Ihre Organisationen",
  noOrganizations: "Sie sind noch in keiner Organisation. Bitten Sie um eine Einladung.",
  goOn: "Weiter",
  signOut: "Abmelden",
  signOutWhy: "Ihre Sitzung in diesem Browser endet.",
  signedOut: "Sie sind abgemeldet",
  join: (organization) => `${organization} beitreten`,
  invited: (organization) => `Sie sind eingeladen, ${organization} beizutreten.`,
  invitedAs: (name, email) => `Sie sind als ${name} (${email}) angemeldet.`,
  signInFirst: "Melden Sie sich zuerst an. Danach kommen Sie auf diese Seite zurück.",
  accept: "Beitreten",
  inviteOver: "Diese Einladung gilt nicht",
  inviteOverWhy: "Sie wurde benutzt oder zurückgezogen, ist abgelaufen, oder es gab sie nie. Bitten Sie um eine neue.",
  inviteForOther: "Diese Einladung ist für jemand anderen",
  inviteForOtherWhy: (email) =>
    `Sie ging nicht an ${email}. Melden Sie sich ab, und melden Sie sich mit der Adresse an, an die sie ging.`,
  joined: (organization) => `Sie sind Mitglied von ${organization}`,
  wrong: "Etwas ist schiefgegangen",
  crossSite:
    "Das kam nicht von einer Seite dieses Servers. Öffnen Sie die Seite unter der Adresse unten noch einmal, und wiederholen Sie es.",
  tooMany: "Das waren zu viele Versuche. Warten Sie eine Weile, und versuchen Sie es dann noch einmal.",
  notFound: "Hier ist nichts",
  notFoundWhy: "Diese Adresse führt nirgendwohin. Vielleicht ist sie unvollständig.",
  disabled: "Dieses Konto ist abgeschaltet. Fragen Sie eine Person, die Ihre Organisation verwaltet.",
  back: "Zur Anmeldung",
};
