// The messages around blocks and scripts of integrations, in the languages of sites.

import type { SiteLocale } from "../messages";

export interface IntegrationMessages {
  readonly load: string;
  readonly failed: string;
  readonly cookies: string;
  readonly accept: string;
  readonly decline: string;
  readonly privacy: string;
  readonly close: string;
  readonly back: string;
}

const en: IntegrationMessages = {
  load: "Show",
  failed: "This part cannot be shown now.",
  cookies: "This site would like to use cookies, to learn how it is used.",
  accept: "Accept",
  decline: "Decline",
  privacy: "Privacy policy",
  close: "Close",
  back: "Back to the page",
};

const de: IntegrationMessages = {
  load: "Anzeigen",
  failed: "Dieser Teil kann gerade nicht gezeigt werden.",
  cookies: "Diese Website möchte Cookies verwenden, um zu erfahren, wie sie genutzt wird.",
  accept: "Annehmen",
  decline: "Ablehnen",
  privacy: "Datenschutzerklärung",
  close: "Schließen",
  back: "Zurück zur Seite",
};

const fr: IntegrationMessages = {
  load: "Afficher",
  failed: "Cette partie ne peut pas être affichée pour l’instant.",
  cookies: "Ce site souhaite utiliser des cookies pour savoir comment il est utilisé.",
  accept: "Accepter",
  decline: "Refuser",
  privacy: "Politique de confidentialité",
  close: "Fermer",
  back: "Retour à la page",
};

const es: IntegrationMessages = {
  load: "Mostrar",
  failed: "Esta parte no se puede mostrar ahora.",
  cookies: "Este sitio desea usar cookies para saber cómo se utiliza.",
  accept: "Aceptar",
  decline: "Rechazar",
  privacy: "Política de privacidad",
  close: "Cerrar",
  back: "Volver a la página",
};

const nl: IntegrationMessages = {
  load: "Tonen",
  failed: "Dit deel kan nu niet worden getoond.",
  cookies: "Deze site wil cookies gebruiken om te weten hoe ze wordt gebruikt.",
  accept: "Accepteren",
  decline: "Weigeren",
  privacy: "Privacybeleid",
  close: "Sluiten",
  back: "Terug naar de pagina",
};

const no: IntegrationMessages = {
  load: "Vis",
  failed: "Denne delen kan ikke vises nå.",
  cookies: "Dette nettstedet vil bruke informasjonskapsler for å vite hvordan det brukes.",
  accept: "Godta",
  decline: "Avslå",
  privacy: "Personvern",
  close: "Lukk",
  back: "Tilbake til siden",
};

const ptBr: IntegrationMessages = {
  load: "Mostrar",
  failed: "Esta parte não pode ser exibida agora.",
  cookies: "Este site gostaria de usar cookies para saber como é utilizado.",
  accept: "Aceitar",
  decline: "Recusar",
  privacy: "Política de privacidade",
  close: "Fechar",
  back: "Voltar à página",
};

const ru: IntegrationMessages = {
  load: "Показать",
  failed: "Эту часть сейчас нельзя показать.",
  cookies: "Этот сайт хотел бы использовать файлы cookie, чтобы знать, как им пользуются.",
  accept: "Принять",
  decline: "Отклонить",
  privacy: "Политика конфиденциальности",
  close: "Закрыть",
  back: "Назад к странице",
};

const ja: IntegrationMessages = {
  load: "表示",
  failed: "この部分は現在表示できません。",
  cookies: "このサイトは利用状況を知るために Cookie を使用します。よろしいですか。",
  accept: "同意する",
  decline: "拒否する",
  privacy: "プライバシーポリシー",
  close: "閉じる",
  back: "ページに戻る",
};

const zh: IntegrationMessages = {
  load: "显示",
  failed: "此部分暂时无法显示。",
  cookies: "本网站希望使用 Cookie 来了解其使用情况。",
  accept: "接受",
  decline: "拒绝",
  privacy: "隐私政策",
  close: "关闭",
  back: "返回页面",
};

/** The messages, by locale. */
export const integrationMessages: Readonly<Record<SiteLocale, IntegrationMessages>> = {
  en,
  de,
  fr,
  es,
  nl,
  no,
  "pt-br": ptBr,
  ru,
  ja,
  zh,
};
