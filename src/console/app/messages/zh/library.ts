// Messages of the library, in Chinese.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "新建空间",
  newCollection: "新建集合",
  noSpaces: "这里还没有内容。一个空间包含一本书的页面。",
  spaces: "空间",
  collections: "集合",
  changed: "{when}更改",
  openRequests: { other: "{count} 个未完成的变更请求" },
};
