// The device authorization grant (RFC 8628) for clients without a browser: the client shows a user code, the user types it here
// and decides, and the client polls for the decision.

import type { PlainResponse } from "../../http/plain-request";
import { getAddressKey } from "../../http/rate-limit";
import { formatMessage } from "../../locales/format-message";
import { countAttempt } from "../../resources/people/sessions/attempt-limits";
import { generateSecret, toolDevices } from "../../resources/people/tokens/tool-codes";
import { DIRECTORY } from "../../storage/ids";
import { html } from "../../utils/html";
import { sha256Hex } from "../../utils/sha256";
import { VersionedCache } from "../../utils/versioned-cache";
import type { SignInContext, SignInRequest } from "../context";
import { findBrowserSession } from "../find-session";
import { renderButton, renderForm, renderFormField } from "../pages/blocks";
import { readFormFields } from "../pages/forms";
import { createRedirect, showPage } from "../pages/page";
import { parseScopes } from "./authorization-request";
import { readAllowedScopes, renderConsent, renderDecisionButtons } from "./authorize";
import { getClientKey, type OAuthClient } from "./clients";
import { createGrant, type TokenResponse } from "./grants";
import { OAuthError } from "./responses";

const DEVICE_CODE_SECONDS = 10 * 60;
const POLL_INTERVAL_SECONDS = 5;
/** The limit of devices that wait at once. */
const MAX_DEVICES = 1000;
/** The limit of devices that begin from one network address within ten minutes. */
const MAX_DEVICES_PER_ADDRESS = 50;
/** The limit of codes that a user may type within ten minutes. */
const MAX_CODE_ATTEMPTS = 20;
const ATTEMPT_PERIOD_MINUTES = 10;

/** Letters that form no words, because there are no vowels, and that can't be mistaken for digits. */
const CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
/** There are about 25,000,000,000 codes. */
const CODE_LENGTH = 8;

function normalizeUserCode(code: string | null): string {
  return (code ?? "").toUpperCase().replace(/[^A-Z]/g, "");
}

function formatUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

export function createDeviceFlow(context: SignInContext) {
  const { store, secrets } = context.kernel;
  /** The times of the last polls in this process, by the hash of the device code. */
  const recentPolls = new VersionedCache<number>(5000);
  const deviceUrl = context.getUrl("/device");

  /** Redirects to the sign-in page, which leads back with the code. */
  function redirectToSignIn(code: string): PlainResponse {
    const to = `${context.basePath}/device${code === "" ? "" : `?user_code=${formatUserCode(code)}`}`;
    return createRedirect(context, `${context.getUrl("/sign-in")}?to=${encodeURIComponent(to)}`);
  }

  function showCodePage(request: SignInRequest, code: string, isUnknown: boolean): PlainResponse {
    const messages = request.messages.oauth;
    const codeField = renderFormField({
      name: "user_code",
      label: messages.deviceCode,
      value: code === "" ? "" : formatUserCode(code),
      hint: messages.deviceHint,
      error: isUnknown ? messages.deviceWrong : undefined,
      maxLength: 20,
      isCode: true,
    });
    return showPage(context, request, {
      title: messages.deviceTitle,
      status: isUnknown ? 400 : 200,
      main: renderForm(deviceUrl, html`${codeField}${renderButton(request.messages.signIn.goOn)}`),
    });
  }

  return {
    /** Handles a device authorization request: creates a device code and a user code. */
    async begin(request: SignInRequest, client: OAuthClient, scope: string | null): Promise<object> {
      const scopes = parseScopes(context, scope);
      if (scopes.length === 0) throw new OAuthError("invalid_scope", "There is no such scope here.");
      const { value, hash } = generateSecret(store.random);
      let userCode = "";
      while (userCode.length < CODE_LENGTH) {
        // Larger bytes are rejected, so that every letter is equally likely.
        const [byte = 255] = store.random(1);
        if (byte < CODE_LETTERS.length * 12) userCode += CODE_LETTERS[byte % CODE_LETTERS.length];
      }
      await store.write(DIRECTORY, async (tx) => {
        await countAttempt(tx, secrets, store.now(), [
          {
            subject: ["device", getAddressKey(request.address)],
            maxAttempts: request.address === undefined ? MAX_DEVICES : MAX_DEVICES_PER_ADDRESS,
            periodMinutes: ATTEMPT_PERIOD_MINUTES,
          },
        ]);
        if ((await toolDevices.total(tx, "all")) >= MAX_DEVICES)
          throw new OAuthError("temporarily_unavailable", "Too many devices are waiting: try again later.", 503);
        const endsAt = new Date(store.now().getTime() + DEVICE_CODE_SECONDS * 1000).toISOString();
        await toolDevices.put(tx, { hash, userCode, client: getClientKey(client), name: client.name, scopes, endsAt });
      });
      return {
        device_code: value,
        user_code: formatUserCode(userCode),
        verification_uri: deviceUrl,
        verification_uri_complete: `${deviceUrl}?user_code=${formatUserCode(userCode)}`,
        expires_in: DEVICE_CODE_SECONDS,
        interval: POLL_INTERVAL_SECONDS,
      };
    },

    /** Handles a token request of a device. Throws the error code of RFC 8628 until the user has allowed it. */
    async poll(client: OAuthClient, deviceCode: string): Promise<TokenResponse> {
      const hash = sha256Hex(deviceCode);
      const now = store.now();
      const previousPoll = recentPolls.get(hash);
      recentPolls.set(hash, now.getTime());
      const outcome = await store.write(DIRECTORY, async (tx): Promise<TokenResponse | string> => {
        const device = await toolDevices.get(tx, hash);
        if (device?.client !== getClientKey(client)) return "invalid_grant";
        if (device.endsAt <= now.toISOString()) return "expired_token";
        const { decision, name } = device;
        if (!decision) return "authorization_pending";
        await toolDevices.delete(tx, hash);
        if (!decision.isAllowed) return "access_denied";
        const { user, passed, scopes } = decision;
        return (await createGrant(context, tx, { client: device.client, name, user, scopes, passed })).tokenResponse;
      });
      if (typeof outcome === "object") return outcome;
      const isTooSoon =
        outcome === "authorization_pending" &&
        previousPoll !== undefined &&
        now.getTime() - previousPoll < (POLL_INTERVAL_SECONDS - 1) * 1000;
      throw new OAuthError(isTooSoon ? "slow_down" : outcome, "There is no token for this device, or none yet.");
    },

    async showDevicePage(request: SignInRequest): Promise<PlainResponse> {
      const typedCode = normalizeUserCode(request.query.get("user_code"));
      const code = typedCode.length === CODE_LENGTH ? typedCode : "";
      const session = await findBrowserSession(context, request);
      return session ? showCodePage(request, code, false) : redirectToSignIn(code);
    },

    async handleForm(request: SignInRequest): Promise<PlainResponse> {
      const fields = await readFormFields(request);
      const code = normalizeUserCode(fields.get("user_code"));
      const session = await findBrowserSession(context, request);
      if (!session) return redirectToSignIn(code.length === CODE_LENGTH ? code : "");
      const { actor } = session;
      await store.write(DIRECTORY, (tx) =>
        countAttempt(tx, secrets, store.now(), [
          {
            subject: ["user-code", actor.user.id],
            maxAttempts: MAX_CODE_ATTEMPTS,
            periodMinutes: ATTEMPT_PERIOD_MINUTES,
          },
        ]),
      );
      const device =
        code.length === CODE_LENGTH ? await toolDevices.find(await store.read(DIRECTORY), "userCode", code) : undefined;
      if (!device || device.decision || device.endsAt <= store.now().toISOString())
        return showCodePage(request, "", true);
      const messages = request.messages.oauth;
      const isDecided = fields.has("decision") && fields.get("user") === actor.user.id;
      if (!isDecided)
        return showPage(context, request, {
          title: formatMessage(messages.allowTitle, { name: device.name }),
          main: renderForm(
            deviceUrl,
            html`<p class="note">${messages.deviceSame} <strong>${formatUserCode(device.userCode)}</strong></p>
${await renderConsent(context, request, session, device.scopes)}
${renderDecisionButtons(request)}`,
            { user_code: device.userCode, user: session.actor.user.id },
          ),
        });

      const scopes = readAllowedScopes(fields, device.scopes) ?? [];
      const isAllowed = scopes.length > 0;
      await store.write(DIRECTORY, async (tx) => {
        const current = await toolDevices.get(tx, device.hash);
        if (!current || current.decision) return;
        const decision = { isAllowed, user: actor.user.id, passed: actor.samlProviderIds ?? [], scopes };
        await toolDevices.put(tx, { ...current, decision });
      });
      return showPage(context, request, {
        title: isAllowed ? messages.deviceDone : messages.deviceDenied,
        main: html`<p>${messages.deviceBack}</p>`,
      });
    },
  };
}
