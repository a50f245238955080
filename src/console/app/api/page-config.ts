// The configuration that the server writes into the page of the application.

import { findLanguage } from "../../../locales/languages";

const root = document.getElementById("console")!;
const { api = "", signIn = "/sign-in", language, nonce = "" } = root.dataset;

export const pageConfig = {
  root,
  api,
  signIn,
  signOut: signIn.replace(/sign-in$/, "sign-out"),
  language: findLanguage(language) ?? "en",
  nonce,
} as const;
