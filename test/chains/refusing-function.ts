import { createServer } from "node:http";

/** A function that is ready and knows no address but that: what natss and Knative's own brokers disagree about. */
const server = createServer((request, response) => {
  response.writeHead(request.url?.startsWith("/health/") ? 200 : 404).end();
});
server.listen(Number(process.env["PORT"]), "127.0.0.1");
process.once("disconnect", () => process.exit(1));
process.once("SIGTERM", () => process.exit(0));
