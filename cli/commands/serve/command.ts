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
      "The base URL of sites without a custom domain. https://*.docs.example.com gives each organization its own origin.",
  },
  {
    name: "trust-organizations",
    summary:
      "All organizations trust each other, or there is only one. Integration scripts then also run where sites of several " +
      "organizations share the host of SITES_URL.",
  },
  ...storageOptions,
  {
    name: "admin-email",
    value: "email",
    fallback: "admin@localhost.localdomain",
    summary: "The email address of the admin that the first start creates. Later starts don't change any user.",
  },
  { name: "admin-name", value: "text", fallback: "Admin", summary: "The display name of that admin." },
  {
    name: "admin-token",
    isVariableOnly: true,
    value: "text",
    fallback: "random, printed once",
    summary: "The admin's API token, created on the first start: 16 to 512 visible ASCII characters.",
  },
  {
    name: "smtp-url",
    isVariableOnly: true,
    value: "url",
    fallback: "none",
    summary: [
      "The SMTP server that sends emails: smtp://user:password@host:587, or smtps://user:password@host:465 for TLS from the start.",
      "Requires the package nodemailer.",
    ].join(" "),
  },
  {
    name: "mail-command",
    value: "command",
    fallback: "none",
    summary: [
      "In place of SMTP_URL, a program that sends an email from standard input, such as `sendmail -t -i`.",
      "Without either, a server that is reachable only from this machine prints the links of emails.",
    ].join(" "),
  },
  {
    name: "mail-from",
    value: "address",
    fallback: "octavo@ and the host of the origin",
    summary: "The sender address of emails.",
  },
  {
    name: "cors-origins",
    value: "origins",
    fallback: "none",
    summary: "A comma-separated list of origins that browsers may call from, or * for all.",
  },
  {
    name: "oauth-redirect-schemes",
    value: "schemes",
    fallback: "cursor,vscode,vscode-insiders,vscodium,windsurf,zed",
    summary:
      "A comma-separated list of URI schemes without a dot that OAuth clients may redirect to. Private-use schemes such as com.example.app are always allowed.",
  },
  {
    name: "rate-limit",
    value: "requests",
    fallback: "no limit",
    summary: "The number of requests each caller can make per window.",
  },
  { name: "rate-limit-window", value: "seconds", fallback: "60", summary: "The length of a window." },
  {
    name: "trusted-proxies",
    value: "addresses",
    fallback: "none",
    summary: [
      "A comma-separated list of your proxies' addresses and networks, such as 10.0.0.0/8,::1.",
      "Only X-Forwarded-For headers from these are trusted. The rate limit counts by them.",
    ].join(" "),
  },
  { name: "max-body-bytes", value: "bytes", fallback: "10485760", summary: "The maximum size of a JSON body." },
  {
    name: "sample",
    summary: "Create a sample site on the first start: the documentation of a fictional product.",
  },
  { name: "log-requests", summary: "Log each request and error as a line of JSON." },
  {
    name: "metrics-port",
    value: "number",
    fallback: "none",
    summary: "Serve Prometheus metrics at /metrics on this port. Don't expose it publicly.",
  },
  {
    name: "drain-seconds",
    value: "seconds",
    fallback: "10",
    summary: "How long to wait for running requests on shutdown.",
  },
  {
    name: "egress-allow",
    value: "hosts",
    fallback: "none",
    summary: "A comma-separated list of private hosts that outbound requests may reach, also for Git over plain http.",
  },
  { name: "import-max-pages", value: "number", fallback: "5000", summary: "The maximum number of pages in an import." },
  {
    name: "import-max-files",
    value: "number",
    fallback: "20000",
    summary: "The maximum number of files in an import, including all files of an archive.",
  },
  {
    name: "import-max-bytes",
    value: "bytes",
    fallback: "134217728",
    summary: "The maximum size of an import, downloaded and unpacked.",
  },
  { name: "import-max-seconds", value: "seconds", fallback: "300", summary: "The maximum time for reading an import." },
  {
    name: "git-max-bytes",
    value: "bytes",
    fallback: "52428800",
    summary: "The maximum download from a Git server for one import. Unpacked, it can be four times as large.",
  },
  {
    name: "git-max-files",
    value: "number",
    fallback: "20000",
    summary: "The maximum number of files in a Git repository.",
  },
  {
    name: "git-max-seconds",
    value: "seconds",
    fallback: "300",
    summary: "The maximum time for a call to a Git server.",
  },
  {
    name: "pdf-fonts",
    value: "files",
    fallback: "the standard PDF fonts",
    summary:
      "A comma-separated list of font files for PDF: the first for text, the others as fallbacks. Requires the package fontkit.",
  },
  {
    name: "translator",
    value: "kind",
    choices: ["openai", "libretranslate", "deepl"],
    fallback: "none",
    summary: "The translation service. Use openai for any server with a compatible chat API.",
  },
  {
    name: "translator-url",
    value: "url",
    fallback: "the provider's own",
    summary: "The URL of the translation service.",
  },
  { name: "translator-model", value: "name", summary: "The model to use with openai." },
  { name: "translator-key", isVariableOnly: true, value: "text", summary: "The API key of the translation service." },
]);

export const serveCommand: Command = {
  name: "serve",
  summary: "Start the server.",
  notes: [
    "The first start creates an organization with an admin and prints a command to try. Later starts print the address.\n\n",
    "On SIGTERM and SIGINT, the server finishes running requests and closes the storage. On systems without signals, a parent process can ",
    "send the message `shutdown` instead. Killing the process loses no acknowledged write.",
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
