// The words of the reader's interface, in the languages that a site can be set to.

import type * as Resources from "../generated/resources";

export interface Words {
  readonly search: string;
  readonly searchFor: string;
  readonly nothingFound: string;
  readonly skip: string;
  readonly navigation: string;
  readonly onThisPage: string;
  readonly previous: string;
  readonly next: string;
  readonly lastChanged: string;
  readonly notFound: string;
  readonly notFoundHint: string;
  readonly home: string;
  readonly note: string;
  readonly copy: string;
  readonly copied: string;
  readonly menu: string;
  readonly lightOrDark: string;
  readonly copyPage: string;
  readonly showContent: string;
  readonly close: string;
  readonly results: string;
  readonly diagram: string;
  readonly download: string;
  readonly linkToHeading: string;
  readonly asMarkdown: string;
  readonly asPdf: string;
  readonly tryLater: string;
}

export type Locale = Resources.SiteCustomization["internationalization"]["locale"];

const en: Words = {
  search: "Search",
  searchFor: "Results for",
  nothingFound: "Nothing was found.",
  skip: "Skip to the text",
  navigation: "Pages",
  onThisPage: "On this page",
  previous: "Previous",
  next: "Next",
  lastChanged: "Last changed",
  notFound: "There is no such page",
  notFoundHint: "It may have moved. The search may find it.",
  home: "To the first page",
  note: "Note",
  copy: "Copy",
  copied: "Copied",
  menu: "Menu",
  lightOrDark: "Light or dark",
  copyPage: "Copy as Markdown",
  showContent: "Show the content of",
  close: "Close",
  results: "results",
  diagram: "Diagram",
  download: "Download",
  linkToHeading: "Link to this heading",
  asMarkdown: "As Markdown",
  asPdf: "As PDF",
  tryLater: "The page cannot be shown now. Please try again in a moment.",
};

const de: Words = {
  search: "Suchen",
  searchFor: "Ergebnisse für",
  nothingFound: "Nichts gefunden.",
  skip: "Zum Text springen",
  navigation: "Seiten",
  onThisPage: "Auf dieser Seite",
  previous: "Zurück",
  next: "Weiter",
  lastChanged: "Zuletzt geändert",
  notFound: "Diese Seite gibt es nicht",
  notFoundHint: "Vielleicht ist sie umgezogen. Die Suche findet sie möglicherweise.",
  home: "Zur ersten Seite",
  note: "Anmerkung",
  copy: "Kopieren",
  copied: "Kopiert",
  menu: "Menü",
  lightOrDark: "Hell oder dunkel",
  copyPage: "Als Markdown kopieren",
  showContent: "Inhalt zeigen von",
  close: "Schließen",
  results: "Ergebnisse",
  diagram: "Diagramm",
  download: "Herunterladen",
  linkToHeading: "Link zu dieser Überschrift",
  asMarkdown: "Als Markdown",
  asPdf: "Als PDF",
  tryLater: "Die Seite kann gerade nicht gezeigt werden. Bitte gleich noch einmal versuchen.",
};

const fr: Words = {
  search: "Rechercher",
  searchFor: "Résultats pour",
  nothingFound: "Aucun résultat.",
  skip: "Aller au texte",
  navigation: "Pages",
  onThisPage: "Sur cette page",
  previous: "Précédent",
  next: "Suivant",
  lastChanged: "Dernière modification",
  notFound: "Cette page n’existe pas",
  notFoundHint: "Elle a peut-être été déplacée. La recherche peut la retrouver.",
  home: "Vers la première page",
  note: "Note",
  copy: "Copier",
  copied: "Copié",
  menu: "Menu",
  lightOrDark: "Clair ou sombre",
  copyPage: "Copier en Markdown",
  showContent: "Afficher le contenu de",
  close: "Fermer",
  results: "résultats",
  diagram: "Diagramme",
  download: "Télécharger",
  linkToHeading: "Lien vers ce titre",
  asMarkdown: "En Markdown",
  asPdf: "En PDF",
  tryLater: "La page ne peut pas être affichée pour l’instant. Réessayez dans un instant.",
};

const es: Words = {
  search: "Buscar",
  searchFor: "Resultados de",
  nothingFound: "No se encontró nada.",
  skip: "Ir al texto",
  navigation: "Páginas",
  onThisPage: "En esta página",
  previous: "Anterior",
  next: "Siguiente",
  lastChanged: "Último cambio",
  notFound: "Esta página no existe",
  notFoundHint: "Quizá se haya movido. La búsqueda puede encontrarla.",
  home: "A la primera página",
  note: "Nota",
  copy: "Copiar",
  copied: "Copiado",
  menu: "Menú",
  lightOrDark: "Claro u oscuro",
  copyPage: "Copiar como Markdown",
  showContent: "Mostrar el contenido de",
  close: "Cerrar",
  results: "resultados",
  diagram: "Diagrama",
  download: "Descargar",
  linkToHeading: "Enlace a este título",
  asMarkdown: "Como Markdown",
  asPdf: "Como PDF",
  tryLater: "La página no se puede mostrar ahora. Inténtelo de nuevo en un momento.",
};

const nl: Words = {
  search: "Zoeken",
  searchFor: "Resultaten voor",
  nothingFound: "Niets gevonden.",
  skip: "Naar de tekst",
  navigation: "Pagina’s",
  onThisPage: "Op deze pagina",
  previous: "Vorige",
  next: "Volgende",
  lastChanged: "Laatst gewijzigd",
  notFound: "Deze pagina bestaat niet",
  notFoundHint: "Misschien is ze verplaatst. Met zoeken vindt u haar mogelijk terug.",
  home: "Naar de eerste pagina",
  note: "Noot",
  copy: "Kopiëren",
  copied: "Gekopieerd",
  menu: "Menu",
  lightOrDark: "Licht of donker",
  copyPage: "Als Markdown kopiëren",
  showContent: "Inhoud tonen van",
  close: "Sluiten",
  results: "resultaten",
  diagram: "Diagram",
  download: "Downloaden",
  linkToHeading: "Link naar deze kop",
  asMarkdown: "Als Markdown",
  asPdf: "Als PDF",
  tryLater: "De pagina kan nu niet worden getoond. Probeer het zo opnieuw.",
};

const no: Words = {
  search: "Søk",
  searchFor: "Treff for",
  nothingFound: "Ingenting ble funnet.",
  skip: "Gå til teksten",
  navigation: "Sider",
  onThisPage: "På denne siden",
  previous: "Forrige",
  next: "Neste",
  lastChanged: "Sist endret",
  notFound: "Denne siden finnes ikke",
  notFoundHint: "Den kan ha blitt flyttet. Søket kan finne den.",
  home: "Til den første siden",
  note: "Merknad",
  copy: "Kopier",
  copied: "Kopiert",
  menu: "Meny",
  lightOrDark: "Lyst eller mørkt",
  copyPage: "Kopier som Markdown",
  showContent: "Vis innholdet fra",
  close: "Lukk",
  results: "treff",
  diagram: "Diagram",
  download: "Last ned",
  linkToHeading: "Lenke til denne overskriften",
  asMarkdown: "Som Markdown",
  asPdf: "Som PDF",
  tryLater: "Siden kan ikke vises nå. Prøv igjen om litt.",
};

const ptBr: Words = {
  search: "Pesquisar",
  searchFor: "Resultados para",
  nothingFound: "Nada foi encontrado.",
  skip: "Ir para o texto",
  navigation: "Páginas",
  onThisPage: "Nesta página",
  previous: "Anterior",
  next: "Próxima",
  lastChanged: "Última alteração",
  notFound: "Esta página não existe",
  notFoundHint: "Ela pode ter sido movida. A pesquisa pode encontrá-la.",
  home: "Para a primeira página",
  note: "Nota",
  copy: "Copiar",
  copied: "Copiado",
  menu: "Menu",
  lightOrDark: "Claro ou escuro",
  copyPage: "Copiar como Markdown",
  showContent: "Mostrar o conteúdo de",
  close: "Fechar",
  results: "resultados",
  diagram: "Diagrama",
  download: "Baixar",
  linkToHeading: "Link para este título",
  asMarkdown: "Em Markdown",
  asPdf: "Em PDF",
  tryLater: "A página não pode ser exibida agora. Tente novamente em instantes.",
};

const ru: Words = {
  search: "Поиск",
  searchFor: "Результаты по запросу",
  nothingFound: "Ничего не найдено.",
  skip: "Перейти к тексту",
  navigation: "Страницы",
  onThisPage: "На этой странице",
  previous: "Назад",
  next: "Далее",
  lastChanged: "Изменено",
  notFound: "Такой страницы нет",
  notFoundHint: "Возможно, она перемещена. Попробуйте найти её поиском.",
  home: "На первую страницу",
  note: "Примечание",
  copy: "Копировать",
  copied: "Скопировано",
  menu: "Меню",
  lightOrDark: "Светлая или тёмная тема",
  copyPage: "Копировать как Markdown",
  showContent: "Показать содержимое",
  close: "Закрыть",
  results: "результатов",
  diagram: "Диаграмма",
  download: "Скачать",
  linkToHeading: "Ссылка на этот заголовок",
  asMarkdown: "В Markdown",
  asPdf: "В PDF",
  tryLater: "Страницу сейчас нельзя показать. Попробуйте ещё раз через минуту.",
};

const ja: Words = {
  search: "検索",
  searchFor: "検索結果:",
  nothingFound: "見つかりませんでした。",
  skip: "本文へ移動",
  navigation: "ページ",
  onThisPage: "このページの内容",
  previous: "前へ",
  next: "次へ",
  lastChanged: "最終更新",
  notFound: "このページはありません",
  notFoundHint: "移動した可能性があります。検索で見つかるかもしれません。",
  home: "最初のページへ",
  note: "注",
  copy: "コピー",
  copied: "コピーしました",
  menu: "メニュー",
  lightOrDark: "ライトまたはダーク",
  copyPage: "Markdown としてコピー",
  showContent: "コンテンツを表示:",
  close: "閉じる",
  results: "件の結果",
  diagram: "図",
  download: "ダウンロード",
  linkToHeading: "この見出しへのリンク",
  asMarkdown: "Markdown で表示",
  asPdf: "PDF で表示",
  tryLater: "現在このページを表示できません。しばらくしてからもう一度お試しください。",
};

const zh: Words = {
  search: "搜索",
  searchFor: "搜索结果:",
  nothingFound: "没有找到任何内容。",
  skip: "跳到正文",
  navigation: "页面",
  onThisPage: "本页内容",
  previous: "上一页",
  next: "下一页",
  lastChanged: "最后更新",
  notFound: "没有这个页面",
  notFoundHint: "它可能已被移动。可以试试搜索。",
  home: "前往首页",
  note: "注",
  copy: "复制",
  copied: "已复制",
  menu: "菜单",
  lightOrDark: "浅色或深色",
  copyPage: "复制为 Markdown",
  showContent: "显示内容:",
  close: "关闭",
  results: "条结果",
  diagram: "图表",
  download: "下载",
  linkToHeading: "此标题的链接",
  asMarkdown: "Markdown 格式",
  asPdf: "PDF 格式",
  tryLater: "暂时无法显示此页面,请稍后再试。",
};

const byLocale: Readonly<Record<Locale, Words>> = { en, de, fr, es, nl, no, "pt-br": ptBr, ru, ja, zh };

/** The words of a locale. */
export function wordsOf(locale: Locale): Words {
  return byLocale[locale];
}
