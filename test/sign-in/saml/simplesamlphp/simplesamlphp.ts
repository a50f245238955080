// Debian's simplesamlphp, unpacked into a temporary folder and run by PHP's own server: an identity provider that others
// have written, and that many run. Nothing is installed, and nothing of it is left.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { cp, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface SimpleSaml {
  /** The provider's own address, behind the one that browsers know. */
  readonly port: number;
  readonly version: string;
  readonly log: () => string;
  readonly stop: () => void;
}

/** What the provider knows of us, and we of it. */
export interface Deployment {
  /** Where browsers find the provider: https, with a slash at the end. */
  readonly url: string;
  readonly entityID: string;
  readonly key: string;
  readonly certificate: string;
  readonly service: { readonly entityID: string; readonly acsURL: string; readonly logoutURL: string };
  /** Our certificate, in base64: assertions are encrypted for it. */
  readonly encryptFor: string;
}

/** Fetches the packages of Debian that are not installed here, and unpacks them. The name of the package with its version. */
export async function unpack(folder: string): Promise<string> {
  const wanted = ["php-cli", "php-xml", "php-mbstring"];
  const listed = await run("apt-get", ["install", "--print-uris", "-y", "--no-install-recommends", ...wanted]);
  const missing = [...listed.stdout.matchAll(/^'[^']+' ([^_\s]+)_/gm)].map(([, name]) => name!);
  await mkdir(join(folder, "debs"));
  await run("apt-get", ["download", "simplesamlphp", ...missing], { cwd: join(folder, "debs") });
  const files = await readdir(join(folder, "debs"));
  for (const file of files) await run("dpkg-deb", ["-x", join(folder, "debs", file), folder]);
  return files
    .find((file) => file.startsWith("simplesamlphp"))!
    .split("_")
    .slice(0, 2)
    .join(" ");
}

const php = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(php).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `[${Object.entries(value)
      .map(([name, member]) => `${/^\d+$/.test(name) ? name : php(name)} => ${php(member)}`)
      .join(", ")}]`;
  return typeof value === "string" ? `'${value.replace(/['\\]/g, "\\$&")}'` : String(value);
};

async function configure(folder: string, { url, entityID, key, certificate, service, encryptFor }: Deployment) {
  const place = (name: string) => `${join(folder, name)}/`;
  for (const name of ["config/metadata", "cert", "log", "data", "tmp"])
    await mkdir(join(folder, name), { recursive: true });
  const config = {
    baseurlpath: url,
    certdir: place("cert"),
    loggingdir: place("log"),
    datadir: place("data"),
    tempdir: place("tmp"),
    metadatadir: place("config/metadata"),
    secretsalt: "a salt of these tests",
    "auth.adminpassword": "admin of these tests",
    "admin.protectindexpage": true,
    timezone: "UTC",
    "logging.handler": "errorlog",
    "logging.level": 7,
    "enable.saml20-idp": true,
    "module.enable": { exampleauth: true, core: true, saml: true },
    "session.cookie.secure": true,
    "session.cookie.samesite": "None",
    "session.phpsession.savepath": place("tmp"),
    "store.type": "phpsession",
    "language.default": "en",
    "metadata.sources": [{ type: "flatfile" }],
  };
  const people = {
    "0": "exampleauth:UserPass",
    "alice:wonderland": {
      uid: ["alice"],
      mail: ["alice@corp.example"],
      displayName: ["Alice Liddell"],
    },
  };
  const hosted = {
    host: "__DEFAULT__",
    privatekey: "idp.key",
    certificate: "idp.crt",
    auth: "people",
    "sign.logout": true,
    "validate.logout": true,
    "signature.algorithm": "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
    NameIDFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    authproc: { "1": { class: "saml:PersistentNameID", attribute: "uid" } },
  };
  const remote = {
    AssertionConsumerService: service.acsURL,
    SingleLogoutService: service.logoutURL,
    NameIDFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
    "assertion.encryption": true,
    "validate.logout": true,
    certData: encryptFor,
  };
  const files = {
    "config/config.php": `<?php $config = ${php(config)};`,
    "config/authsources.php": `<?php $config = ${php({ people })};`,
    "config/metadata/saml20-idp-hosted.php": `<?php $metadata[${php(entityID)}] = ${php(hosted)};`,
    "config/metadata/saml20-sp-remote.php": `<?php $metadata[${php(service.entityID)}] = ${php(remote)};`,
    "cert/idp.key": key,
    "cert/idp.crt": certificate,
    // PHP's own server takes a path with a dot for a file, and simplesamlphp has such paths behind `module.php`.
    "router.php": `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if (!preg_match('~^/simplesaml/((?:[\\w-]+/)*[\\w-]+\\.php)(/.*)?$~', $path, $found)) return false;
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = '/simplesaml/' . $found[1];
$_SERVER['PATH_INFO'] = $found[2] ?? '';
$_SERVER['HTTPS'] = 'on';
chdir(dirname(${php(join(folder, "www/simplesaml"))} . '/' . $found[1]));
require ${php(join(folder, "www/simplesaml"))} . '/' . $found[1];
`,
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

/** Runs what was unpacked. */
export async function start(
  folder: string,
  port: number,
  deployment: Deployment,
  version: string,
): Promise<SimpleSaml> {
  await configure(folder, deployment);
  const code = join(folder, "usr/share/simplesamlphp");
  await mkdir(join(folder, "www"));
  // The pages find the rest of the program by a path that goes up from their own.
  await cp(join(code, "www"), join(folder, "www/simplesaml"), { recursive: true });
  for (const name of ["lib", "vendor", "modules", "templates", "dictionaries", "schemas"])
    await cp(join(code, name), join(folder, "www", name), { recursive: true });
  const [program] = (await readdir(join(folder, "usr/bin"))).filter((name) => /^php\d/.test(name));
  const [api] = await readdir(join(folder, "usr/lib/php")).then((names) =>
    names.filter((name) => /^\d{8}$/.test(name)),
  );
  const extensions = [
    "ctype",
    "mbstring",
    "dom",
    "simplexml",
    "xml",
    "xmlreader",
    "xmlwriter",
    "posix",
    "tokenizer",
    "iconv",
  ];
  const settings = [
    `extension_dir=${join(folder, "usr/lib/php", api!)}`,
    ...extensions.map((name) => `extension=${name}`),
    "display_errors=0",
    "log_errors=1",
    "error_log=",
  ].flatMap((setting) => ["-d", setting]);
  const child: ChildProcess = spawn(
    join(folder, "usr/bin", program!),
    ["-n", ...settings, "-S", `127.0.0.1:${port}`, "-t", join(folder, "www"), join(folder, "router.php")],
    { env: { PATH: "/usr/bin:/bin", SIMPLESAMLPHP_CONFIG_DIR: join(folder, "config") } },
  );
  let log = "";
  const ready = new Promise<void>((done, fail) => {
    const hear = (text: Buffer) => {
      log += text;
      if (log.includes("started")) done();
    };
    child.stderr!.on("data", hear);
    child.stdout!.on("data", hear);
    child.on("exit", () => fail(new Error(log)));
    child.on("error", fail);
  });
  await ready;
  return { port, version, log: () => log, stop: () => child.kill("SIGKILL") };
}
