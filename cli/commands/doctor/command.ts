// `octavo doctor`: checks that a server would run well on this machine.

import { connectionOptions } from "../../connection/connect";
import { type Command, jsonOption } from "../../framework/command";

export const doctorCommand: Command = {
  name: "doctor",
  summary: "Look at the surroundings of a server, and say what to do.",
  notes: [
    "With a storage, it is opened and written to: a server that holds a LevelDB directory is told, and is no failure.",
    "With --url, the server is asked for its version and its clock.",
  ].join(" "),
  options: [
    { name: "port", value: "number", variable: "PORT", fallback: "3000", summary: "The port that a server would use." },
    {
      name: "host",
      value: "address",
      variable: "HOST",
      fallback: "127.0.0.1",
      summary: "The address that a server would use.",
    },
    { name: "fetch", value: "url", summary: "Also try to reach this address, as imports and integrations would." },
    ...connectionOptions,
    jsonOption,
  ],
  examples: ["octavo doctor --data ./data", "octavo doctor --url https://docs.example.com --token …"],
  run: async (input, context) => (await import("./run-doctor")).runDoctor(input, context),
};
