// Sends requests to one repository through the given fetch. Name and password go only to the origin of the repository's
// address. The bytes of an answer are counted while they arrive.

import { ByteBuilder } from "../utils/bytes";
import { describeFailedRequest, explainFetchError } from "../utils/fetch-error";
import { parseUrl } from "../utils/url";
import { overLimit } from "./limits";
import type { GitAuth, GitPlace } from "./port";
import { GitRefused } from "./refused";

export type Service = "git-upload-pack" | "git-receive-pack";

type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, void>;

const VERSION_2 = { "git-protocol": "version=2" };
/** A shorter body is sent with its length, because some servers ask for it. Git does the same. */
const MOST_WHOLE = 1024 * 1024;
/** What a request whose body is a stream has to say. */
const HALF = { duplex: "half" };
const HIDDEN = "***";
const MAX_QUOTE = 200;

/** The connection to a repository, for one call. */
export class Wire {
  readonly host: string;
  /** The repository's URL after redirects. */
  private base: string;

  constructor(
    private readonly place: GitPlace,
    readonly url: string,
    private readonly maxBytes: number,
  ) {
    this.base = url;
    this.host = parseUrl(url).host;
  }

  /** The first answer of a service, for a version of the protocol. */
  announcement(service: Service, version: 1 | 2): Promise<Uint8Array> {
    const headers = version === 2 ? VERSION_2 : {};
    return this.send(`/info/refs?service=${service}`, { method: "GET", headers });
  }

  /** The answer to a command of version 2. */
  listOf(service: Service, command: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return this.send(`/${service}`, { method: "POST", headers: { ...typesOf(service), ...VERSION_2 }, body: command });
  }

  /** The answer of a service to a request. */
  post(service: Service, body: BodyInit, more: object = {}): Promise<Uint8Array<ArrayBuffer>> {
    return this.send(`/${service}`, { method: "POST", headers: typesOf(service), body, ...more });
  }

  /** The same for a request that is made in pieces. If it is long, they are sent as they come. */
  async postPieces(service: Service, pieces: Pieces): Promise<Uint8Array<ArrayBuffer>> {
    const begun = new ByteBuilder();
    for (;;) {
      const { done, value } = await pieces.next();
      if (!done) begun.append(value);
      if (!done && begun.length <= MOST_WHOLE) continue;
      return done ? this.post(service, begun.toBytes()) : this.stream(service, begun.toBytes(), pieces);
    }
  }

  private async stream(service: Service, begun: Uint8Array<ArrayBuffer>, pieces: Pieces) {
    let failure: { readonly cause: unknown } | undefined;
    const body = streamOf(begun, pieces, (cause) => {
      failure = { cause };
    });
    try {
      return await this.post(service, body, HALF);
    } catch (error) {
      // What could not be read here is no fault of the server.
      throw failure ? failure.cause : error;
    }
  }

  /** A server's message for people: one short line without secrets. */
  quote(said: string): string {
    const hidden = secrets(this.place.auth).reduce((text, secret) => text.replaceAll(secret, HIDDEN), said);
    const line = hidden.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
    return line.length > MAX_QUOTE ? `${line.slice(0, MAX_QUOTE)}…` : line;
  }

  private async send(path: string, init: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
    const { fetch: guarded, auth, signal } = this.place;
    const headers = new Headers(init.headers);
    headers.set("user-agent", "git/octavo");
    headers.set("cache-control", "no-cache");
    if (auth && parseUrl(this.base).origin === parseUrl(this.url).origin) headers.set("authorization", basic(auth));
    try {
      const response = await guarded(`${this.base}${path}`, { ...init, headers, signal: signal ?? null });
      await this.checkStatus(response);
      const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
      if (!type.startsWith("application/x-git-")) {
        await response.body?.cancel();
        throw new GitRefused("not_git", `${this.host} answered, but not as a Git server does at this address.`);
      }
      this.moveTo(response.url, path);
      return await this.take(response);
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private async checkStatus(response: Response): Promise<void> {
    const { status } = response;
    if (status === 200) return;
    await response.body?.cancel();
    // 203 is the sign-in page of a server that does not say 401.
    if (status === 401 || status === 403 || status === 203)
      throw new GitRefused("unauthorized", `${this.host} did not accept the credentials for this repository.`);
    if (status === 404 || status === 410) throw new GitRefused("not_found", `${this.host} has no such repository.`);
    if (status === 413) throw new GitRefused("too_large", `${this.host} does not take in that much at once.`);
    if (status === 429 || status >= 500)
      throw new GitRefused("unreachable", `${this.host} answered with the status ${status}.`);
    throw new GitRefused("not_git", `${this.host} answered with the status ${status}, which no Git server does here.`);
  }

  /** After a redirect all further requests go to the new address. */
  private moveTo(url: string, path: string): void {
    const [suffix] = path.split("?");
    if (suffix !== "/info/refs" || url === "") return;
    const { origin, pathname } = parseUrl(url);
    if (!pathname.endsWith(suffix))
      throw new GitRefused("not_git", `${this.host} led away from the repository to something else.`);
    this.base = `${origin}${pathname.slice(0, -suffix.length)}`;
  }

  private async take(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new ByteBuilder();
    const reader = response.body?.getReader();
    if (!reader) return bytes.toBytes();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.toBytes();
      if (bytes.length + value.length > this.maxBytes) {
        await reader.cancel();
        throw this.tooMuch();
      }
      bytes.append(value);
    }
  }

  private tooMuch(): GitRefused {
    return overLimit(`${this.host} sent more than the ${this.maxBytes} bytes that are taken in.`, "maxBytes");
  }

  /**
   * The error of a failed request, in our own words. The message of a guarded fetch names only the host, and may be
   * repeated.
   */
  private refusal(error: unknown): GitRefused {
    if (error instanceof GitRefused) return error;
    const { name, reason } = Object(error) as { name?: unknown; reason?: unknown };
    if (reason === "timeout" || name === "TimeoutError" || name === "AbortError" || this.place.signal?.aborted)
      return new GitRefused("timeout", `${this.host} took too long to answer.`);
    if (reason === "too_large") return this.tooMuch();
    if (name !== "EgressRefused" && explainFetchError(error) === undefined)
      return new GitRefused("unreachable", `${this.host} could not be reached, or broke off in the middle.`);
    return new GitRefused("unreachable", this.quote(describeFailedRequest(this.host, error)));
  }
}

/** A stream of what was begun and what follows it, each piece when it is asked for. */
function streamOf(
  begun: Uint8Array<ArrayBuffer>,
  pieces: Pieces,
  onFailure: (cause: unknown) => void,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let first: Uint8Array<ArrayBuffer> | undefined = begun;
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = first ?? (await pieces.next()).value;
          first = undefined;
          if (piece) controller.enqueue(piece);
          else controller.close();
        } catch (error) {
          onFailure(error);
          throw error;
        }
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
}

function typesOf(service: Service): Record<string, string> {
  return { "content-type": `application/x-${service}-request`, accept: `application/x-${service}-result` };
}

function basic({ username, password }: GitAuth): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
}

/** Everything that must not be repeated, the longest first. The name is secret when a token is used as the name. */
function secrets(auth: GitAuth | undefined): string[] {
  if (!auth) return [];
  const plain = [auth.password || auth.username].filter((secret) => secret !== "");
  return [basic(auth).slice("Basic ".length), ...plain.map(encodeURIComponent), ...plain];
}
