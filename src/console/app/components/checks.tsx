// A group of checkboxes.

import { Check } from "./field";

export function Checks<Value extends string>({
  label,
  options,
  value: chosen,
  onChange,
  disabled = false,
}: {
  readonly label: string;
  readonly options: readonly Value[];
  readonly value: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
  readonly disabled?: boolean;
}) {
  return (
    <fieldset class="checks">
      <legend>{label}</legend>
      <div>
        {options.map((option) => (
          <Check
            key={option}
            label={option}
            value={chosen.includes(option)}
            disabled={disabled}
            onChange={(isOn) => onChange(isOn ? [...chosen, option] : chosen.filter((it) => it !== option))}
          />
        ))}
      </div>
    </fieldset>
  );
}
