// The icons of the console, drawn as lines. An icon without text always has an accessible label on its button.

const paths = {
  plus: "M12 5v14M5 12h14",
  edit: "M4 20l1-5L16 4l4 4L9 19zM13 7l4 4",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4 4L19 7",
  left: "M15 6l-6 6 6 6",
  right: "M9 6l6 6-6 6",
  down: "M6 9l6 6 6-6",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  page: "M7 3h7l4 4v14H7zM14 3v4h4",
  folder: "M3 6h6l2 2h10v11H3z",
  book: "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  people:
    "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3 20c0-3.5 2.7-6 6-6s6 2.5 6 6M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14.5c2 .8 3 2.800 3 5.500",
  globe: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
  branch: "M7 4v16M7 15c6 0 10-2 10-7M17 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  settings: "M4 7h10M18 7h2M4 17h4M12 17h8M16 5v4M10 15v4",
  shield: "M12 3l8 3v6c0 5-3.500 8-8 9-4.500-1-8-4-8-9V6z",
  puzzle: "M9 4h6v4h5v6h-4v6H9v-5H4V8h5z",
  language: "M4 6h9M8.500 4v2c0 4-2 7-5 8M6 9c1 3 4 5 7 5M13 20l4-10 4 10M14.500 17h5",
  api: "M8 8l-4 4 4 4M16 8l4 4-4 4M13 6l-2 12",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.500 2",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13",
  eye: "M2 12s3.500-6 10-6 10 6 10 6-3.500 6-10 6-10-6-10-6zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  comment: "M4 5h16v11H10l-5 4v-4H4z",
  out: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  key: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l8-8M16 7l3 3",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
