// Fields of a look: colours and pictures for light and dark, the sign of the site, and fonts.

import { useId } from "preact/hooks";
import type { CustomFont } from "../../../../generated/resources";
import { Check, Choice, TextField } from "../../parts/field";
import { filled, useWords } from "../../words/words";
import { valueAt, withValue } from "./change-look";
import type { Color, Image, Look, Placed } from "./settings";

interface Editing {
  readonly look: Look;
  readonly onChange: (look: Look) => void;
}

export function SettingField({ look, onChange, path, label, hint, setting }: Editing & Placed) {
  const value = valueAt(look, path);
  const set = (next: unknown) => onChange(withValue(look, path, next));
  switch (setting.kind) {
    case "flag":
      return <Check label={label} hint={hint} checked={value === true} onChange={set} />;
    case "text":
      return (
        <TextField
          label={label}
          hint={hint}
          value={(value as string | undefined) ?? ""}
          onInput={(text) => set(text === "" ? undefined : text)}
          {...(setting.rows === undefined ? {} : { rows: setting.rows })}
          {...(setting.type === undefined ? {} : { type: setting.type })}
          {...(setting.maxLength === undefined ? {} : { maxLength: setting.maxLength })}
        />
      );
    case "choice":
      return (
        <Choice
          label={label}
          hint={hint}
          value={String(value ?? setting.options[0]?.[0] ?? "")}
          onChange={set}
          options={setting.options}
        />
      );
    case "color":
      return (
        <ColorField
          label={label}
          hint={hint}
          value={value as Color | undefined}
          isOptional={setting.isOptional === true}
          onChange={set}
        />
      );
    case "image":
      return <ImageField label={label} value={value as Image | undefined} onChange={set} />;
  }
}

/** `#abc` as the six digits that a field for colours takes. */
const sixDigits = (color: string) =>
  color.length === 4 ? `#${[...color.slice(1)].map((digit) => digit + digit).join("")}` : color;

function ColorField({
  label,
  hint,
  value,
  isOptional,
  onChange,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: Color | undefined;
  readonly isOptional: boolean;
  readonly onChange: (color: Color | undefined) => void;
}) {
  const words = useWords();
  const id = useId();
  const one = (theme: "light" | "dark") => (
    <span class="color">
      <input
        id={`${id}-${theme}`}
        type="color"
        value={sixDigits(value?.[theme] ?? "#888888")}
        onInput={(event) => onChange({ ...value!, [theme]: event.currentTarget.value })}
      />
      <label for={`${id}-${theme}`}>
        <span class="unseen">{label}: </span>
        {words[theme]} <code>{value?.[theme]}</code>
      </label>
    </span>
  );
  return (
    <fieldset class="pair">
      <legend>{label}</legend>
      {isOptional && (
        <Check
          label={filled(words.choose, { what: label })}
          checked={value !== undefined}
          onChange={(isChosen) => onChange(isChosen ? { light: "#1c5bb0", dark: "#8ab8ff" } : undefined)}
        />
      )}
      {value && (
        <div class="colors">
          {one("light")}
          {one("dark")}
        </div>
      )}
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}

function ImageField({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: Image | undefined;
  readonly onChange: (image: Image | undefined) => void;
}) {
  const words = useWords();
  const { light = "", dark = "" } = value ?? {};
  const set = (next: Image) => onChange(next.light === "" && next.dark === "" ? undefined : next);
  return (
    <fieldset class="pair">
      <legend>{label}</legend>
      <TextField
        label={`${words.imageAddress} (${words.light})`}
        type="url"
        value={light}
        // One picture for both, until somebody gives another.
        onInput={(next) => set({ light: next, dark: dark === light ? next : dark })}
        placeholder="https://…"
      />
      <TextField
        label={`${words.imageAddress} (${words.dark})`}
        type="url"
        value={dark}
        onInput={(next) => set({ light: light === "" ? next : light, dark: next })}
      />
    </fieldset>
  );
}

export function FaviconField({ look, onChange }: Editing) {
  const words = useWords();
  const { favicon } = look;
  const kind = "emoji" in favicon ? "emoji" : "icon" in favicon && favicon.icon ? "icon" : "none";
  const set = (next: Look["favicon"]) => onChange({ ...look, favicon: next });
  return (
    <>
      <Choice
        label={words.favicon}
        value={kind}
        onChange={(next) =>
          set(next === "emoji" ? { emoji: "📘" } : next === "icon" ? { icon: { light: "", dark: "" } } : {})
        }
        options={[
          ["none", words.none],
          ["emoji", words.emoji],
          ["icon", words.picture],
        ]}
      />
      {"emoji" in favicon && (
        <TextField
          label={words.emoji}
          value={String(favicon.emoji)}
          onInput={(emoji) => set({ emoji })}
          maxLength={50}
        />
      )}
      {"icon" in favicon && favicon.icon && (
        <ImageField
          label={words.favicon}
          value={favicon.icon as Image}
          onChange={(icon) => set({ icon: icon ?? { light: "", dark: "" } })}
        />
      )}
    </>
  );
}

const TEXT_FONTS = [
  ...["ABCFavorit", "FiraSans", "IBMPlexSerif", "Inter", "Lato", "Merriweather", "NotoSans", "OpenSans", "Overpass"],
  ...["Poppins", "Raleway", "Roboto", "RobotoSlab", "SourceSansPro", "Ubuntu"],
];
const MONOSPACE_FONTS = [
  ...["DMMono", "FiraCode", "IBMPlexMono", "Inconsolata", "JetBrainsMono", "RobotoMono", "SourceCodePro", "SpaceMono"],
];

export function FontFields({ look, onChange, fonts }: Editing & { readonly fonts: readonly CustomFont[] }) {
  const words = useWords();
  const field = (name: "font" | "monospaceFont", label: string, known: readonly string[]) => {
    const font = look.styling[name];
    const value = typeof font === "string" ? font : (font.id ?? "own");
    return (
      <Choice
        label={label}
        value={value}
        onChange={(chosen) => {
          const own = fonts.find(({ id }) => id === chosen);
          if (chosen !== "own") onChange(withValue(look, ["styling", name], own ?? chosen));
        }}
        options={[
          ...(value === "own" && typeof font !== "string" ? [["own", font.fontFamily] as const] : []),
          ...fonts.map(({ id, fontFamily }) => [id, fontFamily] as const),
          ...known.map((one) => [one, one.replace(/([a-z])([A-Z])/g, "$1 $2")] as const),
        ]}
      />
    );
  };
  return (
    <>
      {field("font", words.font, TEXT_FONTS)}
      {field("monospaceFont", words.monospaceFont, MONOSPACE_FONTS)}
    </>
  );
}
