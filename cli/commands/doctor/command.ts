// `octavo doctor`: checks that a server would run well on this machine.

import { connectionOptions } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Diagnose the environment of a server.",
  notes: [
    "With a storage, opens it and writes to it. A LevelDB directory in use by a server is reported, but isn't an error.",
    "With --url, checks the server's version and clock.",
  ].join(" "),
  options: [
    { name: "port", value: "number", variable: "PORT", fallback: "3000", summary: "The port for the server." },
    {
      name: "host",
      value: "address",
      variable: "HOST",
      fallback: "127.0.0.1",
      summary: "The address for the server.",
    },
    {
      name: "fetch",
      value: "url",
      summary: "Also test an outbound request to this URL, as for imports and integrations.",
    },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo doctor --data ./data", "octavo doctor --url https://docs.example.com --token …"],
  run: async (input, context) => (await import("./run-doctor")).runDoctor(input, context),
};
