// `octavo serve`: runs the API as a server.

import { originOptions } from "../../connection/public-origin";
import { storageOptions } from "../../connection/storage-options";
import { addVariables, type Command } from "../../framework/command";

const options = addVariables([
  ...originOptions,
  {
    name: "sites-url",
    value: "url",
    fallback: "ORIGIN/sites",
    summary:
      "Where sites without a host of their own are published. https://*.docs.example.com gives each organization an origin of its own.",
  },
  {
    name: "trust-organizations",
    summary:
      "All organizations trust each other, or there is only one: scripts of integrations also run where sites of several share the host of SITES_URL.",
  },
  ...storageOptions,
  {
    name: "admin-email",
    value: "email",
    fallback: "admin@localhost.localdomain",
    summary: "The e-mail address of the first admin, whom the first start makes. Later starts change no user.",
  },
  { name: "admin-name", value: "text", fallback: "Admin", summary: "The name of the first admin." },
  {
    name: "admin-token",
    isVariableOnly: true,
    value: "text",
    fallback: "random, printed once",
    summary: "The first token, which the first start makes: 16 to 512 visible ASCII characters.",
  },
  {
    name: "smtp-url",
    isVariableOnly: true,
    value: "url",
    fallback: "none",
    summary: [
      "The SMTP server that sends mails: smtp://user:password@host:587, or smtps://user:password@host:465 for TLS from the start.",
      "It needs the package nodemailer.",
    ].join(" "),
  },
  {
    name: "mail-command",
    value: "command",
    fallback: "none",
    summary: [
      "In place of SMTP_URL, a program that sends a mail it reads from standard input, such as `sendmail -t -i`.",
      "Without either, a server that only this machine reaches prints the links of mails.",
    ].join(" "),
  },
  {
    name: "mail-from",
    value: "address",
    fallback: "octavo@ the host of the origin",
    summary: "The address that mails come from.",
  },
  {
    name: "cors-origins",
    value: "origins",
    fallback: "none",
    summary: "Origins whose browsers may call, with commas between, or * for all.",
  },
  {
    name: "oauth-redirect-schemes",
    value: "schemes",
    fallback: "cursor,vscode,vscode-insiders,vscodium,windsurf,zed",
    summary:
      "Schemes without a dot that the redirect URIs of OAuth clients may have, with commas between. Private-use schemes such as com.example.app need no entry.",
  },
  {
    name: "rate-limit",
    value: "requests",
    fallback: "no limit",
    summary: "How many requests each caller may send in a window.",
  },
  { name: "rate-limit-window", value: "seconds", fallback: "60", summary: "How long a window is." },
  {
    name: "trusted-proxies",
    value: "addresses",
    fallback: "none",
    summary: [
      "Addresses and networks of your own proxies, such as 10.0.0.0/8,::1.",
      "Only they are believed what X-Forwarded-For says, which is what the rate limit counts by.",
    ].join(" "),
  },
  { name: "max-body-bytes", value: "bytes", fallback: "10485760", summary: "The largest JSON body." },
  {
    name: "sample",
    summary: "Make a sample site on the first start: the documentation of a product that does not exist.",
  },
  { name: "log-requests", summary: "Write a line of JSON for each request and each error." },
  {
    name: "metrics-port",
    value: "number",
    fallback: "none",
    summary: "Also listen on this port, and give metrics for Prometheus at /metrics. Keep it closed to strangers.",
  },
  {
    name: "drain-seconds",
    value: "seconds",
    fallback: "10",
    summary: "How long requests under way are waited for at the end.",
  },
  {
    name: "egress-allow",
    value: "hosts",
    fallback: "none",
    summary:
      "Hosts that outbound requests may reach although they are private, and Git over plain http, with commas between.",
  },
  { name: "import-max-pages", value: "number", fallback: "5000", summary: "The most pages of one import." },
  {
    name: "import-max-files",
    value: "number",
    fallback: "20000",
    summary: "The most files of one import. Those of an archive count all.",
  },
  {
    name: "import-max-bytes",
    value: "bytes",
    fallback: "134217728",
    summary: "The most bytes of one import, downloaded and unpacked.",
  },
  { name: "import-max-seconds", value: "seconds", fallback: "300", summary: "How long one import may read." },
  {
    name: "git-max-bytes",
    value: "bytes",
    fallback: "52428800",
    summary: "The most bytes that a Git server may send for one import. Unpacked it may be four times as much.",
  },
  { name: "git-max-files", value: "number", fallback: "20000", summary: "The most files of a Git repository." },
  {
    name: "git-max-seconds",
    value: "seconds",
    fallback: "300",
    summary: "How long one call to a Git server may take.",
  },
  {
    name: "pdf-fonts",
    value: "files",
    fallback: "the standard fonts of PDF readers",
    summary:
      "Font files for PDF, with commas between: the first for text, the others for what it lacks. They need the package fontkit.",
  },
  {
    name: "translator",
    value: "kind",
    choices: ["openai", "libretranslate", "deepl"],
    fallback: "none",
    summary: "Who translates. openai is any server that speaks its chat interface.",
  },
  { name: "translator-url", value: "url", fallback: "the provider's own", summary: "Where the translator is." },
  { name: "translator-model", value: "name", summary: "The model, with openai." },
  { name: "translator-key", isVariableOnly: true, value: "text", summary: "The key of the translator." },
]);

export const serveCommand: Command = {
  name: "serve",
  summary: "Run the API as a server.",
  notes: [
    "The first start makes an organization with an admin and prints a line to try. Later starts print the address.\n\n",
    "SIGTERM and SIGINT finish what is under way and close the storage. So does the message `shutdown` of a parent process, ",
    "for systems without signals. A kill loses no write that was answered.",
  ].join(""),
  options,
  examples: [
    "octavo serve",
    "octavo serve --port 8080 --data /var/lib/octavo --origin https://docs.example.com --admin-email ada@example.com",
    "SECRET=… octavo serve --storage s3 --s3-bucket docs",
    "SECRET=… DATABASE_URL=postgres://… octavo serve --storage postgres",
  ],
  run: async (input, context) => (await import("./run-serve")).runServe(input, context),
};
