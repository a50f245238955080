// The messages of the pages in French.

import type { PageMessages } from "./en";

export const fr: PageMessages = {
  language: "Langue",
  signIn: "Se connecter",
  continueWith: (name) => `Continuer avec ${name}`,
  or: "ou",
  email: "Adresse e-mail",
  emailHint:
    "Nous vous envoyons un lien de connexion. Si votre organisation utilise l’authentification unique, l’e-mail vous y conduit.",
  emailWrong: "Ce n’est pas une adresse e-mail.",
  sendLink: "Envoyer un lien",
  noWay: "On ne peut pas se connecter ici avec un navigateur. Adressez-vous à la personne qui gère ce serveur.",
  checkMail: "Consultez vos e-mails",
  mailSent: (email) =>
    `Si ${email} peut se connecter ici, un e-mail est en route. Il fonctionne une seule fois, pendant dix minutes, dans ce navigateur.`,
  mailMissing: "Pas d’e-mail ? Regardez dans les indésirables, ou recommencez.",
  code: "Code reçu par e-mail",
  codeWrong: "Ce n’est pas le code du dernier e-mail. Vérifiez.",
  otherAddress: "Recommencer, ou utiliser une autre adresse",
  aboutToSignIn: (email) => `Vous allez vous connecter en tant que ${email}.`,
  elsewhere: "Ouvrez le lien là où vous l’avez demandé",
  elsewhereWhy:
    "Le lien ne fonctionne que dans le navigateur où vous avez saisi votre adresse. Ouvrez-le là-bas, ou saisissez-y le code de l’e-mail.",
  linkEnded: "Ce lien ne fonctionne plus",
  linkEndedWhy: "Un lien fonctionne une seule fois, et peu de temps. Demandez-en un nouveau.",
  askAgain: "Demander un nouveau lien",
  unknown: "Vous n’êtes pas connu ici",
  unknownWhy: "Personne avec cette adresse ne peut se connecter ici. Demandez une invitation.",
  signedIn: "Vous êtes connecté",
  signedInAs: (name, email) => `En tant que ${name} (${email}).`,
  organizations: "Vos organisations",
  noOrganizations: "Vous n’êtes encore dans aucune organisation. Demandez une invitation.",
  goOn: "Continuer",
  signOut: "Se déconnecter",
  signOutWhy: "Votre session dans ce navigateur prend fin.",
  signedOut: "Vous êtes déconnecté",
  join: (organization) => `Rejoindre ${organization}`,
  invited: (organization) => `Vous êtes invité à rejoindre ${organization}.`,
  invitedAs: (name, email) => `Vous êtes connecté en tant que ${name} (${email}).`,
  signInFirst: "Connectez-vous d’abord. Vous reviendrez ensuite sur cette page.",
  accept: "Rejoindre",
  inviteOver: "Cette invitation n’est pas utilisable",
  inviteOverWhy: "Elle a été utilisée ou retirée, elle a expiré, ou n’a jamais existé. Demandez-en une nouvelle.",
  inviteForOther: "Cette invitation est pour quelqu’un d’autre",
  inviteForOtherWhy: (email) =>
    `Elle n’a pas été envoyée à ${email}. Déconnectez-vous, puis connectez-vous avec l’adresse qui l’a reçue.`,
  joined: (organization) => `Vous êtes membre de ${organization}`,
  wrong: "Un problème est survenu",
  crossSite:
    "Cette demande ne vient pas d’une page de ce serveur. Rouvrez la page à l’adresse ci-dessous et recommencez.",
  tooMany: "Trop de tentatives. Attendez un moment, puis réessayez.",
  notFound: "Il n’y a rien ici",
  notFoundWhy: "Cette adresse ne mène nulle part. Elle est peut-être incomplète.",
  disabled: "Ce compte est désactivé. Adressez-vous à un administrateur de votre organisation.",
  back: "Vers la connexion",
};
