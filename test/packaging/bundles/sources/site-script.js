// A script for the pages of a site: the text of it is in the bundle, with values of the configuration put in.

import { createIntegration } from "./runtime.js";

const script = `(function (id) { window.tracker = { id: id }; })("<ID>");`;

export default createIntegration({
  fetch_published_script(_event, { environment }) {
    const { id } = environment.installation.configuration;
    if (!id) return undefined;
    return new Response(script.replace("<ID>", id), {
      headers: { "content-type": "application/javascript", "cache-control": "max-age=604800" },
    });
  },
});
