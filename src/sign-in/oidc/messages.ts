// The errors of signing in with a provider, in every language.

import type { MessageCatalog } from "../../locales/languages";

interface OpenIdMessages {
  readonly unreachable: (name: string) => string;
  readonly lost: (name: string) => string;
  readonly refused: (name: string) => string;
  readonly unverified: (name: string) => string;
}

export const openIdMessages: MessageCatalog<OpenIdMessages> = {
  en: {
    unreachable: (name) => `${name} cannot be reached at the moment. Try again later.`,
    lost: (name) => `You did not begin to sign in with ${name} in this browser, or it took too long. Begin again.`,
    refused: (name) => `${name} did not sign you in. Try again.`,
    unverified: (name) => `${name} does not say that your e-mail address is verified. Verify it there, then try again.`,
  },
  fr: {
    unreachable: (name) => `${name} n’est pas joignable pour le moment. Réessayez plus tard.`,
    lost: (name) =>
      `La connexion avec ${name} n’a pas commencé dans ce navigateur, ou a pris trop de temps. Recommencez.`,
    refused: (name) => `${name} ne vous a pas connecté. Réessayez.`,
    unverified: (name) =>
      `${name} n’indique pas que votre adresse e-mail est vérifiée. Vérifiez-la là-bas, puis réessayez.`,
  },
  es: {
    unreachable: (name) => `No se puede contactar con ${name} en este momento. Inténtalo más tarde.`,
    lost: (name) => `No empezaste a iniciar sesión con ${name} en este navegador, o tardó demasiado. Empieza de nuevo.`,
    refused: (name) => `${name} no inició tu sesión. Inténtalo de nuevo.`,
    unverified: (name) =>
      `${name} no indica que tu dirección de correo esté verificada. Verifícala allí e inténtalo de nuevo.`,
  },
  zh: {
    unreachable: (name) => `目前无法连接到 ${name}。请稍后再试。`,
    lost: (name) => `您不是在此浏览器中开始使用 ${name} 登录的，或者用时过长。请重新开始。`,
    refused: (name) => `${name} 未能让您登录。请重试。`,
    unverified: (name) => `${name} 未说明您的电子邮件地址已验证。请先在那里验证，然后重试。`,
  },
  ja: {
    unreachable: (name) => `現在 ${name} に接続できません。後でもう一度お試しください。`,
    lost: (name) =>
      `このブラウザーで ${name} によるサインインを開始していないか、時間がかかりすぎました。やり直してください。`,
    refused: (name) => `${name} でサインインできませんでした。もう一度お試しください。`,
    unverified: (name) =>
      `${name} はメールアドレスが確認済みであることを示していません。そこで確認してから、もう一度お試しください。`,
  },
  de: {
    unreachable: (name) => `${name} ist im Moment nicht erreichbar. Versuchen Sie es später noch einmal.`,
    lost: (name) =>
      `Sie haben die Anmeldung mit ${name} nicht in diesem Browser begonnen, oder sie hat zu lange gedauert. Beginnen Sie neu.`,
    refused: (name) => `${name} hat Sie nicht angemeldet. Versuchen Sie es noch einmal.`,
    unverified: (name) =>
      `${name} sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Bestätigen Sie sie dort und versuchen Sie es noch einmal.`,
  },
  nl: {
    unreachable: (name) => `${name} is op dit moment niet bereikbaar. Probeer het later opnieuw.`,
    lost: (name) =>
      `U bent niet in deze browser begonnen met aanmelden via ${name}, of het duurde te lang. Begin opnieuw.`,
    refused: (name) => `${name} heeft u niet aangemeld. Probeer het opnieuw.`,
    unverified: (name) =>
      `${name} zegt niet dat uw e-mailadres is bevestigd. Bevestig het daar en probeer het opnieuw.`,
  },
  no: {
    unreachable: (name) => `${name} kan ikke nås akkurat nå. Prøv igjen senere.`,
    lost: (name) =>
      `Du begynte ikke å logge inn med ${name} i denne nettleseren, eller det tok for lang tid. Begynn på nytt.`,
    refused: (name) => `${name} logget deg ikke inn. Prøv igjen.`,
    unverified: (name) => `${name} sier ikke at e-postadressen din er bekreftet. Bekreft den der, og prøv igjen.`,
  },
  "pt-br": {
    unreachable: (name) => `Não é possível acessar ${name} no momento. Tente mais tarde.`,
    lost: (name) => `Você não começou a entrar com ${name} neste navegador, ou demorou demais. Comece de novo.`,
    refused: (name) => `${name} não fez o seu login. Tente de novo.`,
    unverified: (name) => `${name} não informa que o seu e-mail foi verificado. Verifique-o lá e tente de novo.`,
  },
  ru: {
    unreachable: (name) => `${name} сейчас недоступен. Попробуйте позже.`,
    lost: (name) => `Вход через ${name} был начат не в этом браузере или занял слишком много времени. Начните заново.`,
    refused: (name) => `${name} не выполнил вход. Попробуйте ещё раз.`,
    unverified: (name) =>
      `${name} не сообщает, что ваш адрес электронной почты подтверждён. Подтвердите его там и попробуйте ещё раз.`,
  },
};
