// Messages about sites, in Chinese.

import type { sites as english } from "../en/sites";
import type { TranslatedMessages } from "../translated-messages";

export const sites: TranslatedMessages<typeof english> = {
  newSite: "新建站点",
  noSites: "还没有站点。站点向读者展示空间。",
  firstSpace: "站点上的第一个空间",
  published: "已发布",
  notPublished: "未发布",
  visibilityPublic: "所有人",
  visibilityUnlisted: "所有人，但搜索引擎不收录",
  visibilityShareLink: "拥有分享链接的人",
  visibilityVisitors: "登录的访客",
  whoSees: "谁能看到",
  openSite: "打开站点",
  publish: "发布",
  unpublish: "下线",
  deleteSite: "删除站点",
  deleteSiteWhy: "“{title}”将不再能通过其地址访问。其中的空间会保留。",
  spacesOfSite: "此站点上的空间",
  noSpacesOfSite: "此站点上还没有空间。",
  addSpace: "添加空间",
  isDefault: "首先打开",
};
