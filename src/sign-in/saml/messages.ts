// The messages of the SAML pages, in every language.

import type { MessageCatalog } from "../../locales/languages";

const en = {
  refused: "You could not be signed in",
  refusedWhy: (provider: string) =>
    `The answer of ${provider} was not accepted. Try it again. If that does not help, ask an admin of your organization.`,
  again: "Try again",
  beginAgain: "Please begin again",
  beginAgainWhy: "Signing in was begun in another browser, took too long, or is already done.",
  missing: "Your e-mail address is missing",
  missingWhy: (provider: string) =>
    `${provider} did not tell us your e-mail address. Ask an admin of your organization.`,
  first: "Please sign in another way first",
  firstWhy: (provider: string) =>
    `We cannot tell yet that this address is yours. Sign in as you usually do. Then you can let ${provider} sign you ` +
    "in. An admin of your organization can save you this by proving its e-mail domain.",
  connect: "Connect your account?",
  connectWhy: (provider: string) =>
    `From now on ${provider} can sign you in, and whoever runs it could act as you in everything that your account ` +
    "reaches. Agree only if you trust this organization with that.",
  connectYes: "Connect and sign in",
};

type SamlMessages = typeof en;

export const samlMessages: MessageCatalog<SamlMessages> = {
  en,
  fr: {
    refused: "La connexion n’a pas abouti",
    refusedWhy: (provider) =>
      `La réponse de ${provider} n’a pas été acceptée. Réessayez. Si cela ne suffit pas, adressez-vous à un administrateur de votre organisation.`,
    again: "Réessayer",
    beginAgain: "Veuillez recommencer",
    beginAgainWhy: "La connexion a été commencée dans un autre navigateur, a duré trop longtemps ou est déjà terminée.",
    missing: "Votre adresse e-mail manque",
    missingWhy: (provider) =>
      `${provider} ne nous a pas indiqué votre adresse e-mail. Adressez-vous à un administrateur de votre organisation.`,
    first: "Connectez-vous d’abord autrement",
    firstWhy: (provider) =>
      "Nous ne savons pas encore que cette adresse est la vôtre. Connectez-vous comme d’habitude. Vous pourrez ensuite " +
      `autoriser ${provider} à vous connecter. Un administrateur peut vous éviter cela en prouvant le domaine e-mail de ` +
      "votre organisation.",
    connect: "Relier votre compte ?",
    connectWhy: (provider) =>
      `Désormais, ${provider} pourra vous connecter, et ses responsables pourraient agir en votre nom partout où votre ` +
      "compte a accès. N’acceptez que si vous faites confiance à cette organisation.",
    connectYes: "Relier et se connecter",
  },
  es: {
    refused: "No se pudo iniciar la sesión",
    refusedWhy: (provider) =>
      `La respuesta de ${provider} no fue aceptada. Inténtelo de nuevo. Si no funciona, pregunte a un administrador de su organización.`,
    again: "Intentar de nuevo",
    beginAgain: "Empiece de nuevo",
    beginAgainWhy: "El inicio de sesión empezó en otro navegador, tardó demasiado o ya está hecho.",
    missing: "Falta su dirección de correo",
    missingWhy: (provider) =>
      `${provider} no nos dijo su dirección de correo. Pregunte a un administrador de su organización.`,
    first: "Inicie sesión primero de otra manera",
    firstWhy: (provider) =>
      `Aún no sabemos que esta dirección es suya. Inicie sesión como de costumbre. Después podrá permitir que ${provider} ` +
      "inicie su sesión. Un administrador puede evitarlo demostrando el dominio de correo de su organización.",
    connect: "¿Conectar su cuenta?",
    connectWhy: (provider) =>
      `A partir de ahora ${provider} podrá iniciar su sesión, y quien lo gestiona podría actuar en su nombre en todo lo ` +
      "que alcanza su cuenta. Acepte solo si confía en esta organización.",
    connectYes: "Conectar e iniciar sesión",
  },
  zh: {
    refused: "无法登录",
    refusedWhy: (provider) => `${provider} 的答复未被接受。请重试。如果仍然不行，请联系您组织的管理员。`,
    again: "重试",
    beginAgain: "请重新开始",
    beginAgainWhy: "登录是在另一个浏览器中开始的、用时过长，或者已经完成。",
    missing: "缺少您的电子邮件地址",
    missingWhy: (provider) => `${provider} 没有告诉我们您的电子邮件地址。请联系您组织的管理员。`,
    first: "请先以其他方式登录",
    firstWhy: (provider) =>
      `我们还无法确认此地址属于您。请按平常的方式登录，然后您可以允许 ${provider} 为您登录。您组织的管理员证明其电子邮件域名后，就不需要这一步。`,
    connect: "要关联您的账户吗？",
    connectWhy: (provider) =>
      `今后 ${provider} 可以为您登录，其管理者可以在您的账户所能访问的一切范围内以您的名义操作。仅在您信任该组织时才同意。`,
    connectYes: "关联并登录",
  },
  ja: {
    refused: "サインインできませんでした",
    refusedWhy: (provider) =>
      `${provider} からの応答は受け入れられませんでした。もう一度お試しください。解決しない場合は、組織の管理者にお問い合わせください。`,
    again: "もう一度試す",
    beginAgain: "最初からやり直してください",
    beginAgainWhy: "サインインが別のブラウザーで始められたか、時間がかかりすぎたか、すでに完了しています。",
    missing: "メールアドレスがありません",
    missingWhy: (provider) =>
      `${provider} からメールアドレスが送られてきませんでした。組織の管理者にお問い合わせください。`,
    first: "先に別の方法でサインインしてください",
    firstWhy: (provider) =>
      `このアドレスがあなたのものであることをまだ確認できません。いつもの方法でサインインしてください。その後、${provider} によるサインインを許可できます。組織の管理者がメールのドメインを証明すると、この手順は不要になります。`,
    connect: "アカウントを接続しますか？",
    connectWhy: (provider) =>
      `今後は ${provider} があなたをサインインさせることができ、その運営者は、あなたのアカウントで利用できるすべてにおいてあなたとして行動できます。この組織を信頼する場合にのみ同意してください。`,
    connectYes: "接続してサインイン",
  },
  de: {
    refused: "Die Anmeldung ist nicht gelungen",
    refusedWhy: (provider) =>
      `Die Antwort von ${provider} wurde nicht angenommen. Versuchen Sie es noch einmal. Hilft das nicht, fragen Sie eine ` +
      "Administratorin oder einen Administrator Ihrer Organisation.",
    again: "Noch einmal versuchen",
    beginAgain: "Bitte beginnen Sie von vorn",
    beginAgainWhy:
      "Die Anmeldung wurde in einem anderen Browser begonnen, hat zu lange gedauert oder ist schon abgeschlossen.",
    missing: "Ihre E-Mail-Adresse fehlt",
    missingWhy: (provider) =>
      `${provider} hat uns Ihre E-Mail-Adresse nicht genannt. Fragen Sie eine Administratorin oder einen Administrator Ihrer Organisation.`,
    first: "Bitte melden Sie sich zuerst anders an",
    firstWhy: (provider) =>
      "Wir wissen noch nicht, dass diese Adresse Ihre ist. Melden Sie sich an wie gewohnt. Danach können Sie erlauben, " +
      `dass ${provider} Sie anmeldet. Wer Ihre Organisation verwaltet, kann Ihnen das ersparen, indem die E-Mail-Domain ` +
      "nachgewiesen wird.",
    connect: "Ihr Konto verbinden?",
    connectWhy: (provider) =>
      `Von nun an kann ${provider} Sie anmelden, und wer es betreibt, könnte in allem, was Ihr Konto erreicht, in Ihrem ` +
      "Namen handeln. Stimmen Sie nur zu, wenn Sie dieser Organisation das anvertrauen.",
    connectYes: "Verbinden und anmelden",
  },
  nl: {
    refused: "Inloggen is niet gelukt",
    refusedWhy: (provider) =>
      `Het antwoord van ${provider} is niet geaccepteerd. Probeer het opnieuw. Helpt dat niet, vraag dan een beheerder van uw organisatie.`,
    again: "Opnieuw proberen",
    beginAgain: "Begin opnieuw",
    beginAgainWhy: "Het inloggen is in een andere browser begonnen, duurde te lang of is al gebeurd.",
    missing: "Uw e-mailadres ontbreekt",
    missingWhy: (provider) =>
      `${provider} heeft ons uw e-mailadres niet gegeven. Vraag een beheerder van uw organisatie.`,
    first: "Log eerst op een andere manier in",
    firstWhy: (provider) =>
      `We weten nog niet dat dit adres van u is. Log in zoals u gewend bent. Daarna kunt u toestaan dat ${provider} u ` +
      "inlogt. Een beheerder kan u dit besparen door het e-maildomein van uw organisatie te bewijzen.",
    connect: "Uw account koppelen?",
    connectWhy: (provider) =>
      `Vanaf nu kan ${provider} u inloggen, en wie het beheert zou namens u kunnen handelen in alles wat uw account ` +
      "bereikt. Stem alleen toe als u deze organisatie daarin vertrouwt.",
    connectYes: "Koppelen en inloggen",
  },
  no: {
    refused: "Du kunne ikke logges inn",
    refusedWhy: (provider) =>
      `Svaret fra ${provider} ble ikke godtatt. Prøv igjen. Hjelper ikke det, spør en administrator i organisasjonen din.`,
    again: "Prøv igjen",
    beginAgain: "Begynn på nytt",
    beginAgainWhy: "Innloggingen ble begynt i en annen nettleser, tok for lang tid eller er allerede ferdig.",
    missing: "E-postadressen din mangler",
    missingWhy: (provider) =>
      `${provider} har ikke oppgitt e-postadressen din. Spør en administrator i organisasjonen din.`,
    first: "Logg inn på en annen måte først",
    firstWhy: (provider) =>
      `Vi vet ennå ikke at denne adressen er din. Logg inn slik du pleier. Deretter kan du la ${provider} logge deg inn. ` +
      "En administrator kan spare deg for dette ved å bevise organisasjonens e-postdomene.",
    connect: "Koble til kontoen din?",
    connectWhy: (provider) =>
      `Fra nå av kan ${provider} logge deg inn, og de som driver den, kan handle som deg i alt kontoen din har tilgang ` +
      "til. Godta bare hvis du stoler på organisasjonen.",
    connectYes: "Koble til og logg inn",
  },
  "pt-br": {
    refused: "Não foi possível entrar",
    refusedWhy: (provider) =>
      `A resposta de ${provider} não foi aceita. Tente de novo. Se não funcionar, fale com um administrador da sua organização.`,
    again: "Tentar de novo",
    beginAgain: "Comece de novo",
    beginAgainWhy: "A entrada foi iniciada em outro navegador, demorou demais ou já foi concluída.",
    missing: "Falta seu endereço de e-mail",
    missingWhy: (provider) =>
      `${provider} não nos informou seu endereço de e-mail. Fale com um administrador da sua organização.`,
    first: "Entre primeiro de outra forma",
    firstWhy: (provider) =>
      `Ainda não sabemos se este endereço é seu. Entre como de costume. Depois você poderá permitir que ${provider} faça ` +
      "sua entrada. Um administrador pode evitar isso comprovando o domínio de e-mail da sua organização.",
    connect: "Conectar sua conta?",
    connectWhy: (provider) =>
      `A partir de agora ${provider} poderá fazer sua entrada, e quem o administra poderia agir em seu nome em tudo o que ` +
      "sua conta alcança. Concorde somente se confiar nesta organização.",
    connectYes: "Conectar e entrar",
  },
  ru: {
    refused: "Войти не удалось",
    refusedWhy: (provider) =>
      `Ответ от ${provider} не принят. Попробуйте ещё раз. Если не поможет, обратитесь к администратору вашей организации.`,
    again: "Попробовать ещё раз",
    beginAgain: "Начните заново",
    beginAgainWhy: "Вход был начат в другом браузере, занял слишком много времени или уже завершён.",
    missing: "Не указан ваш адрес эл. почты",
    missingWhy: (provider) =>
      `${provider} не сообщил нам ваш адрес эл. почты. Обратитесь к администратору вашей организации.`,
    first: "Сначала войдите другим способом",
    firstWhy: (provider) =>
      `Мы ещё не знаем, что этот адрес ваш. Войдите как обычно. Затем вы сможете разрешить вход через ${provider}. ` +
      "Администратор может избавить вас от этого, подтвердив почтовый домен вашей организации.",
    connect: "Связать вашу учётную запись?",
    connectWhy: (provider) =>
      `Теперь ${provider} сможет выполнять вход за вас, а те, кто им управляет, могли бы действовать от вашего имени ` +
      "везде, куда есть доступ у вашей учётной записи. Соглашайтесь, только если доверяете этой организации.",
    connectYes: "Связать и войти",
  },
};
