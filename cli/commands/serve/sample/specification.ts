// The OpenAPI specification of the sample site.

const lamp = { $ref: "#/components/schemas/Lamp" };

export const specification = {
  openapi: "3.1.0",
  info: { title: "Lamps", version: "1.0.0", description: "Turns lamps on and off." },
  servers: [
    {
      url: "https://{region}.lamps.example/v1",
      variables: { region: { default: "eu", enum: ["eu", "us"], description: "Where your lamps are." } },
    },
  ],
  security: [{ key: [] }],
  paths: {
    "/lamps": {
      get: {
        operationId: "listLamps",
        summary: "List lamps",
        description: "Gives the lamps of a room, **brightest first**.",
        parameters: [
          {
            name: "room",
            in: "query",
            description: "Only those of a room.",
            schema: { type: "string", maxLength: 50 },
            example: "study",
          },
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } },
        ],
        responses: {
          200: {
            description: "The lamps.",
            content: {
              "application/json": { schema: { type: "array", items: lamp }, example: [{ id: "desk", level: 80 }] },
            },
          },
          401: { description: "The key is wrong." },
        },
      },
    },
    "/lamps/{lampId}": {
      put: {
        operationId: "setLamp",
        summary: "Set a lamp",
        parameters: [{ name: "lampId", in: "path", required: true, schema: { type: "string" }, example: "desk" }],
        requestBody: { required: true, content: { "application/json": { schema: lamp } } },
        responses: {
          200: { description: "The lamp as it is now.", content: { "application/json": { schema: lamp } } },
        },
      },
    },
  },
  components: {
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key", description: "The key of your house." } },
    schemas: {
      Lamp: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: "string", description: "Its name.", examples: ["desk"] },
          level: { type: "integer", minimum: 0, maximum: 100, description: "How bright it is, in percent." },
          color: { enum: ["warm", "cold"], default: "warm" },
          beside: { type: "array", items: lamp, description: "The lamps next to it." },
        },
      },
    },
  },
};
