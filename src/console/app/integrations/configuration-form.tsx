// The form of a configuration, made from what the integration declares.

import { useState } from "preact/hooks";
import type { IntegrationConfigurationSchema } from "../../../generated/resources";
import { useSaving } from "../calls/saving";
import { Check, Choice, TextField } from "../parts/field";
import { Form } from "../parts/form";
import { useWords } from "../words/words";
import { addressOfButton, objectIn, type Property, type Typed, typedOf, valuesOf } from "./configuration";

interface Props {
  readonly schema: IntegrationConfigurationSchema;
  readonly values: Readonly<Record<string, unknown>>;
  /** The public address of what is configured, which buttons lead to. */
  readonly publicEndpoint: string;
  readonly save: (values: Record<string, unknown>) => Promise<unknown>;
}

export function ConfigurationForm({ schema, ...rest }: Props) {
  return "properties" in schema ? <Fields schema={schema} {...rest} /> : <AsJson {...rest} />;
}

function Fields({
  schema,
  values,
  publicEndpoint,
  save,
}: Omit<Props, "schema"> & { readonly schema: Extract<Props["schema"], { properties: unknown }> }) {
  const words = useWords();
  const { properties, required = [] } = schema;
  const [typed, setTyped] = useState<Typed>(() => typedOf(properties, values));
  const saving = useSaving(() => save(valuesOf(properties, typed, values)));
  return (
    <Form action={saving} submit={words.save} done={saving.done}>
      {Object.entries(properties).map(([name, property]) => (
        <Field
          key={name}
          name={name}
          property={property}
          value={typed[name] ?? ""}
          required={required.includes(name)}
          publicEndpoint={publicEndpoint}
          onChange={saving.changing((value: string | boolean) => setTyped({ ...typed, [name]: value }))}
        />
      ))}
    </Form>
  );
}

function Field({
  name,
  property,
  value,
  required,
  publicEndpoint,
  onChange,
}: {
  readonly name: string;
  readonly property: Property;
  readonly value: string | boolean;
  readonly required: boolean;
  readonly publicEndpoint: string;
  readonly onChange: (value: string | boolean) => void;
}) {
  const words = useWords();
  const label = property.title || name;
  const shared = { label, hint: property.description };
  if (property.type === "button") {
    const to = addressOfButton(property.callback_url, publicEndpoint);
    return (
      <div class="field">
        <p>
          <strong>{label}</strong>
        </p>
        {to !== undefined && (
          <a class="button second" href={to} target="_blank" rel="noopener noreferrer">
            {property.button_text ?? words.open}
          </a>
        )}
        {property.description && <p class="hint">{property.description}</p>}
      </div>
    );
  }
  if (property.type === "boolean") return <Check {...shared} checked={value === true} onChange={onChange} />;
  if (property.type === "string" && property.enum)
    return (
      <Choice
        {...shared}
        value={String(value)}
        onChange={onChange}
        options={[...(required ? [] : [["", "—"] as const]), ...property.enum.map((it) => [it, it] as const)]}
      />
    );
  return (
    <TextField
      {...shared}
      type={property.type === "number" ? "number" : "text"}
      value={String(value)}
      required={required}
      onInput={onChange}
    />
  );
}

function AsJson({ values, save }: Omit<Props, "schema">) {
  const words = useWords();
  const [text, setText] = useState(() => JSON.stringify(values, null, 2));
  const [isWrong, setWrong] = useState(false);
  const saving = useSaving(async () => {
    const given = objectIn(text);
    setWrong(given === undefined);
    if (given) await save(given);
  });
  return (
    <Form action={saving} submit={words.save} done={isWrong ? undefined : saving.done}>
      <TextField
        label={words.configurationJson}
        hint={words.configurationOwnForm}
        wrong={isWrong ? words.notJson : undefined}
        value={text}
        onInput={saving.changing(setText)}
        rows={8}
      />
    </Form>
  );
}
