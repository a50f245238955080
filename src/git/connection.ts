// Sends requests to one repository through the host's fetch. Credentials go only to the origin of the repository's URL.
// The bytes of a response are counted while they arrive.

import { ByteBuilder, toBase64 } from "../utils/bytes";
import { describeFailedRequest, explainFetchError } from "../utils/fetch-error";
import { parseUrl } from "../utils/url";
import { createLimitError } from "./limits";
import { GitError, type GitRemote, isBranchRef, splitCredentials } from "./port";

export type GitService = "git-upload-pack" | "git-receive-pack";

interface PostOptions extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

const VERSION_2_HEADERS = { "git-protocol": "version=2" };
/** A shorter body is sent with its length, because some servers ask for it. Git does the same. */
const MAX_BUFFERED_BYTES = 1024 * 1024;
const REDACTED = "***";
const MAX_QUOTE_LENGTH = 200;

/** The connection to a repository, for one call. */
export class GitConnection {
  readonly host: string;
  private readonly url: string;
  /** The repository's URL after redirects. */
  private currentUrl: string;

  /** The credentials in the form of the header `Authorization`. */
  private readonly basicAuth: string = "";

  /** Throws if the branch is not named in full, or the URL is not in its plain form. */
  constructor(
    private readonly remote: GitRemote,
    private readonly maxBytes: number,
  ) {
    if (!isBranchRef(remote.ref))
      throw new GitError("ref_not_found", "Use the full name of the branch, such as refs/heads/main.");
    const { url, auth } = splitCredentials(remote.url);
    const { search, hash } = parseUrl(remote.url);
    if (auth || search + hash !== "") throw new GitError("not_git", "The repository URL isn't normalized.");
    this.url = url;
    this.currentUrl = this.url;
    this.host = parseUrl(this.url).host;
    if (remote.auth) {
      const bytes = new TextEncoder().encode(`${remote.auth.username}:${remote.auth.password}`);
      this.basicAuth = toBase64(bytes);
    }
  }

  /** Requests what a service announces in a version of the protocol. */
  getAnnouncement(service: GitService, version: 1 | 2): Promise<Uint8Array> {
    const headers = version === 2 ? VERSION_2_HEADERS : {};
    return this.send(`/info/refs?service=${service}`, { method: "GET", headers });
  }

  /** Sends a command of version 2. */
  postCommand(service: GitService, command: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    return this.post(service, command, { headers: VERSION_2_HEADERS });
  }

  /** Sends a request to a service. */
  post(service: GitService, body: BodyInit, init: PostOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    const contentHeaders = {
      "content-type": `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
    };
    const headers = { ...contentHeaders, ...init.headers };
    return this.send(`/${service}`, { method: "POST", body, ...init, headers });
  }

  /** Sends a request whose body is created in pieces. A long body is sent while it is created. */
  async postStream(
    service: GitService,
    pieces: AsyncGenerator<Uint8Array<ArrayBuffer>, void>,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const buffer = new ByteBuilder();
    while (buffer.length <= MAX_BUFFERED_BYTES) {
      const { done, value } = await pieces.next();
      if (done) return this.post(service, buffer.toBytes());
      buffer.append(value);
    }

    let failure: { readonly cause: unknown } | undefined;
    let first: Uint8Array<ArrayBuffer> | undefined = buffer.toBytes();
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
      {
        async pull(controller) {
          try {
            const piece = first ?? (await pieces.next()).value;
            first = undefined;
            if (piece) controller.enqueue(piece);
            else controller.close();
          } catch (cause) {
            failure = { cause };
            throw cause;
          }
        },
        async cancel() {
          await pieces.return();
        },
      },
      { highWaterMark: 0 },
    );
    try {
      // The standard requires `duplex` for a streamed body; the types do not know it yet.
      return await this.post(service, body, { duplex: "half" } as PostOptions);
    } catch (error) {
      // A piece that could not be read here is no fault of the server.
      throw failure ? failure.cause : error;
    }
  }

  /** Shortens a server's message to one line, without secrets. */
  quote(message: string): string {
    const { auth } = this.remote;
    let redacted = message;
    if (auth) {
      // The longest come first. The name is the secret when a token is used as the name.
      const secret = auth.password || auth.username;
      const secrets = [this.basicAuth, encodeURIComponent(secret), secret].filter((text) => text !== "");
      for (const text of secrets) redacted = redacted.replaceAll(text, REDACTED);
    }
    const line = redacted.replace(/[\p{Cc}\p{Cf}\s]+/gu, " ").trim();
    return line.length > MAX_QUOTE_LENGTH ? `${line.slice(0, MAX_QUOTE_LENGTH)}…` : line;
  }

  private async send(path: string, init: RequestInit): Promise<Uint8Array<ArrayBuffer>> {
    const { fetch: guardedFetch, auth, signal } = this.remote;
    const headers = new Headers(init.headers);
    headers.set("user-agent", "git/octavo");
    headers.set("cache-control", "no-cache");
    if (auth && parseUrl(this.currentUrl).origin === parseUrl(this.url).origin)
      headers.set("authorization", `Basic ${this.basicAuth}`);
    try {
      const response = await guardedFetch(`${this.currentUrl}${path}`, { ...init, headers, signal: signal ?? null });
      if (response.status !== 200) {
        await response.body?.cancel();
        throw this.createStatusError(response.status);
      }
      const type = (response.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
      if (!type.startsWith("application/x-git-")) {
        await response.body?.cancel();
        throw new GitError("not_git", `${this.host} responded, but this URL isn't a Git repository.`);
      }
      this.followRedirect(response.url, path);
      return await this.readBody(response);
    } catch (error) {
      throw this.toGitError(error);
    }
  }

  private createStatusError(status: number): GitError {
    // 203 is the sign-in page of a server that does not answer 401.
    if (status === 401 || status === 403 || status === 203)
      return new GitError("unauthorized", `${this.host} rejected the credentials for this repository.`);
    if (status === 404 || status === 410) return new GitError("not_found", `${this.host} has no such repository.`);
    if (status === 413) return new GitError("too_large", `${this.host} rejected the push because it is too large.`);
    if (status === 429 || status >= 500)
      return new GitError("unreachable", `${this.host} returned the status ${status}.`);
    return new GitError(
      "not_git",
      `${this.host} returned the status ${status}, which isn't a valid response of a Git server.`,
    );
  }

  /** Sends all further requests to the new URL after a redirect. */
  private followRedirect(url: string, path: string): void {
    const [suffix] = path.split("?");
    if (suffix !== "/info/refs" || url === "") return;
    const { origin, pathname } = parseUrl(url);
    if (!pathname.endsWith(suffix))
      throw new GitError("not_git", `${this.host} redirected to a URL that isn't the repository.`);
    this.currentUrl = `${origin}${pathname.slice(0, -suffix.length)}`;
  }

  private async readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new ByteBuilder();
    const reader = response.body?.getReader();
    if (!reader) return bytes.toBytes();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes.toBytes();
      if (bytes.length + value.length > this.maxBytes) {
        await reader.cancel();
        throw this.createSizeError();
      }
      bytes.append(value);
    }
  }

  private createSizeError(): GitError {
    return createLimitError(`${this.host} sent more than the ${this.maxBytes} bytes that are taken in.`, "maxBytes");
  }

  /** Replaces the error of a failed request. Only the message of a guarded fetch is repeated: it names the host. */
  private toGitError(error: unknown): GitError {
    if (error instanceof GitError) return error;
    const { name, reason } = Object(error) as { name?: unknown; reason?: unknown };
    if (reason === "timeout" || name === "TimeoutError" || name === "AbortError" || this.remote.signal?.aborted)
      return new GitError("timeout", `${this.host} took too long to respond.`);
    if (reason === "too_large") return this.createSizeError();
    if (name !== "EgressError" && explainFetchError(error) === undefined)
      return new GitError("unreachable", `${this.host} couldn't be reached, or the connection was interrupted.`);
    return new GitError("unreachable", this.quote(describeFailedRequest(this.host, error)));
  }
}
