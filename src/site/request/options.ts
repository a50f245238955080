// The options of `createSite`.

import type { PlainRequest, PlainResponse } from "../../http/plain-request";

export interface SiteOptions {
  /**
   * Handles requests that are not for a site: those at the API's own host, outside the folder of the sites. Default: the API
   * itself.
   */
  readonly fallback?: { readonly handle: (request: PlainRequest) => Promise<PlainResponse> };
  /**
   * Returns the URL that the reader's browser requested, if a proxy in front has changed it. Default: the host and the path of
   * the request.
   */
  readonly visitedUrl?: (request: PlainRequest) => string | undefined;
  /**
   * The script of Mermaid, which draws diagrams in the reader's browser: the text of `mermaid/dist/mermaid.min.js` from npm. It
   * runs in an isolated frame. Default: none, and a diagram is shown as its source.
   */
  readonly diagrams?: string | Uint8Array;
  /** True to count page views, which the readers' browsers report. Default: false. */
  readonly countViews?: boolean;
  /**
   * True if all organizations of the installation trust each other, or there is only one. Scripts of integrations then also run
   * where sites of several organizations share an origin, and each script can read every site there as its visitor. Default: false,
   * and they run only where a site has a host of its own, or `sitesUrl` gives each organization one (`https://*.docs.example`).
   */
  readonly trustOrganizations?: boolean;
  /**
   * True to run scripts of integrations on pages of sites at the API's own host. They can use the API as whoever is signed in
   * there. Default: false.
   */
  readonly allowScriptsOnSharedOrigin?: boolean;
  /** True to show a form with which readers call operations of APIs from the browser. Default: true. */
  readonly tryIt?: boolean;
  /** The memory for cached pages, in bytes. An eighth of it is for search results. Default: 32 MiB. */
  readonly cacheBytes?: number;
}
