// Signs in with a real browser at a real identity provider: Debian's Chromium and Debian's simplesamlphp, over https, on two
// sites. `npm run test:saml -- pictures` leaves pictures of every step in a folder.

import { createPublicKey, X509Certificate } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { createDocsApi } from "octavo";
import { memoryStorage } from "octavo/memory";
import { nodeHandler } from "octavo/node";
import { chromium, type Page } from "playwright-core";
import { createSignIn } from "../../../../src/sign-in";
import { browserPath } from "../../../support/chromium";
import { other, rsa } from "../keys";
import { start, unpack } from "./simplesamlphp";

const path = browserPath();
if (path === undefined) {
  console.error("There is no browser here: install Debian's package chromium, or set CHROMIUM to the path of one.");
  exit(1);
}
const pictures = argv[2];
if (pictures !== undefined) await mkdir(pictures, { recursive: true });

const failures: string[] = [];
function check(what: string, is: unknown, expected: unknown): void {
  const isRight = JSON.stringify(is) === JSON.stringify(expected);
  console.log(
    `${isRight ? "ok  " : "FAIL"} ${what}${isRight ? "" : `: ${JSON.stringify(is)}, not ${JSON.stringify(expected)}`}`,
  );
  if (!isRight) failures.push(what);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;
const closing: (() => unknown)[] = [];

/** A server over https, with a certificate that the browser is told to accept. */
async function secure(handler: Handler): Promise<number> {
  const server = createSecureServer({ key: other.key, cert: other.certificate }, handler);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  closing.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return (server.address() as AddressInfo).port;
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

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

const folder = await mkdtemp(join(tmpdir(), "octavo-simplesamlphp-"));
closing.push(() => rm(folder, { recursive: true }));
try {
  await all();
} finally {
  for (const close of closing.reverse()) await close();
}
if (failures.length > 0) {
  console.error(`${failures.length} things are wrong.`);
  exit(1);
}

async function all(): Promise<void> {
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
  closing.push(() => api.close());
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
  closing.push(() => php.stop());

  const browser = await chromium.launch({
    executablePath: path!,
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP *.example 127.0.0.1"],
  });
  closing.push(() => browser.close());
  console.log(`Chromium ${browser.version()}, ${php.version}`);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const answers: string[] = [];
  page.on("request", (one) => {
    if (one.isNavigationRequest()) answers.push(`${one.method()} ${one.url().replace(/\?.*/, "?…")}`);
  });
  let pictured = 0;
  const picture = async (of: Page, name: string) => {
    if (pictures !== undefined) await of.screenshot({ path: join(pictures, `${++pictured}-${name}.png`) });
  };

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
      "she is a member by single sign-on, with the role of the provider",
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
    check(
      "the same answer is refused in another browser",
      await stolen.textContent("h1"),
      "You could not be signed in",
    );
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
      "You are signed out",
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
}
