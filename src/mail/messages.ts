// The messages of mails, in every language.

import type { MessageCatalog } from "../locales/languages";

export interface MailMessages {
  readonly signIn: (host: string) => string;
  readonly openLink: string;
  readonly typeCode: string;
  readonly once: string;
  readonly singleSignOn: (organization: string) => string;
  readonly notYou: string;
  readonly invited: (organization: string) => string;
  readonly invitedBy: (name: string, organization: string) => string;
  readonly accept: string;
  readonly until: (date: string) => string;
  readonly notExpected: string;
}

export const mailMessages: MessageCatalog<MailMessages> = {
  en: {
    signIn: (host) => `Sign in to ${host}`,
    openLink: "Open this link in the browser in which you asked for it:",
    typeCode: "Or type this code there:",
    once: "Both work once, for ten minutes. Never tell the code to anybody.",
    singleSignOn: (organization) => `For ${organization}, use its single sign-on:`,
    notYou: "If you did not ask for this, you need not do anything.",
    invited: (organization) => `You are invited to ${organization}`,
    invitedBy: (name, organization) => `${name} invites you to join ${organization}.`,
    accept: "Open this link to join:",
    until: (date) => `It works until ${date}, with this e-mail address only.`,
    notExpected: "If you do not know what this is about, you need not do anything.",
  },
  fr: {
    signIn: (host) => `Connexion à ${host}`,
    openLink: "Ouvrez ce lien dans le navigateur où vous l’avez demandé :",
    typeCode: "Ou saisissez-y ce code :",
    once: "Les deux fonctionnent une seule fois, pendant dix minutes. Ne donnez le code à personne.",
    singleSignOn: (organization) => `Pour ${organization}, utilisez son authentification unique :`,
    notYou: "Si vous n’avez rien demandé, vous n’avez rien à faire.",
    invited: (organization) => `Invitation à rejoindre ${organization}`,
    invitedBy: (name, organization) => `${name} vous invite à rejoindre ${organization}.`,
    accept: "Ouvrez ce lien pour accepter :",
    until: (date) => `Il fonctionne jusqu’au ${date}, uniquement avec cette adresse e-mail.`,
    notExpected: "Si vous ne savez pas de quoi il s’agit, vous n’avez rien à faire.",
  },
  es: {
    signIn: (host) => `Iniciar sesión en ${host}`,
    openLink: "Abra este enlace en el navegador en el que lo pidió:",
    typeCode: "O escriba allí este código:",
    once: "Ambos sirven una sola vez, durante diez minutos. No dé el código a nadie.",
    singleSignOn: (organization) => `Para ${organization}, use su inicio de sesión único:`,
    notYou: "Si no lo ha pedido, no tiene que hacer nada.",
    invited: (organization) => `Invitación a ${organization}`,
    invitedBy: (name, organization) => `${name} le invita a unirse a ${organization}.`,
    accept: "Abra este enlace para unirse:",
    until: (date) => `Sirve hasta el ${date}, solo con esta dirección de correo.`,
    notExpected: "Si no sabe de qué se trata, no tiene que hacer nada.",
  },
  zh: {
    signIn: (host) => `登录 ${host}`,
    openLink: "请在您请求链接的浏览器中打开此链接：",
    typeCode: "或者在那里输入此代码：",
    once: "两者都只能使用一次，十分钟内有效。请勿将代码告诉任何人。",
    singleSignOn: (organization) => `对于 ${organization}，请使用其单点登录：`,
    notYou: "如果这不是您请求的，您无需进行任何操作。",
    invited: (organization) => `邀请您加入 ${organization}`,
    invitedBy: (name, organization) => `${name} 邀请您加入 ${organization}。`,
    accept: "打开此链接即可加入：",
    until: (date) => `链接在 ${date} 之前有效，并且仅限此电子邮件地址。`,
    notExpected: "如果您不清楚这是什么，您无需进行任何操作。",
  },
  ja: {
    signIn: (host) => `${host} へのサインイン`,
    openLink: "リンクを頼んだブラウザーで、次のリンクを開いてください。",
    typeCode: "または、そこに次のコードを入力してください。",
    once: "どちらも十分間、一度だけ使えます。コードは誰にも教えないでください。",
    singleSignOn: (organization) => `${organization} では、シングルサインオンを使ってください。`,
    notYou: "心当たりがない場合は、何もする必要はありません。",
    invited: (organization) => `${organization} への招待`,
    invitedBy: (name, organization) => `${name} さんが ${organization} に招待しています。`,
    accept: "参加するには、次のリンクを開いてください。",
    until: (date) => `${date} まで、このメールアドレスでのみ使えます。`,
    notExpected: "心当たりがない場合は、何もする必要はありません。",
  },
  de: {
    signIn: (host) => `Anmelden bei ${host}`,
    openLink: "Öffnen Sie diesen Link in dem Browser, in dem Sie ihn angefordert haben:",
    typeCode: "Oder geben Sie dort diesen Code ein:",
    once: "Beides gilt einmal, zehn Minuten lang. Geben Sie den Code niemandem.",
    singleSignOn: (organization) => `Für ${organization} benutzen Sie deren zentrale Anmeldung:`,
    notYou: "Wenn Sie das nicht angefordert haben, müssen Sie nichts tun.",
    invited: (organization) => `Einladung zu ${organization}`,
    invitedBy: (name, organization) => `${name} lädt Sie ein, ${organization} beizutreten.`,
    accept: "Öffnen Sie diesen Link, um beizutreten:",
    until: (date) => `Er gilt bis ${date}, nur mit dieser E-Mail-Adresse.`,
    notExpected: "Wenn Sie nicht wissen, worum es geht, müssen Sie nichts tun.",
  },
  nl: {
    signIn: (host) => `Inloggen bij ${host}`,
    openLink: "Open deze link in de browser waarin u erom vroeg:",
    typeCode: "Of vul daar deze code in:",
    once: "Beide werken één keer, tien minuten lang. Geef de code aan niemand.",
    singleSignOn: (organization) => `Voor ${organization} gebruikt u de eenmalige aanmelding:`,
    notYou: "Hebt u hier niet om gevraagd, dan hoeft u niets te doen.",
    invited: (organization) => `Uitnodiging voor ${organization}`,
    invitedBy: (name, organization) => `${name} nodigt u uit om lid te worden van ${organization}.`,
    accept: "Open deze link om lid te worden:",
    until: (date) => `Hij werkt tot ${date}, alleen met dit e-mailadres.`,
    notExpected: "Weet u niet waar dit over gaat, dan hoeft u niets te doen.",
  },
  no: {
    signIn: (host) => `Logg inn på ${host}`,
    openLink: "Åpne denne lenken i nettleseren der du ba om den:",
    typeCode: "Eller skriv inn denne koden der:",
    once: "Begge virker én gang, i ti minutter. Ikke gi koden til noen.",
    singleSignOn: (organization) => `For ${organization} bruker du deres felles pålogging:`,
    notYou: "Hvis du ikke har bedt om dette, trenger du ikke å gjøre noe.",
    invited: (organization) => `Invitasjon til ${organization}`,
    invitedBy: (name, organization) => `${name} inviterer deg til å bli med i ${organization}.`,
    accept: "Åpne denne lenken for å bli med:",
    until: (date) => `Den virker til ${date}, bare med denne e-postadressen.`,
    notExpected: "Hvis du ikke vet hva dette gjelder, trenger du ikke å gjøre noe.",
  },
  "pt-br": {
    signIn: (host) => `Entrar em ${host}`,
    openLink: "Abra este link no navegador em que você o pediu:",
    typeCode: "Ou digite lá este código:",
    once: "Os dois funcionam uma única vez, por dez minutos. Não passe o código a ninguém.",
    singleSignOn: (organization) => `Para ${organization}, use o login único dela:`,
    notYou: "Se você não pediu isto, não precisa fazer nada.",
    invited: (organization) => `Convite para ${organization}`,
    invitedBy: (name, organization) => `${name} convida você a participar de ${organization}.`,
    accept: "Abra este link para participar:",
    until: (date) => `Ele funciona até ${date}, somente com este endereço de e-mail.`,
    notExpected: "Se você não sabe do que se trata, não precisa fazer nada.",
  },
  ru: {
    signIn: (host) => `Вход на ${host}`,
    openLink: "Откройте эту ссылку в том браузере, где вы её запросили:",
    typeCode: "Или введите там этот код:",
    once: "И то и другое действует один раз, десять минут. Никому не сообщайте код.",
    singleSignOn: (organization) => `Для ${organization} используйте единый вход:`,
    notYou: "Если вы этого не запрашивали, ничего делать не нужно.",
    invited: (organization) => `Приглашение в ${organization}`,
    invitedBy: (name, organization) => `${name} приглашает вас в ${organization}.`,
    accept: "Чтобы присоединиться, откройте эту ссылку:",
    until: (date) => `Она действует до ${date} и только с этим адресом.`,
    notExpected: "Если вы не знаете, о чём речь, ничего делать не нужно.",
  },
};
