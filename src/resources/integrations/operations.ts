// Integrations: other people's code that reacts to what happens here.

export * from "./publishing";
