// What the page says of where the application is.

import { languageNamed } from "../../../locales/languages";

const root = document.getElementById("console")!;
const { api = "", signIn = "/sign-in", language, nonce = "" } = root.dataset;

export const surroundings = { root, api, signIn, language: languageNamed(language) ?? "en", nonce } as const;
