// A program of somebody who forgot to install `fontkit`: PDF works out of the box, and the first use of a font says what is
// missing.

import { createDocsApi, type Printer } from "octavo";
import { memoryStorage } from "octavo/memory";
import { pdfPrinter } from "octavo/pdf";

async function firstBytes(pdf?: Printer): Promise<string> {
  const errors: unknown[] = [];
  const { call, fetch, provision } = createDocsApi(memoryStorage(), {
    ...(pdf ? { pdf } : {}),
    onError: (error) => errors.push(error),
  });
  const { user, organization } = await provision({
    user: { displayName: "Ada", email: "ada@example.com" },
    organization: { title: "Letters" },
  });
  const made = { params: { organizationId: organization! }, body: { title: "Guide" } };
  const { id } = await call("createSpace", made, { user });
  const { url } = await call("getPdf", { params: { spaceId: id } }, { user });
  const response = await fetch(new Request(url));
  const text = await response.text();
  return response.status === 200 ? text.slice(0, 8) : String(errors[0]);
}

for (const printer of [undefined, pdfPrinter({ language: "de" })]) {
  const bytes = await firstBytes(printer);
  if (bytes !== "%PDF-1.7") throw new Error(`A space as PDF begins with: ${bytes}`);
}
const told = await firstBytes(pdfPrinter({ fonts: { sans: new Uint8Array([0, 1, 0, 0]) } }));
if (!/fontkit/.test(told)) throw new Error(`Without the package fontkit a printer with fonts says: ${told}`);
