// The languages that the console speaks, to choose one. The browser keeps the choice, for signing in too.

import { getLanguageTag, type Language, languageNames } from "../../../locales/languages";
import { connection } from "../calls/client";
import { Icon } from "../parts/icon";
import { Menu } from "../parts/menu";
import { addresses } from "../routes";
import { speak } from "../words/spoken";
import { useWords } from "../words/words";

export function LanguageMenu() {
  const words = useWords();
  return (
    <Menu label={words.language} sign={<Icon name="language" />} isQuiet>
      {(Object.keys(languageNames) as Language[]).map((it) => ({
        label: languageNames[it],
        language: getLanguageTag(it),
        isChosen: it === words.inLanguage,
        onSelect: () => void choose(it),
      }))}
    </Menu>
  );
}

async function choose(language: Language): Promise<void> {
  try {
    await speak(language);
    // The server's answer sets the cookie, which scripts cannot.
    await fetch(`${addresses.home()}?lang=${language}`, { method: "HEAD" });
  } catch {
    connection.set("lost");
  }
}
