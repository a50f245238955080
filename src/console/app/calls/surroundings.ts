// What the page says of where the application is.

import { findLanguage } from "../../../locales/languages";

const root = document.getElementById("console")!;
const { api = "", signIn = "/sign-in", language, nonce = "" } = root.dataset;

export const surroundings = { root, api, signIn, language: findLanguage(language) ?? "en", nonce } as const;
