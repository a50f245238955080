// Creates the ports of an API from the host's options: what handlers and jobs use of the host, with the defaults filled in.

import { version } from "../../package.json";
import { ANSWER_TIMEOUT_MS } from "../ports/answer-model";
import { createDomainVerifier } from "../ports/domain-verification";
import { createEmbedDescriber } from "../ports/embed-describer";
import { createImportRunner } from "../ports/importer";
import type { Ports } from "../ports/ports";
import { createPrintQueue } from "../ports/printer";
import { createScriptRunner } from "../ports/script-runner";
import { createTemplateLoader } from "../resources/content/templates/records";
import { DEFAULT_SANDBOX_LIMITS } from "../sandbox/port";
import { createKeyedMutex } from "../utils/concurrency/keyed-mutex";
import type { Environment } from "./environment";
import type { DocsApiOptions } from "./options";

/** Creates the ports. Parts that most processes never use are loaded when they are first needed. */
export function createPorts(options: DocsApiOptions, { now, onError, secrets, urls, caches }: Environment): Ports {
  // Most processes reach no repository and print nothing, so the built-in client and printer are loaded when first needed.
  const loadGitClient = async () => options.git?.client ?? (await import("../git")).httpGitClient;
  const loadPrinter = async () => options.pdf ?? (await import("../pdf/standard")).standardPrinter;
  const tunnelTimeoutMs = (options.integrations?.maxSeconds ?? 10) * 1000;
  const scriptTimeoutMs = options.sandbox?.limits?.milliseconds ?? DEFAULT_SANDBOX_LIMITS.milliseconds;

  return {
    templates: createTemplateLoader(options.templates),
    fetch: options.fetch,
    runImport: createImportRunner(options.fetch, loadGitClient, options.imports),
    describeEmbed: createEmbedDescriber(options.fetch, now),
    git: {
      client: loadGitClient,
      plainHttpHosts: new Set(options.git?.http),
      limits: options.git?.limits,
      timeoutMs: (options.git?.maxSeconds ?? 300) * 1000,
      secrets,
    },
    files: { timeoutMs: (options.files?.maxSeconds ?? 30) * 1000 },
    openApiSpecs: {
      timeoutMs: (options.openApiSpecs?.maxSeconds ?? 45) * 1000,
      refreshAfterMs: (options.openApiSpecs?.checkEveryMinutes ?? 360) * 60_000,
      secrets,
    },
    sendMail: options.sendMail,
    domainVerifier: createDomainVerifier(secrets, options.verifyDomain, onError),
    printDocument: createPrintQueue(loadPrinter, onError),
    scriptRunner: createScriptRunner(options.sandbox, onError),
    translator: options.translator,
    answerModel: options.ask && { model: options.ask, timeoutMs: ANSWER_TIMEOUT_MS },
    search: {
      engine: options.search,
      indexCache: { entries: caches.indexes, mutex: createKeyedMutex() },
      release: version,
    },
    cache: caches.lists,
    integrations: { tunnelTimeoutMs, maxCallMs: Math.max(tunnelTimeoutMs, scriptTimeoutMs), secrets, urls },
    hasListener: options.onEvent !== undefined,
  };
}
