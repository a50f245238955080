// The settings of a server, from flags and variables. Every value is checked before anything is started; a wrong one is
// refused with one sentence.

import { existsSync } from "node:fs";
import { isIP } from "node:net";
import type { CorsOptions, DocsApiOptions, RateLimitOptions } from "octavo";
import { guardedFetch } from "octavo/node";
import { isRedirectScheme } from "octavo/sign-in";
import { omitUndefined } from "../../../src/utils/objects";
import { isOrigin, type PublicOrigin, readPublicOrigin } from "../../connection/public-origin";
import { readStorageSettings, type StorageSettings } from "../../connection/storage-settings";
import type { CommandInput } from "../../framework/command";
import { UsageError } from "../../framework/command";
import { readNumber } from "../../framework/command-input";
import { readSmtpSettings, type SmtpSettings } from "./smtp";
import { readTranslatorSettings, type TranslatorSettings } from "./translator";

const MAX_BYTES = 1024 ** 4;
const MAX_FILES = 200_000;
const MAX_SECONDS = 86_400;

export interface ServerSettings extends StorageSettings, PublicOrigin {
  readonly sitesUrl: string | undefined;
  /** Runs the scripts of integrations also where organizations share an origin. */
  readonly trustOrganizations: boolean;
  /** The admin whom the first start creates. */
  readonly admin: { readonly email: string; readonly displayName: string };
  readonly adminToken: string | undefined;
  /** Creates a sample site on the first start. */
  readonly hasSample: boolean;
  /** The program that sends mails, with its arguments. Default: mails are not sent. */
  readonly mailCommand: readonly [program: string, ...args: string[]] | undefined;
  /** The server that sends mails. Default: none. */
  readonly smtp: SmtpSettings | undefined;
  readonly mailFrom: string;
  readonly cors: CorsOptions | undefined;
  /** The schemes without a dot that OAuth clients may use. Default: those of common editors. */
  readonly redirectSchemes: readonly string[] | undefined;
  readonly rateLimit: RateLimitOptions | undefined;
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number | undefined;
  readonly drainMs: number;
  readonly logsRequests: boolean;
  /** The port that serves metrics. Default: none. */
  readonly metricsPort: number | undefined;
  readonly fetch: typeof fetch;
  readonly imports: NonNullable<DocsApiOptions["imports"]>;
  /** The options of Git. The hosts of `--egress-allow` may be reached over plain http. */
  readonly git: NonNullable<DocsApiOptions["git"]>;
  readonly fonts: readonly string[];
  readonly translator: TranslatorSettings | undefined;
}

export function readServerSettings(
  input: CommandInput,
  env: Readonly<Record<string, string | undefined>>,
): ServerSettings {
  const { text, label } = input;
  const publicOrigin = readPublicOrigin(input);
  const drainSeconds = readNumber(input, "drain-seconds", 0, 99999) ?? 10;
  const sitesUrl = text("sites-url");
  // The first label of the host may be a wildcard.
  const exampleSitesUrl = sitesUrl?.replace("://*.", "://x.");
  if (
    exampleSitesUrl !== undefined &&
    !(/^https?:\/\/[^\s*?#@]+$/.test(exampleSitesUrl) && URL.canParse(exampleSitesUrl))
  )
    throw new UsageError(
      `${label("sites-url")} must be a URL, such as https://docs.example.com/sites or https://*.docs.example.com.`,
    );
  const [mailProgram, ...mailArgs] = (text("mail-command") ?? "").split(" ").filter(Boolean);
  const smtp = readSmtpSettings(input);
  if (smtp && mailProgram !== undefined)
    throw new UsageError(`${label("mail-command")} and SMTP_URL can't be combined: choose one.`);
  const mailFrom = text("mail-from") ?? `octavo@${new URL(publicOrigin.origin).hostname}`;
  if (!/^[^\s<>"]+@[^\s<>"]+$/.test(mailFrom)) throw new UsageError(`${label("mail-from")} must be an email address.`);
  const admin = {
    email: text("admin-email") ?? "admin@localhost.localdomain",
    displayName: text("admin-name")?.trim() ?? "Admin",
  };
  // The API checks the address more closely when it makes the admin.
  if (!/^[^\s@]{1,64}@[^\s@]{1,189}$/.test(admin.email))
    throw new UsageError(`${label("admin-email")} must be an email address, such as ada@example.com.`);
  if (!/^\P{Cc}{1,64}$/u.test(admin.displayName))
    throw new UsageError(`${label("admin-name")} must have 1 to 64 characters.`);
  const adminToken = text("admin-token");
  if (adminToken !== undefined && !/^[\x21-\x7e]{16,512}$/.test(adminToken))
    throw new UsageError("ADMIN_TOKEN must have 16 to 512 visible ASCII characters.");
  const allowedHosts = readList(input, "egress-allow");
  const imports = omitUndefined({
    maxPages: readNumber(input, "import-max-pages", 1, 100_000),
    maxFiles: readNumber(input, "import-max-files", 1, MAX_FILES),
    maxBytes: readNumber(input, "import-max-bytes", 1024, MAX_BYTES),
    maxSeconds: readNumber(input, "import-max-seconds", 1, MAX_SECONDS),
  });
  const git = {
    http: allowedHosts,
    limits: omitUndefined({
      maxBytes: readNumber(input, "git-max-bytes", 1024, MAX_BYTES),
      maxFiles: readNumber(input, "git-max-files", 1, MAX_FILES),
    }),
    ...omitUndefined({ maxSeconds: readNumber(input, "git-max-seconds", 1, MAX_SECONDS) }),
  };
  const outboundFetch = createOutboundFetch(input, allowedHosts, imports, git);
  const fonts = readList(input, "pdf-fonts");
  const missingFont = fonts.find((path) => !existsSync(path));
  if (missingFont !== undefined)
    throw new UsageError(`${label("pdf-fonts")} names ${missingFont}, which doesn't exist.`);

  const storage = readStorageSettings(input, env);
  const cors = readCorsOptions(input);
  const schemes = readList(input, "oauth-redirect-schemes");
  if (!schemes.every(isRedirectScheme))
    throw new UsageError(
      `${label("oauth-redirect-schemes")} must be a comma-separated list of application schemes in lowercase without colons, such as vscode.`,
    );
  const limit = readNumber(input, "rate-limit", 1, 1_000_000_000);
  const window = readNumber(input, "rate-limit-window", 1, 86_400);
  if (limit === undefined && window !== undefined)
    throw new UsageError(`${label("rate-limit-window")} requires ${label("rate-limit")}.`);
  return {
    ...storage,
    ...publicOrigin,
    sitesUrl,
    trustOrganizations: input.isEnabled("trust-organizations"),
    admin,
    adminToken,
    hasSample: input.isEnabled("sample"),
    mailCommand: mailProgram === undefined ? undefined : [mailProgram, ...mailArgs],
    smtp,
    mailFrom,
    cors,
    redirectSchemes: text("oauth-redirect-schemes") === undefined ? undefined : schemes,
    rateLimit: limit === undefined ? undefined : { limit, ...omitUndefined({ window }) },
    trustedProxies: readTrustedProxies(input),
    maxBodyBytes: readNumber(input, "max-body-bytes", 1024, 1024 ** 3),
    drainMs: drainSeconds * 1000,
    logsRequests: input.isEnabled("log-requests"),
    metricsPort: readNumber(input, "metrics-port", 1, 65535),
    fetch: outboundFetch,
    imports,
    git,
    fonts,
    translator: readTranslatorSettings(input),
  };
}

function readList({ text }: CommandInput, name: string): string[] {
  return (text(name) ?? "").split(",").flatMap((entry) => entry.trim() || []);
}

function readCorsOptions(input: CommandInput): CorsOptions | undefined {
  const origins = readList(input, "cors-origins");
  if (origins.length === 0) return undefined;
  if (origins.length === 1 && origins[0] === "*") return { origins: "*" };
  if (!origins.every(isOrigin))
    throw new UsageError(
      `${input.label("cors-origins")} must be a comma-separated list of origins, such as https://app.example.com, or *.`,
    );
  // Browsers send an origin in one form only: without a trailing slash and without the default port.
  return { origins: origins.map((origin) => new URL(origin).origin) };
}

function readTrustedProxies(input: CommandInput): readonly string[] {
  const proxies = readList(input, "trusted-proxies");
  const isNetwork = (entry: string) => {
    const [, address, bits] = entry.match(/^([^/]+)(?:\/(\d{1,3}))?$/) ?? [];
    const family = isIP(address ?? "");
    return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
  };
  if (!proxies.every(isNetwork))
    throw new UsageError(
      `${input.label("trusted-proxies")} must be a comma-separated list of IP addresses or networks, such as 10.0.0.0/8,::1.`,
    );
  return proxies;
}

/** Creates the `fetch` for outbound requests. A response may be as large, and take as long, as the largest limit that is set. */
function createOutboundFetch(
  input: CommandInput,
  allow: string[],
  imports: ServerSettings["imports"],
  git: ServerSettings["git"],
): typeof fetch {
  const maxBytes = Math.max(50 * 1024 ** 2, imports.maxBytes ?? 0, git.limits?.maxBytes ?? 0);
  const timeoutMs = 1000 * Math.max(30, imports.maxSeconds ?? 0, git.maxSeconds ?? 0);
  try {
    return guardedFetch({ allow, maxBytes, timeoutMs });
  } catch {
    const label = input.label("egress-allow");
    throw new UsageError(`${label} must be a comma-separated list of hosts, such as git.internal,localhost:9000.`);
  }
}
