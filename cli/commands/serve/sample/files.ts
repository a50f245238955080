// The files of the sample site: a drawing for the light and the dark theme, and a table.

const drawLamp = (paper: string, ink: string, light: string) =>
  [
    `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="300" viewBox="0 0 800 300">`,
    `<rect width="800" height="300" rx="12" fill="${paper}"/>`,
    `<path d="M300 60h200l60 120H240z" fill="${light}"/>`,
    `<path d="M240 180h320L700 300H100z" fill="${light}" opacity=".35"/>`,
    `<rect x="392" y="20" width="16" height="40" fill="${ink}"/>`,
    `<g fill="${ink}" opacity=".8">`,
    `<rect x="250" y="222" width="300" height="8" rx="4"/>`,
    `<rect x="250" y="242" width="240" height="8" rx="4"/>`,
    `<rect x="250" y="262" width="270" height="8" rx="4"/>`,
    `</g>`,
    `</svg>`,
  ].join("");

export const files = [
  { ref: "lamp", name: "lamp.svg", contentType: "image/svg+xml", text: drawLamp("#eef2f7", "#2b3440", "#f5c451") },
  {
    ref: "lamp-dark",
    name: "lamp-dark.svg",
    contentType: "image/svg+xml",
    text: drawLamp("#20262d", "#d7dee6", "#b98a24"),
  },
  {
    ref: "lamps-csv",
    name: "lamps.csv",
    contentType: "text/csv",
    text: "lamp,room,watts\ndesk,study,8\nceiling,kitchen,24\n",
  },
] as const;
