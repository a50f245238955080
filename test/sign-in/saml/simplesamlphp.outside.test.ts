// Signs in with a real browser at a real identity provider: Debian's Chromium and Debian's simplesamlphp, over https, on two
// sites. It is unpacked into a temporary folder and run by PHP's own server. Nothing is installed, and nothing of it is left.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createPublicKey, X509Certificate } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { chromium, type Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { createSignIn } from "../../../src/sign-in";
import { browserPath } from "../../support/chromium";
import { freePort, listenOn } from "../../support/listening";
import { takePicture } from "../../support/look";
import { other, rsa } from "./keys";

const run = promisify(execFile);

interface SimpleSaml {
  /** The provider's own address, behind the one that browsers know. */
  readonly port: number;
  readonly version: string;
  readonly log: () => string;
  readonly stop: () => void;
}

/** What the provider knows of us, and we of it. */
interface Deployment {
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
async function unpack(folder: string): Promise<string> {
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
async function start(folder: string, port: number, deployment: Deployment, version: string): Promise<SimpleSaml> {
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

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server over https, with a certificate that the browser is told to accept. */
async function secure(handler: Handler): Promise<number> {
  const server = createSecureServer({ key: other.key, cert: other.certificate }, handler);
  const { port, close } = await listenOn(server);
  onTestFinished(close);
  return port;
}

/** Hands requests to a server on this machine. */
const handedTo =
  (port: () => number): Handler =>
  (incoming, response) => {
    const { method, url, headers } = incoming;
    const sent = request({ host: "127.0.0.1", port: port(), method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    sent.on("error", () => response.writeHead(502).end());
    incoming.pipe(sent);
  };

test("somebody signs in at simplesamlphp with a browser, out on both sides, and in again", async () => {
  const check = (what: string, is: unknown, expected: unknown) => expect.soft(is, what).toEqual(expected);
  const folder = await mkdtemp(join(tmpdir(), "octavo-simplesamlphp-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const version = await unpack(folder);
  const inside = await freePort();
  const idp = `https://idp.example:${await secure(handedTo(() => inside))}/simplesaml/`;
  let answer: Handler = (_, response) => void response.writeHead(503).end();
  const origin = `https://docs.example:${await secure((...given) => answer(...given))}`;
  const api = createDocsApi(memoryStorage(), {
    origin,
    secret: "a secret of more than thirty-two characters",
    verifyDomain: () => true,
  });
  onTestFinished(() => api.close());
  answer = nodeHandler(createSignIn(api)) as Handler;

  const made = await api.provision({
    user: { displayName: "Admin", email: "admin@corp.example" },
    organization: { title: "Corp" },
  });
  const [organizationId, as] = [made.organization!, { user: made.user }];
  await api.call("updateOrganization", { params: { organizationId }, body: { emailDomains: ["corp.example"] } }, as);
  const provider = await api.call(
    "createSamlProvider",
    {
      params: { organizationId },
      body: {
        label: "Corp",
        entityID: `${idp}saml2/idp/metadata.php`,
        ssoURL: `${idp}saml2/idp/SSOService.php`,
        sloURL: `${idp}saml2/idp/SingleLogoutService.php`,
        certificate: rsa.certificate,
        defaultRole: "edit",
      },
    },
    as,
  );
  const { service } = provider;
  const metadata = await (await createSignIn(api).fetch(new Request(service.entityID))).text();
  const encryptFor = metadata.match(/X509Certificate>([^<]+)</)![1]!;
  check(
    "our certificate is one",
    createPublicKey(
      new X509Certificate(Buffer.from(encryptFor, "base64")).publicKey.export({ type: "spki", format: "pem" }),
    ).asymmetricKeyType,
    "rsa",
  );
  const php = await start(
    folder,
    inside,
    {
      url: idp,
      entityID: `${idp}saml2/idp/metadata.php`,
      key: rsa.key,
      certificate: rsa.certificate,
      service: {
        entityID: service.entityID,
        acsURL: service.acsURL,
        logoutURL: service.acsURL.replace(/acs$/, "logout"),
      },
      encryptFor,
    },
    version,
  );
  onTestFinished(() => php.stop());

  const browser = await chromium.launch({
    executablePath: browserPath()!,
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.example 127.0.0.1"],
  });
  onTestFinished(() => browser.close());
  console.log(`Chromium ${browser.version()}, ${php.version}`);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const answers: string[] = [];
  page.on("request", (one) => {
    if (one.isNavigationRequest()) answers.push(`${one.method()} ${one.url().replace(/\?.*/, "?…")}`);
  });
  let pictured = 0;
  const picture = (of: Page, name: string) => takePicture(of, `${++pictured}-${name}`);

  try {
    await page.goto(`${service.startURL}?to=/v1/user`);
    await picture(page, "login-at-simplesamlphp");
    await page.fill("input[name=username]", "alice");
    await page.fill("input[name=password]", "wonderland");
    let posted: string | null = null;
    page.on("request", (one) => {
      if (one.method() === "POST" && one.url() === service.acsURL) posted = one.postData();
    });
    await Promise.all([page.waitForURL(`${origin}/v1/user`), page.press("input[name=password]", "Enter")]);
    await picture(page, "signed-in");
    for (const line of answers) console.log(`     ${line}`);
    const user = JSON.parse((await page.textContent("body"))!);
    check("Alice is signed in", [user.displayName, user.email], ["Alice Liddell", "alice@corp.example"]);
    const member = await api.call("getMember", { params: { organizationId, userId: user.id } }, as);
    check(
      "she is a member by Single sign-on, with the role of the provider",
      [member.role, member.sso],
      ["edit", true],
    );
    const cookies = await context.cookies(origin);
    check(
      "the session is bound to this host, and no script sees it",
      cookies.map(({ name, secure, httpOnly, sameSite }) => [name, secure, httpOnly, sameSite]),
      [["__Host-octavo", true, true, "Lax"]],
    );
    const sent = new URLSearchParams(posted!);
    const xml = Buffer.from(sent.get("SAMLResponse")!, "base64").toString();
    check(
      "the assertion was encrypted",
      [xml.includes("EncryptedAssertion"), xml.includes("alice@corp.example")],
      [true, false],
    );

    const fresh = await browser.newContext({ ignoreHTTPSErrors: true });
    const stolen = await fresh.newPage();
    await stolen.setContent(
      `<form method="post" action="${service.acsURL}">${[...sent].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join("")}<button>Go</button></form>`,
    );
    await Promise.all([stolen.waitForURL(service.acsURL), stolen.click("button")]);
    await picture(stolen, "replayed-in-another-browser");
    check("the same answer is refused in another browser", await stolen.textContent("h1"), "Sign-in failed");
    check(
      "and nobody is signed in there",
      (await fresh.cookies(origin)).map(({ name }) => name),
      [],
    );

    await page.goto(`${service.startURL}?to=/v1/user`);
    await page.waitForURL(`${origin}/v1/user`);
    check("the second time she is not asked again", JSON.parse((await page.textContent("body"))!).id, user.id);

    // A form of a page of ours.
    const logoutURL = service.acsURL.replace(/acs$/, "logout");
    const leave = (action: string) => {
      const form = Object.assign(document.createElement("form"), { method: "post", action });
      document.body.append(form);
      form.submit();
    };
    answers.length = 0;
    await Promise.all([page.waitForURL(/\/logout\?SAMLResponse=/), page.evaluate(leave, logoutURL)]);
    await picture(page, "signed-out-everywhere");
    for (const line of answers) console.log(`     ${line}`);
    check(
      "she signs out here, and simplesamlphp takes our signed request",
      await page.textContent("h1"),
      "You’re signed out",
    );
    check("the session has ended", (await page.goto(`${origin}/v1/user`))!.status(), 401);
    await page.goto(`${service.startURL}?to=/v1/user`);
    check("and so has the one there: she is asked again", await page.isVisible("input[name=password]"), true);
    await page.fill("input[name=username]", "alice");
    await page.fill("input[name=password]", "wonderland");
    await Promise.all([page.waitForURL(`${origin}/v1/user`), page.press("input[name=password]", "Enter")]);

    answers.length = 0;
    await page.goto(`${idp}saml2/idp/initSLO.php?RelayState=${encodeURIComponent(`${idp}logout.php`)}`);
    for (const line of answers) console.log(`     ${line}`);
    await picture(page, "signed-out-at-simplesamlphp");
    check("she signs out there, and the session here has ended", (await page.goto(`${origin}/v1/user`))!.status(), 401);

    await page.goto(`${service.startURL}?to=/v1/user`);
    await page.fill("input[name=username]", "alice");
    await page.fill("input[name=password]", "wonderland");
    await Promise.all([page.waitForURL(`${origin}/v1/user`), page.press("input[name=password]", "Enter")]);
    await api.call("removeMember", { params: { organizationId, userId: user.id } }, as);
    const gone = await page.goto(`${origin}/v1/orgs/${organizationId}`);
    check("a removed member's open page ends at the next request", gone!.status(), 404);
    const events = await api.call("listAuditEvents", { params: { organizationId } }, as);
    check(
      "the log has it",
      ["signIn", "signInFailed", "memberProvisioned", "signOut"].map(
        (action) => events.items.filter((it) => it.action === action).length,
      ),
      [4, 1, 1, 2],
    );
  } catch (error) {
    await picture(page, "failed");
    console.error(answers.join("\n"), await page.content().catch(() => ""), php.log().slice(-5000));
    throw error;
  }
});
