// Every request below /docs-api.

import { docs } from "../../../docs";

const answer = async (request: Request): Promise<Response> => (await docs()).fetch(request);

export {
  answer as DELETE,
  answer as GET,
  answer as HEAD,
  answer as OPTIONS,
  answer as PATCH,
  answer as POST,
  answer as PUT,
};
