// Small inputs that stand for huge ones, beside texts: formulas, pictures, pages of HTML, requests of a directory.

import { zlibSync } from "fflate";
import { memoryStorage } from "octavo/memory";
import { PageTooLongError } from "../../../src/importers/errors";
import { convertHtmlInSteps } from "../../../src/importers/html/read-html";
import { pdfPrinter } from "../../../src/pdf";
import { readPicture } from "../../../src/pdf/images/read";
import { createSignIn } from "../../../src/sign-in";
import { loadFormulaRenderer } from "../../../src/site/pages/page-features";
import { runSteps } from "../../../src/utils/concurrency/event-loop";
import { assemble, head } from "../../pdf/pictures";
import { block, job, page } from "../../pdf/writing";
import { setUp } from "../../support/setting";
import type { Attack } from "./attack";

const nested = (open: string, depth: number) => `${open.repeat(depth)}x${"}".repeat(depth)}`;
const matrix = `\\begin{matrix}${"&".repeat(600)}${"\\\\".repeat(300)}\\end{matrix}`;
const macros = `\\def\\x#1{${"#1".repeat(900)}}\\x{${"a".repeat(2_000)}}`;

/** A formula on a page of a site. */
const drawn = (formula: string): Attack["prepare"] => {
  return async () => async () => (await loadFormulaRenderer())(formula, "block");
};

/** Formulas that fill the budget of a page. */
const manyDrawn: Attack["prepare"] = async () => async () => {
  const draw = await loadFormulaRenderer();
  for (let at = 0; at < 10_000; at++) draw(`\\frac{a_{${at}}}{b}+\\sqrt{x}`, "inline");
};

/** A formula in a PDF. */
const printed = (formula: string): Attack["prepare"] => {
  return async () => () => pdfPrinter().print(job([page("T", 0, block("math", { formula }))]));
};

const picture = (colourType: number, samples: number): Attack["prepare"] => {
  return async () => {
    const bytes = assemble([
      ["IHDR", head(5_000, 5_000, colourType)],
      ["IDAT", zlibSync(new Uint8Array((5_000 * samples + 1) * 5_000))],
    ]);
    return () => readPicture(bytes, () => true);
  };
};

/** A page with thirty pictures in a PDF. Their pixels are those of one, and their bytes differ. */
const manyPictures: Attack["prepare"] = async () => {
  const packed = zlibSync(new Uint8Array((4_900 * 4 + 1) * 4_900));
  const pictures = Array.from({ length: 30 }, (_, at) =>
    assemble([
      ["IHDR", head(4_900, 4_900, 6)],
      ["tEXt", Uint8Array.of(at)],
      ["IDAT", packed],
    ]),
  );
  const file = async (id: string) => ({ bytes: pictures[Number(id)]!, contentType: "image/png" });
  const images = pictures.map((_, at) =>
    block("images", {}, block("image", { ref: { kind: "file", file: `${at}` }, alt: "A picture" })),
  );
  return () => pdfPrinter().print(job([page("T", 0, ...images)], { file }));
};

/** A picture of a bit a pixel, whose palette says how opaque its colours are. */
const bitPalette: Attack["prepare"] = async () => {
  const header = head(20_000, 39_000, 3);
  header[8] = 1;
  const bytes = assemble([
    ["IHDR", header],
    ["PLTE", new Uint8Array(6)],
    ["tRNS", Uint8Array.of(0)],
    ["IDAT", zlibSync(new Uint8Array(2_501 * 39_000))],
  ]);
  return () => readPicture(bytes, () => true);
};

/** An imported page of 3.9 MB, which is refused. */
const imported = (piece: string): Attack["prepare"] => {
  return async () => {
    const html = piece.repeat(Math.floor(3_900_000 / piece.length));
    return async () => {
      const refusal = await runSteps(convertHtmlInSteps(html)).catch((error: unknown) => error);
      if (!(refusal instanceof PageTooLongError)) throw new Error("The page was not refused.");
    };
  };
};

/** An imported page with as many elements as it may have. */
const largest = (piece: string, elements: number): Attack["prepare"] => {
  return async () => {
    const html = piece.repeat(Math.floor(99_000 / elements));
    return () => runSteps(convertHtmlInSteps(html));
  };
};

/** A change of a user with many addresses, by filters of many terms. */
const patched: Attack["prepare"] = async () => {
  const { api, ask, org } = await setUp(memoryStorage());
  await ask("admin", `PATCH /v1/orgs/${org}`, { emailDomains: ["acme.example"] });
  const { token } = (await ask("admin", `POST /v1/orgs/${org}/scim-tokens`, { label: "Directory" })).body;
  const signIn = createSignIn(api);
  const send = async (method: string, path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/scim+json" };
    const url = `http://localhost:3000/scim/v2/${org}${path}`;
    return signIn.fetch(new Request(url, { method, headers, body: JSON.stringify(body) }));
  };
  const made = await send("POST", "/Users", { userName: "ann@acme.example" });
  const { id } = (await made.json()) as { id: string };
  const value = Array.from({ length: 10_000 }, (_, at) => ({ value: `a${at}@acme.example` }));
  const path = `emails[${Array.from({ length: 100 }, () => 'value eq "x"').join(" or ")}].display`;
  const Operations = [
    { op: "replace", path: "emails", value },
    ...Array.from({ length: 200 }, () => ({ op: "replace", path, value: "x" })),
  ];
  return async () => {
    const { status } = await send("PATCH", `/Users/${id}`, { Operations });
    if (status !== 400) throw new Error(`The change was answered with ${status}.`);
  };
};

export const multiplyingInputs: readonly Attack[] = [
  { name: "a matrix of 180,000 cells in 1.2 KB, on a site", budget: "few", prepare: drawn(matrix) },
  { name: "a matrix of 180,000 cells in 1.2 KB, in a PDF", budget: "few", prepare: printed(matrix) },
  { name: "macros that repeat their argument", budget: "few", prepare: drawn(macros) },
  { name: "cancelled terms in one another", budget: "few", prepare: drawn(nested("\\cancelto{0}{", 300)) },
  { name: "bordered matrices in one another", budget: "few", prepare: drawn(nested("\\bordermatrix{&a\\\\b&", 200)) },
  {
    name: "10,000 formulas on a page",
    budget: "size limit",
    inOnePiece: "a page is drawn at once",
    prepare: manyDrawn,
  },
  { name: "a picture of 25 million pixels in 73 KB", budget: "size limit", prepare: picture(2, 3) },
  { name: "a picture with opacity of 25 million pixels in 98 KB", budget: "size limit", prepare: picture(6, 4) },
  { name: "a picture of 780 million pixels of a palette in 96 KB", budget: "few", prepare: bitPalette },
  { name: "a PDF of a page with 30 pictures with opacity of 24 million pixels", budget: "job", prepare: manyPictures },
  { name: "an imported page of terms in one another", budget: "size limit", prepare: imported("<dl><dt>a<dd>b") },
  { name: "an imported page of lists in one another", budget: "size limit", prepare: imported("<ul><li>x") },
  { name: "an imported page with as many terms as it may have", budget: "job", prepare: largest("<dl><dt>a<dd>b", 3) },
  { name: "an imported page with as many items as it may have", budget: "job", prepare: largest("<ul><li>x", 2) },
  { name: "a change by SCIM with 10,000 addresses and 20,000 terms", budget: "size limit", prepare: patched },
];
