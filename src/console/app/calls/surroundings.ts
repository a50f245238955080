// What the page says of where the application is.

const root = document.getElementById("console")!;
const { api = "", signIn = "/sign-in", language = "en", nonce = "" } = root.dataset;

export const surroundings = { root, api, signIn, language, nonce } as const;
