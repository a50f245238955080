// The form of a configuration, generated from the schema of the integration.

import { useState } from "preact/hooks";
import type { IntegrationConfigurationSchema } from "../../../generated/resources";
import { parseJsonObject } from "../../../utils/json";
import { useAction } from "../api/mutations";
import { Check, Choice, TextField } from "../components/field";
import { Form } from "../components/form";
import { useMessages } from "../messages/messages";
import { type ConfigurationFieldValues, resolveButtonUrl, toConfigurationValues, toFieldValues } from "./configuration";

interface ConfigurationFormProps {
  readonly schema: IntegrationConfigurationSchema;
  readonly values: Readonly<Record<string, unknown>>;
  /** The public endpoint that the URLs of buttons are resolved against. */
  readonly publicEndpoint: string;
  readonly save: (values: Record<string, unknown>) => Promise<unknown>;
}

export function ConfigurationForm({ schema, ...rest }: ConfigurationFormProps) {
  return "properties" in schema ? <ConfigurationFields schema={schema} {...rest} /> : <JsonConfiguration {...rest} />;
}

function ConfigurationFields({
  schema,
  values,
  publicEndpoint,
  save,
}: Omit<ConfigurationFormProps, "schema"> & {
  readonly schema: Extract<ConfigurationFormProps["schema"], { properties: unknown }>;
}) {
  const messages = useMessages();
  const { properties, required = [] } = schema;
  const [typed, setTyped] = useState<ConfigurationFieldValues>(() => toFieldValues(properties, values));
  const saving = useAction(() => save(toConfigurationValues(properties, typed, values)));
  return (
    <Form action={saving} submit={messages.general.save}>
      {Object.entries(properties).map(([name, property]) => {
        const value = typed[name] ?? "";
        const isRequired = required.includes(name);
        const onChange = (next: string | boolean) => setTyped({ ...typed, [name]: next });
        const label = property.title || name;
        const shared = { label, hint: property.description };
        if (property.type === "button") {
          const to = resolveButtonUrl(property.callback_url, publicEndpoint);
          return (
            <div key={name} class="field">
              <p>
                <strong>{label}</strong>
              </p>
              {to !== undefined && (
                <a class="button second" href={to} target="_blank" rel="noopener noreferrer">
                  {property.button_text ?? messages.integrations.open}
                </a>
              )}
              {property.description && <p class="hint">{property.description}</p>}
            </div>
          );
        }
        if (property.type === "boolean")
          return <Check key={name} {...shared} value={value === true} onChange={onChange} />;
        if (property.type === "string" && property.enum)
          return (
            <Choice
              key={name}
              {...shared}
              value={String(value)}
              onChange={onChange}
              options={[...(isRequired ? [] : [["", "—"] as const]), ...property.enum.map((it) => [it, it] as const)]}
            />
          );
        return (
          <TextField
            key={name}
            {...shared}
            type={property.type === "number" ? "number" : "text"}
            value={String(value)}
            required={isRequired}
            onChange={onChange}
          />
        );
      })}
    </Form>
  );
}

function JsonConfiguration({ values, save }: Omit<ConfigurationFormProps, "schema">) {
  const messages = useMessages();
  const [text, setText] = useState(() => JSON.stringify(values, null, 2));
  const [isWrong, setWrong] = useState(false);
  const saving = useAction(async () => {
    const parsed = parseJsonObject(text || "{}");
    setWrong(parsed === undefined);
    if (parsed) await save(parsed);
  });
  return (
    <Form action={saving} submit={messages.general.save} done={isWrong ? "" : messages.general.saved}>
      <TextField
        label={messages.integrations.configurationJson}
        hint={messages.integrations.configurationOwnForm}
        wrong={isWrong ? messages.integrations.notJson : undefined}
        value={text}
        onChange={setText}
        rows={8}
      />
    </Form>
  );
}
