// Prepares the blocks of a page: loads what the document itself does not contain, such as operations of specifications, blocks of
// integrations and their scripts, and creates the context that the blocks are rendered in.

import type { Block, Fragment } from "../../content/document";
import type * as Resources from "../../generated/resources";
import { formatDay } from "../../locales/format-message";
import { ExpansionBudget, MAX_EXPANSION_CHARACTERS } from "../../utils/expansion-budget";
import { html, type Markup } from "../../utils/html";
import { loadLazily } from "../../utils/lazy";
import { tryParseUrl } from "../../utils/url";
import type { IntegrationBlock } from "../integrations";
import type { OutlineHeading } from "../layout/layout";
import { renderLinkAttributes, sanitizeFileHref } from "../layout/links";
import type { ApiBlock } from "../openapi";
import type { RequestContext } from "../request/request-context";
import type { ContentPolicyOptions } from "../responses/responses";
import { type BlockRenderContext, FootnoteCollector, type PageReferences } from "./block-context";
import { detectPageFeatures, loadFeatureRenderers, type PageFeatures } from "./page-features";

const loadApi = loadLazily(() => import("../openapi"));
const loadIntegrations = loadLazily(() => import("../integrations"));

interface ExternalBlocks {
  readonly renderBlock: (block: Block, blockContext: BlockRenderContext) => Markup;
  /** Returns the heading of a block that has one of its own. */
  readonly getHeading: (block: Block) => OutlineHeading | undefined;
  /** Renders the form for the operation that the page describes. The text of the page contains everything else about it. */
  readonly renderTryItForm: (blockContext: BlockRenderContext) => Markup | undefined;
  /** The scripts of integrations. */
  readonly scripts: Markup;
  /** True if the page needs the script for forms, blocks of integrations and cookie consent. */
  readonly needsFullScript: boolean;
  /** The additions to the content security policy of the page. */
  readonly policy: Omit<ContentPolicyOptions, "styles" | "ownScripts">;
}

const API_BLOCK_TYPES = new Set<Block["type"]>(["openapi-operation", "swagger", "openapi-schemas", "openapi-webhook"]);

/** Returns true if a specification describes the block. */
export function isApiBlock(block: Block): block is ApiBlock {
  return API_BLOCK_TYPES.has(block.type);
}

/** Loads the specifications and components that the blocks of a page need, and the scripts of integrations. */
async function loadExternalBlocks(
  page: Pick<Resources.PublishedPage, "id" | "operation" | "title" | "layout"> & { readonly nodes: readonly Block[] },
  context: RequestContext,
  references: Pick<PageReferences, "resolveFile">,
): Promise<ExternalBlocks> {
  const { id, nodes, operation } = page;
  const blocks = collectBlocks(nodes);
  const title = page.layout?.title === false ? undefined : page.title;
  // A page that was created for an operation has no block for it.
  const pageOperation: ApiBlock | undefined = operation && {
    object: "block",
    type: "openapi-operation",
    isVoid: true,
    data: { ref: { kind: "openapi", spec: operation.spec }, method: operation.method, path: operation.path },
  };
  const apiBlocks = [...(pageOperation ? [pageOperation] : []), ...blocks.filter(isApiBlock)];
  const integrationBlocks = blocks.filter((it): it is IntegrationBlock => it.type === "integration");
  const [apis, integrations] = await Promise.all([
    apiBlocks.length > 0 ? (await loadApi()).loadApiBlocks(apiBlocks, context, references, title) : undefined,
    integrationBlocks.length > 0
      ? (await loadIntegrations()).loadIntegrationBlocks(integrationBlocks, context, id)
      : undefined,
  ]);
  const scripts = getPageScripts(context);
  const { connects = [] } = apis ?? {};
  return {
    renderBlock(block, blockContext) {
      if (block.type === "integration") return integrations?.renderBlock(block, blockContext) ?? html``;
      return apis?.renderBlock(block as ApiBlock, blockContext) ?? html``;
    },
    getHeading: (block) => apis?.getHeading(block),
    renderTryItForm: (blockContext) => pageOperation && apis?.renderTryItForm(pageOperation, blockContext),
    scripts: scripts.markup,
    needsFullScript: connects.length > 0 || integrations !== undefined || scripts.needsConsent,
    policy: { ...scripts.policy, connects: [...connects, ...scripts.policy.connects] },
  };
}

interface NodeWithChildren {
  readonly object?: string;
  readonly nodes?: readonly unknown[];
  readonly fragments?: readonly Fragment[];
}

/** Returns all blocks in document order, including nested ones. */
export function collectBlocks(nodes: readonly unknown[], found: Block[] = []): Block[] {
  for (const node of nodes as readonly NodeWithChildren[]) {
    if (node.object === "block") found.push(node as Block);
    if (node.nodes) collectBlocks(node.nodes, found);
    if (node.fragments) collectBlocks(node.fragments, found);
  }
  return found;
}

interface PageScripts {
  readonly markup: Markup;
  /** True if the page shows the notice about cookies, and needs its script. */
  readonly needsConsent: boolean;
  readonly policy: Required<Pick<ContentPolicyOptions, "scripts" | "connects" | "styleSources">>;
}

const NO_SCRIPTS: PageScripts = {
  markup: html``,
  needsConsent: false,
  policy: { scripts: [], connects: [], styleSources: [] },
};

/** The most sources of a directive. */
const MAX_SOURCES = 30;
const MAX_SOURCE_LENGTH = 300;
const MAX_POLICY_LENGTH = 10_000;
/** A host by its name, with or without a path. Keywords of a policy and sources that match every host are not accepted. */
const SOURCE =
  /^(?:https?|wss):\/\/(?:\*\.[a-z0-9-]+\.|)[a-z0-9-]+(?:\.[a-z0-9-]+)*(?::\d{1,5})?(?:\/[A-Za-z0-9._~!$&()*+=:@%/-]*)?$/;

/**
 * Returns the scripts that integrations add to the page. They can do everything that the page can, so they run only where the
 * organization has an origin of its own. Scripts that use cookies run only after the reader has agreed.
 */
function getPageScripts(context: RequestContext): PageScripts {
  const { profile, resolved, site, url, customization } = context;
  if (!site.canRunScripts(url)) return NO_SCRIPTS;
  const scripts = profile.scripts.flatMap((script) => {
    const isHere = script.space === undefined || script.space === resolved.space;
    const scriptUrl = isHere ? tryParseUrl(script.script) : undefined;
    if (scriptUrl?.protocol !== "https:" && scriptUrl?.protocol !== "http:") return [];
    return [{ ...script, url: scriptUrl }];
  });
  if (scripts.length === 0) return NO_SCRIPTS;

  const cookieScripts = scripts.filter(({ cookies }) => cookies).map((script) => script.url.href);
  const otherScripts = scripts
    .filter(({ cookies }) => !cookies)
    .map((script) => html`<script async src="${script.url.href}"></script>`);
  const messages = context.integrationMessages;
  const privacy = tryParseUrl(customization.privacyPolicy.url ?? "");
  const privacyLink =
    (privacy?.protocol === "https:" || privacy?.protocol === "http:") &&
    html`<a href="${privacy.href}">${messages.privacy}</a>`;
  const buttons = [
    html`<button type="button" class="button primary" data-answer="yes">${messages.accept}</button>`,
    html`<button type="button" class="button secondary" data-answer="no">${messages.decline}</button>`,
  ];
  const consent = html`<p>${messages.cookies} ${privacyLink}</p><div class="row">${buttons}</div>`;
  const consentData = html`data-consent="${JSON.stringify(cookieScripts)}"`;
  const notice =
    cookieScripts.length > 0 &&
    html`<div class="consent" role="region" aria-label="${messages.cookies}" hidden ${consentData}>${consent}</div>`;

  const policies = scripts.map((script) => parseDeclaredSources(script.contentSecurityPolicy ?? ""));
  const collectSources = (directive: string) => [...new Set(policies.flatMap((policy) => policy.get(directive) ?? []))];
  // A source in a policy has no query.
  const scriptSources = scripts.map((script) => `${script.url.origin}${script.url.pathname}`).filter(isSource);
  return {
    markup: html`${otherScripts}${notice}`,
    needsConsent: cookieScripts.length > 0,
    policy: {
      scripts: [...scriptSources, ...collectSources("script-src")],
      connects: collectSources("connect-src"),
      styleSources: collectSources("style-src"),
    },
  };
}

function isSource(text: string): boolean {
  return text.length <= MAX_SOURCE_LENGTH && SOURCE.test(text);
}

/** Returns the sources that the policy of an integration declares, by directive. */
export function parseDeclaredSources(policy: string): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, readonly string[]>();
  for (const directive of policy.slice(0, MAX_POLICY_LENGTH).split(";")) {
    const [name = "", ...values] = directive.trim().split(/\s+/);
    if (!sources.has(name.toLowerCase()))
      sources.set(name.toLowerCase(), values.filter(isSource).slice(0, MAX_SOURCES));
  }
  return sources;
}

/** A context for blocks, and what rendering them leaves for the rest of the page. */
interface PreparedBlocks {
  readonly blockContext: BlockRenderContext;
  /** The bodies of the footnotes that were rendered so far. */
  readonly footnotes: readonly Markup[];
  readonly externalBlocks: ExternalBlocks;
}

export async function prepareBlocks(
  context: RequestContext,
  page: Resources.PublishedPage,
  { resolveLink, resolveFile }: PageReferences,
): Promise<PreparedBlocks> {
  const nodes = (page.document?.nodes ?? []) as Block[];
  const externalBlocks = await loadExternalBlocks({ ...page, nodes }, context, { resolveFile });
  const prepared = await createBlockContext(
    context,
    detectPageFeatures(nodes),
    { resolveLink, resolveFile },
    externalBlocks.renderBlock,
  );
  return { ...prepared, externalBlocks };
}

/** Creates a context for blocks that need these features. */
export async function createBlockContext(
  context: RequestContext,
  features: PageFeatures,
  { resolveLink, resolveFile }: PageReferences,
  renderExternalBlock: ExternalBlocks["renderBlock"],
): Promise<Omit<PreparedBlocks, "externalBlocks">> {
  const { code, formula } = await loadFeatureRenderers(features);
  const footnotes = new FootnoteCollector(context.messages);
  let elementCount = 0;
  const budget = new ExpansionBudget(MAX_EXPANSION_CHARACTERS);
  const blockContext: BlockRenderContext = {
    messages: context.messages,
    budget,
    resolveLink(ref) {
      const link = resolveLink(ref);
      return link && budget.take(link.href.length) ? link : undefined;
    },
    renderLinkAttributes: (href) => renderLinkAttributes(context, href),
    resolveFile(ref) {
      const file = resolveFile(ref);
      const url = file && sanitizeFileHref(file.url);
      return url !== undefined && budget.take(url.length) ? { ...file!, url } : undefined;
    },
    renderFormula: formula,
    highlightCode: code,
    renderIcon(name) {
      const icon = context.renderIcon(name);
      return icon && budget.take(icon.text.length) ? icon : undefined;
    },
    renderExternalBlock: (block) => renderExternalBlock(block, blockContext),
    addFootnote: footnotes.add,
    formatDay: (date) => formatDay(context.customization.internationalization.locale, date),
    createElementNumber: () => ++elementCount,
  };
  return { blockContext, footnotes: footnotes.bodies };
}
