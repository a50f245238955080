// The documentation API inside an h3 application.

import { H3, serve } from "h3";
import { docs } from "./docs";

const api = await docs();
const app = new H3();
app.get("/", () => "The application itself.");
app.all("/docs-api/**", (event) => api.fetch(event.req));

serve(app, { port: Number(process.env.PORT || 3000), hostname: "127.0.0.1" });
