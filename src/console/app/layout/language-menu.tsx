// The menu for the language of the console. The browser remembers the choice, also for the sign-in pages.

import { getLanguageTag, type Language, languageNames } from "../../../locales/languages";
import { connectionStore } from "../api/client";
import { Icon } from "../components/icon";
import { Menu } from "../components/menu";
import { useMessages } from "../messages/messages";
import { setLanguage } from "../messages/messages-provider";
import { addresses } from "../routes";

export function LanguageMenu() {
  const messages = useMessages();
  return (
    <Menu label={messages.language} sign={<Icon name="language" />} isQuiet>
      {(Object.keys(languageNames) as Language[]).map((it) => ({
        label: languageNames[it],
        language: getLanguageTag(it),
        isChosen: it === messages.inLanguage,
        onSelect: async () => {
          try {
            await setLanguage(it);
            // The response sets the cookie, which scripts cannot do.
            await fetch(`${addresses.home()}?lang=${it}`, { method: "HEAD" });
          } catch {
            connectionStore.set("lost");
          }
        },
      }))}
    </Menu>
  );
}
