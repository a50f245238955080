// The settings of a server, from flags and variables. Every value is checked before anything is started; a wrong one is
// refused with one sentence.

import { existsSync } from "node:fs";
import { isIP } from "node:net";
import type { CorsOptions, DocsApiOptions, RateLimitOptions } from "octavo";
import { guardedFetch } from "octavo/node";
import { isRedirectScheme } from "octavo/sign-in";
import { omitUndefined } from "../../../src/utils/objects";
import { type StorageSettings, storageSettings } from "../../connection/storage-settings";
import { wrongUse } from "../../framework/errors";
import type { Given } from "../../framework/parsed-arguments";
import { type TranslatorSettings, translatorSettings } from "./translator";

export interface ServerSettings extends StorageSettings {
  readonly port: number;
  readonly host: string;
  /** Where this machine reaches the server. */
  readonly address: string;
  readonly origin: string;
  readonly sitesUrl: string | undefined;
  /** Whether scripts of integrations run where organizations share an origin. */
  readonly trustOrganizations: boolean;
  readonly adminToken: string | undefined;
  /** Whether the first start makes a sample site. */
  readonly hasSample: boolean;
  /** The program that sends mails, with its arguments; undefined: none does. */
  readonly mailCommand: readonly [program: string, ...args: string[]] | undefined;
  readonly mailFrom: string;
  readonly cors: CorsOptions | undefined;
  /** The schemes without a dot of OAuth clients; undefined: the usual ones. */
  readonly redirectSchemes: readonly string[] | undefined;
  readonly rateLimit: RateLimitOptions | undefined;
  readonly trustedProxies: readonly string[];
  readonly maxBodyBytes: number | undefined;
  readonly drainMs: number;
  readonly logsRequests: boolean;
  /** Where metrics are given; undefined: nowhere. */
  readonly metricsPort: number | undefined;
  readonly fetch: typeof fetch;
  readonly imports: NonNullable<DocsApiOptions["imports"]>;
  /** Who is trusted inside one's own network may speak plain http there. */
  readonly git: NonNullable<DocsApiOptions["git"]>;
  readonly fonts: readonly string[];
  readonly translator: TranslatorSettings | undefined;
}

export function serverSettings(given: Given, env: Readonly<Record<string, string | undefined>>): ServerSettings {
  const { text, label } = given;
  const port = numberOf(given, "port", 1, 65535) ?? 3000;
  const drainSeconds = numberOf(given, "drain-seconds", 0, 99999) ?? 10;
  const host = text("host") ?? "127.0.0.1";
  const address = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (!URL.canParse(address)) throw wrongUse(`${label("host")} must be a host name or an IP address.`);
  const origin = text("origin") ?? address;
  if (origin !== address && !isOrigin(origin))
    throw wrongUse(`${label("origin")} must be an origin without a path, such as https://docs.example.com.`);
  const sitesUrl = text("sites-url");
  if (sitesUrl !== undefined && !isSitesUrl(sitesUrl))
    throw wrongUse(
      `${label("sites-url")} must be a URL, such as https://docs.example.com/sites or https://*.docs.example.com.`,
    );
  const adminToken = text("admin-token");
  if (adminToken !== undefined && !/^[\x21-\x7e]{16,512}$/.test(adminToken))
    throw wrongUse("ADMIN_TOKEN must have 16 to 512 visible ASCII characters.");
  const allow = listOf(given, "egress-allow");
  const [imports, git] = [importsOf(given), gitOf(given, allow)];
  return {
    ...storageSettings(given, env),
    port,
    host,
    address,
    origin,
    sitesUrl,
    trustOrganizations: given.isOn("trust-organizations"),
    adminToken,
    hasSample: given.isOn("sample"),
    ...mailOf(given, origin),
    cors: corsOf(given),
    redirectSchemes: readRedirectSchemes(given),
    rateLimit: rateLimitOf(given),
    trustedProxies: proxiesOf(given),
    maxBodyBytes: numberOf(given, "max-body-bytes", 1024, 1024 ** 3),
    drainMs: drainSeconds * 1000,
    logsRequests: given.isOn("log-requests"),
    metricsPort: numberOf(given, "metrics-port", 1, 65535),
    fetch: outbound(given, allow, { imports, git }),
    imports,
    git,
    fonts: fontFiles(given),
    translator: translatorSettings(given),
  };
}

function numberOf({ text, label }: Given, name: string, least: number, most: number): number | undefined {
  const value = text(name);
  if (value === undefined) return undefined;
  const isWhole = /^\d{1,13}$/.test(value) && Number(value) >= least && Number(value) <= most;
  if (!isWhole) throw wrongUse(`${label(name)} must be a whole number from ${least} to ${most}.`);
  return Number(value);
}

function listOf({ text }: Given, name: string): string[] {
  return (text(name) ?? "").split(",").flatMap((entry) => entry.trim() || []);
}

function isOrigin(text: string): boolean {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return false;
  const { origin, href } = new URL(text);
  return href === `${origin}/`;
}

/** A URL without a query, which may have a wildcard as its first label. */
function isSitesUrl(text: string): boolean {
  const url = text.replace("://*.", "://x.");
  return /^https?:\/\/[^\s*?#@]+$/.test(url) && URL.canParse(url);
}

function corsOf(given: Given): CorsOptions | undefined {
  const origins = listOf(given, "cors-origins");
  if (origins.length === 0) return undefined;
  if (origins.length === 1 && origins[0] === "*") return { origins: "*" };
  if (!origins.every(isOrigin))
    throw wrongUse(
      `${given.label("cors-origins")} must be origins, such as https://app.example.com, with commas between, or * alone.`,
    );
  // A browser writes an origin in one way only: without a slash at the end and without the usual port.
  return { origins: origins.map((origin) => new URL(origin).origin) };
}

function readRedirectSchemes(given: Given): readonly string[] | undefined {
  const name = "oauth-redirect-schemes";
  if (given.text(name) === undefined) return undefined;
  const schemes = listOf(given, name);
  if (!schemes.every(isRedirectScheme))
    throw wrongUse(
      `${given.label(name)} must be schemes of applications in lowercase letters, such as vscode, with commas between and without colons.`,
    );
  return schemes;
}

function mailOf(given: Given, origin: string): Pick<ServerSettings, "mailCommand" | "mailFrom"> {
  const [program, ...args] = (given.text("mail-command") ?? "").split(" ").filter(Boolean);
  const mailFrom = given.text("mail-from") ?? `octavo@${new URL(origin).hostname}`;
  if (!/^[^\s<>"]+@[^\s<>"]+$/.test(mailFrom)) throw wrongUse(`${given.label("mail-from")} must be an e-mail address.`);
  return { mailCommand: program === undefined ? undefined : [program, ...args], mailFrom };
}

function rateLimitOf(given: Given): RateLimitOptions | undefined {
  const limit = numberOf(given, "rate-limit", 1, 1_000_000_000);
  const window = numberOf(given, "rate-limit-window", 1, 86_400);
  if (limit === undefined) {
    if (window === undefined) return undefined;
    throw wrongUse(`${given.label("rate-limit-window")} needs ${given.label("rate-limit")} beside it.`);
  }
  return { limit, ...omitUndefined({ window }) };
}

function proxiesOf(given: Given): readonly string[] {
  const proxies = listOf(given, "trusted-proxies");
  if (!proxies.every(isNetwork))
    throw wrongUse(
      `${given.label("trusted-proxies")} must be IP addresses or networks, such as 10.0.0.0/8 or ::1, with commas between.`,
    );
  return proxies;
}

function isNetwork(text: string): boolean {
  const [, address, bits] = text.match(/^([^/]+)(?:\/(\d{1,3}))?$/) ?? [];
  const family = isIP(address ?? "");
  return family !== 0 && (bits === undefined || Number(bits) <= (family === 4 ? 32 : 128));
}

const MOST_BYTES = 1024 ** 4;
const MOST_FILES = 200_000;
const MOST_SECONDS = 86_400;

function importsOf(given: Given): ServerSettings["imports"] {
  return defined({
    maxPages: numberOf(given, "import-max-pages", 1, 100_000),
    maxFiles: numberOf(given, "import-max-files", 1, MOST_FILES),
    maxBytes: numberOf(given, "import-max-bytes", 1024, MOST_BYTES),
    maxSeconds: numberOf(given, "import-max-seconds", 1, MOST_SECONDS),
  });
}

function gitOf(given: Given, http: readonly string[]): ServerSettings["git"] {
  const limits = defined({
    maxBytes: numberOf(given, "git-max-bytes", 1024, MOST_BYTES),
    maxFiles: numberOf(given, "git-max-files", 1, MOST_FILES),
  });
  return { http, limits, ...defined({ maxSeconds: numberOf(given, "git-max-seconds", 1, MOST_SECONDS) }) };
}

/** The settings that are set. */
function defined<Settings extends object>(
  settings: Settings,
): { [name in keyof Settings]?: Exclude<Settings[name], undefined> } {
  const set = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [name in keyof Settings]?: Exclude<Settings[name], undefined> };
}

/** One answer may be as large, and take as long, as the largest thing that is set. */
function outbound(given: Given, allow: string[], { imports, git }: Pick<ServerSettings, "imports" | "git">) {
  const maxBytes = Math.max(50 * 1024 ** 2, imports.maxBytes ?? 0, git.limits?.maxBytes ?? 0);
  const timeoutMs = 1000 * Math.max(30, imports.maxSeconds ?? 0, git.maxSeconds ?? 0);
  try {
    return guardedFetch({ allow, maxBytes, timeoutMs });
  } catch {
    const label = given.label("egress-allow");
    throw wrongUse(`${label} must be hosts, such as git.internal or localhost:9000, with commas between.`);
  }
}

function fontFiles(given: Given): string[] {
  const paths = listOf(given, "pdf-fonts");
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined) throw wrongUse(`${given.label("pdf-fonts")} names ${missing}, which is not there.`);
  return paths;
}
