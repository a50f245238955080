// Messages of the library, in Japanese.

import type { library as english } from "../en/library";
import type { TranslatedMessages } from "../translated-messages";

export const library: TranslatedMessages<typeof english> = {
  newSpace: "新しいスペース",
  newCollection: "新しいコレクション",
  noSpaces: "まだ何もありません。スペースには一冊の本のページが入ります。",
  spaces: "スペース",
  collections: "コレクション",
  changed: "{when}に変更",
  openRequests: { other: "未処理の変更リクエスト {count} 件" },
};
