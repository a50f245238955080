// Messages about sites, in Japanese.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "新しいサイト",
  noSites: "まだサイトはありません。サイトはスペースを読者に見せます。",
  firstSpace: "最初に載せるスペース",
  published: "公開中",
  notPublished: "非公開",
  visibilityPublic: "全員",
  visibilityUnlisted: "全員 (検索エンジンには載りません)",
  visibilityShareLink: "共有リンクを知っている人",
  visibilityVisitors: "サインインした訪問者",
  whoSees: "表示できる人",
  openSite: "サイトを開く",
  publish: "公開",
  unpublish: "公開を停止",
  deleteSite: "サイトを削除",
  deleteSiteWhy: "「{title}」はこのアドレスで表示されなくなります。スペースは残ります。",
  spacesOfSite: "このサイトのスペース",
  noSpacesOfSite: "このサイトにはまだスペースがありません。",
  addSpace: "スペースを追加",
  isDefault: "最初に開く",
};
