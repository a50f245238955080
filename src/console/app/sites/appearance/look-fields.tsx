// The fields of the appearance: colors and images for both themes, the favicon, and fonts.

import { useId } from "preact/hooks";
import type { CustomFont } from "../../../../generated/resources";
import { formatMessage } from "../../../../locales/format-message";
import { Check, Choice, TextField } from "../../components/field";
import { useMessages } from "../../messages/messages";
import { getLookValue, setLookValue } from "./change-look";
import type { LookColor, LookImage, SettingDefinition, SiteLook } from "./settings";

const SAMPLE = "https://…";

interface LookFieldsProps {
  readonly look: SiteLook;
  readonly onChange: (look: SiteLook) => void;
}

export function SettingField({ look, onChange, path, label, hint, setting }: LookFieldsProps & SettingDefinition) {
  const value = getLookValue(look, path);
  const set = (next: unknown) => onChange(setLookValue(look, path, next));
  switch (setting.kind) {
    case "flag":
      return <Check label={label} hint={hint} value={value === true} onChange={set} />;
    case "text":
      return (
        <TextField
          label={label}
          hint={hint}
          value={(value as string | undefined) ?? ""}
          onChange={(text) => set(text === "" ? undefined : text)}
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
          value={value as LookColor | undefined}
          isOptional={setting.isOptional === true}
          onChange={set}
        />
      );
    case "image":
      return <ImageField label={label} value={value as LookImage | undefined} onChange={set} />;
  }
}

function ColorField({
  label,
  hint,
  value,
  isOptional,
  onChange,
}: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly value: LookColor | undefined;
  readonly isOptional: boolean;
  readonly onChange: (color: LookColor | undefined) => void;
}) {
  const messages = useMessages();
  const id = useId();
  const one = (theme: "light" | "dark") => (
    <span class="color">
      <input
        id={`${id}-${theme}`}
        type="color"
        // The field requires six digits, and a color may have three.
        value={(value?.[theme] ?? "#888888").replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3")}
        onInput={(event) => onChange({ ...value!, [theme]: event.currentTarget.value })}
      />
      <label for={`${id}-${theme}`}>
        <span class="unseen">{label}: </span>
        {messages.appearance[theme]} <code>{value?.[theme]}</code>
      </label>
    </span>
  );
  return (
    <fieldset class="pair">
      <legend>{label}</legend>
      {isOptional && (
        <Check
          label={formatMessage(messages.appearance.choose, { what: label })}
          value={value !== undefined}
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
  readonly value: LookImage | undefined;
  readonly onChange: (image: LookImage | undefined) => void;
}) {
  const messages = useMessages();
  const { light = "", dark = "" } = value ?? {};
  const set = (next: LookImage) => onChange(next.light === "" && next.dark === "" ? undefined : next);
  return (
    <fieldset class="pair">
      <legend>{label}</legend>
      <TextField
        label={`${messages.appearance.imageAddress} (${messages.appearance.light})`}
        type="url"
        value={light}
        // Both themes share one image until another one is set.
        onChange={(next) => set({ light: next, dark: dark === light ? next : dark })}
        placeholder={SAMPLE}
      />
      <TextField
        label={`${messages.appearance.imageAddress} (${messages.appearance.dark})`}
        type="url"
        value={dark}
        onChange={(next) => set({ light: light === "" ? next : light, dark: next })}
      />
    </fieldset>
  );
}

export function FaviconField({ look, onChange }: LookFieldsProps) {
  const messages = useMessages();
  const { favicon } = look;
  const kind = "emoji" in favicon ? "emoji" : "icon" in favicon && favicon.icon ? "icon" : "none";
  const set = (next: SiteLook["favicon"]) => onChange({ ...look, favicon: next });
  return (
    <>
      <Choice
        label={messages.appearance.favicon}
        value={kind}
        onChange={(next) =>
          set(next === "emoji" ? { emoji: "📘" } : next === "icon" ? { icon: { light: "", dark: "" } } : {})
        }
        options={[
          ["none", messages.appearance.none],
          ["emoji", messages.editor.emoji],
          ["icon", messages.appearance.picture],
        ]}
      />
      {"emoji" in favicon && (
        <TextField
          label={messages.editor.emoji}
          value={String(favicon.emoji)}
          onChange={(emoji) => set({ emoji })}
          maxLength={50}
        />
      )}
      {"icon" in favicon && favicon.icon && (
        <ImageField
          label={messages.appearance.favicon}
          value={favicon.icon as LookImage}
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

export function FontFields({ look, onChange, fonts }: LookFieldsProps & { readonly fonts: readonly CustomFont[] }) {
  const messages = useMessages();
  const field = (name: "font" | "monospaceFont", label: string, known: readonly string[]) => {
    const font = look.styling[name];
    const value = typeof font === "string" ? font : (font.id ?? "own");
    return (
      <Choice
        label={label}
        value={value}
        onChange={(chosen) => {
          const own = fonts.find(({ id }) => id === chosen);
          if (chosen !== "own") onChange(setLookValue(look, ["styling", name], own ?? chosen));
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
      {field("font", messages.appearance.font, TEXT_FONTS)}
      {field("monospaceFont", messages.appearance.monospaceFont, MONOSPACE_FONTS)}
    </>
  );
}
