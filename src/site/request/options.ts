// What a host decides about the reader.

import type { PlainRequest, PlainResponse } from "../../http/plain-request";

export interface SiteOptions {
  /**
   * Who answers requests that are for no site: those at the API's own host, outside of the folder of the sites. Default: the
   * API itself.
   */
  readonly otherwise?: { readonly handle: (request: PlainRequest) => Promise<PlainResponse> };
  /**
   * The address that the reader's browser asked for, where a proxy in front has changed it. Default: the host and the path of
   * the request.
   */
  readonly visitedUrl?: (request: PlainRequest) => string | undefined;
  /**
   * The script of Mermaid, which draws diagrams in the reader's browser: the text of `mermaid/dist/mermaid.min.js` from npm. It
   * runs in a frame that can do nothing else. Default: none, and a diagram is shown as its text.
   */
  readonly diagrams?: string | Uint8Array;
  /** Whether views of pages are reported by the readers' browsers, and counted. Default: no. */
  readonly countViews?: boolean;
  /**
   * Whether all organizations of the installation trust each other, or there is only one. Then scripts of integrations also run
   * where sites of several organizations share an origin, and each script can read every site there as its visitor. Default: no,
   * and they run only where a site has a host of its own, or `sitesUrl` gives each organization one (`https://*.docs.example`).
   */
  readonly trustOrganizations?: boolean;
  /**
   * Whether scripts of integrations run on pages of sites at the API's own host. They can use the API as whoever is signed in
   * there. Default: no.
   */
  readonly allowScriptsOnSharedOrigin?: boolean;
  /** Whether operations of APIs have a form with which a reader calls them from the browser. Default: yes. */
  readonly tryIt?: boolean;
  /** How many bytes of finished pages are kept in memory, an eighth of it for results of searches. Default: 32 MiB. */
  readonly keptBytes?: number;
}
