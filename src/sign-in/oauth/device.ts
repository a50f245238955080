// For tools without a browser (RFC 8628): the tool shows a short code, somebody types it here and decides, and the tool
// asks until they have.

import type { PlainResponse } from "../../http/plain-request";
import { getAddressKey } from "../../http/rate-limit";
import { type AttemptLimit, countAttempt } from "../../resources/people/sessions/attempt-limits";
import type { OpenSession } from "../../resources/people/sessions/records";
import { type DeviceRecord, generateSecret, toolDevices } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY, type Random } from "../../storage/ids";
import { hashFingerprint } from "../../storage/secrets";
import { html } from "../../utils/html";
import { LruCache } from "../../utils/lru-cache";
import { button, field, form, note } from "../pages/blocks";
import { fieldsOf } from "../pages/forms";
import { getRequestLanguage, seeOther, show } from "../pages/page";
import { wordsIn } from "../pages/words";
import type { SignInContext, SignInRequest } from "../parts";
import { signedIn } from "../signed-in";
import { OAuthError } from "./answers";
import { scopesIn } from "./asked";
import { consent, decided, decisions } from "./authorize";
import { type Client, clientKey } from "./clients";
import { grant, type Tokens } from "./grants";
import { toolWordsIn } from "./words";

const MINUTES_10 = 10 * 60;
const INTERVAL = 5;
/** The most devices that wait at once, and that begin from one network within ten minutes. */
const MOST = 1000;
const FROM_ONE_ADDRESS = 50;
/** How many codes somebody may try within ten minutes. */
const MOST_TYPED = 20;

/** No vowels, and no letter that looks like a digit: no words come out, and nothing is misread. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Eight letters: one of 25 thousand million. */
function newUserCode(random: Random): string {
  let code = "";
  while (code.length < 8) {
    // Every letter is as likely as any other.
    const [byte = 255] = random(1);
    if (byte < LETTERS.length * 12) code += LETTERS[byte % LETTERS.length];
  }
  return code;
}

/** A code as somebody typed it. */
function typed(code: string | null): string {
  return (code ?? "").toUpperCase().replace(/[^A-Z]/g, "");
}

const written = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

export function createDeviceFlow(house: SignInContext) {
  const { store, secrets } = house.kernel;
  const polled = new LruCache<{ readonly at: number }>(5000);
  const address = house.urlOf("/device");

  /** Begins: gives the device its two codes. */
  async function begin(request: SignInRequest, client: Client, scope: string | null): Promise<object> {
    const scopes = scopesIn(house, scope);
    if (scopes.length === 0) throw new OAuthError("invalid_scope", "There is no such scope here.");
    const { value, hash } = generateSecret(store.random);
    const userCode = newUserCode(store.random);
    await store.write(DIRECTORY, async (tx) => {
      const most = request.address === undefined ? MOST : FROM_ONE_ADDRESS;
      const limit: AttemptLimit = {
        subject: ["device", getAddressKey(request.address)],
        maxAttempts: most,
        periodMinutes: 10,
      };
      await countAttempt(tx, secrets, store.now(), [limit]);
      if ((await toolDevices.total(tx, "all")) >= MOST)
        throw new OAuthError("temporarily_unavailable", "Too many devices are waiting: try again later.", 503);
      const endsAt = new Date(store.now().getTime() + MINUTES_10 * 1000).toISOString();
      await toolDevices.put(tx, { hash, userCode, client: clientKey(client), name: client.name, scopes, endsAt });
    });
    return {
      device_code: value,
      user_code: written(userCode),
      verification_uri: address,
      verification_uri_complete: `${address}?user_code=${written(userCode)}`,
      expires_in: MINUTES_10,
      interval: INTERVAL,
    };
  }

  /** Answers a device that asks whether somebody has decided. */
  async function poll(client: Client, deviceCode: string): Promise<Tokens> {
    const hash = hashFingerprint(deviceCode);
    const now = store.now();
    const before = polled.get(hash)?.at;
    polled.set(hash, { at: now.getTime() });
    const outcome = await store.write(DIRECTORY, async (tx): Promise<Tokens | string> => {
      const device = await toolDevices.get(tx, hash);
      if (device?.client !== clientKey(client)) return "invalid_grant";
      if (device.endsAt <= now.toISOString()) return "expired_token";
      const { decision, name } = device;
      if (!decision) return "authorization_pending";
      await toolDevices.delete(tx, hash);
      if (!decision.isAllowed) return "access_denied";
      const { user, passed, scopes } = decision;
      return (await grant(house, tx, { client: device.client, name, user, scopes, passed })).told;
    });
    if (typeof outcome === "object") return outcome;
    const isHasty =
      outcome === "authorization_pending" && before !== undefined && now.getTime() - before < (INTERVAL - 1) * 1000;
    throw new OAuthError(isHasty ? "slow_down" : outcome, "There is no token for this device, or none yet.");
  }

  async function findDevice(code: string): Promise<DeviceRecord | undefined> {
    const found = code.length === 8 ? await toolDevices.find(await store.read(DIRECTORY), "userCode", code) : undefined;
    return found && !found.decision && found.endsAt > store.now().toISOString() ? found : undefined;
  }

  /** Whoever is not signed in comes back with the code. */
  function signInFirst(code: string): PlainResponse {
    const to = `${house.basePath}/device${code === "" ? "" : `?user_code=${written(code)}`}`;
    return seeOther(house, `${house.urlOf("/sign-in")}?to=${encodeURIComponent(to)}`);
  }

  function codePage(request: SignInRequest, code: string, isWrong: boolean): PlainResponse {
    const words = toolWordsIn(getRequestLanguage(request));
    const input = field({
      name: "user_code",
      label: words.deviceCode,
      value: code === "" ? "" : written(code),
      hint: words.deviceHint,
      wrong: isWrong ? words.deviceWrong : undefined,
      maxLength: 20,
      isCode: true,
    });
    return show(house, request, {
      title: words.deviceTitle,
      status: isWrong ? 400 : 200,
      main: form(address, html`${input}${button(wordsIn(getRequestLanguage(request)).goOn)}`),
    });
  }

  async function consentPage(
    request: SignInRequest,
    session: OpenSession,
    device: DeviceRecord,
  ): Promise<PlainResponse> {
    const words = toolWordsIn(getRequestLanguage(request));
    return show(house, request, {
      title: words.allowTitle(device.name),
      main: form(
        address,
        html`${note(html`${words.deviceSame} <strong>${written(device.userCode)}</strong>`)}
${await consent(house, request, session, device.scopes)}
${decisions(request)}`,
        { user_code: device.userCode, user: session.actor.user.id },
      ),
    });
  }

  async function decide(device: DeviceRecord, { actor }: OpenSession, scopes: readonly string[] | undefined) {
    const isAllowed = scopes !== undefined && scopes.length > 0;
    await store.write(DIRECTORY, async (tx) => {
      const now = await toolDevices.get(tx, device.hash);
      if (!now || now.decision) return;
      const decision = { isAllowed, user: actor.user.id, passed: actor.samlProviderIds ?? [], scopes: scopes ?? [] };
      await toolDevices.put(tx, { ...now, decision });
    });
    return isAllowed;
  }

  return {
    begin,
    poll,

    async page(request: SignInRequest): Promise<PlainResponse> {
      const code = typed(request.query.get("user_code"));
      const session = await signedIn(house, request);
      return session
        ? codePage(request, code.length === 8 ? code : "", false)
        : signInFirst(code.length === 8 ? code : "");
    },

    async answer(request: SignInRequest): Promise<PlainResponse> {
      const fields = await fieldsOf(request);
      const code = typed(fields.get("user_code"));
      const session = await signedIn(house, request);
      if (!session) return signInFirst(code.length === 8 ? code : "");
      await store.write(DIRECTORY, (tx) =>
        countAttempt(tx, secrets, store.now(), [
          { subject: ["user-code", session.actor.user.id], maxAttempts: MOST_TYPED, periodMinutes: 10 },
        ]),
      );
      const device = await findDevice(code);
      if (!device) return codePage(request, "", true);
      const isDecided = fields.has("decision") && fields.get("user") === session.actor.user.id;
      if (!isDecided) return consentPage(request, session, device);
      const words = toolWordsIn(getRequestLanguage(request));
      const isAllowed = await decide(device, session, decided(fields, device.scopes));
      return show(house, request, {
        title: isAllowed ? words.deviceDone : words.deviceDenied,
        main: html`<p>${words.deviceBack}</p>`,
      });
    },
  };
}
