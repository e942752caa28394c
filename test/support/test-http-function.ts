import { Failure } from "../../shared/errors.ts";
import { defineHttpFunction, type HttpFunction } from "../../shared/http-function.ts";
import { TestAnswered } from "./test-function.ts";

const KINDS = ["Invalid", "Forbidden", "Conflict", "TooLarge", "Unavailable"] as const;

/** An HTTP function that does what its path says. */
export const testHttpFunction = defineHttpFunction({
  name: "test-http",
  summary: "Does what a test asks for by path.",
  visibility: "cluster-local",
  emits: [TestAnswered],
  reads: [],
  timeoutMs: 300,
  maxBodyBytes: 1_000_000,
  rate: { perMinute: 3, key: ({ path }) => (path === "/limited" ? path : undefined) },
  async handle(request, { publish, signal }) {
    const kind = KINDS.find((each) => request.path === `/fail/${each}`);
    if (kind) throw new Failure(kind, `asked for ${kind}`, { retryAfterMs: 2_500 });
    switch (request.path) {
      case "/echo":
        return { status: 200, headers: { "content-type": "text/plain" }, body: await request.bytes() };
      case "/stream":
        return { status: 200, body: request.body };
      case "/seen": {
        const { method, query, headers, remoteAddress } = request;
        return {
          status: 200,
          body: JSON.stringify({ method, query: [...query], test: headers["x-test"], remoteAddress }),
        };
      }
      case "/publish": {
        const { id, correlationid } = await publish(TestAnswered.of("tests/one", { by: "http" }), {
          id: request.query.get("id") ?? "none",
          operator: "jane",
        });
        return { status: 202, headers: { "x-event": id, "x-correlation": correlationid ?? "" } };
      }
      case "/slow":
        return new Promise((_, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason), { once: true });
        });
      case "/deaf":
        return new Promise(() => {});
      case "/bug":
        throw new TypeError("x is undefined");
      default:
        return { status: 404, log: { why: "no such path" } };
    }
  },
}) as unknown as HttpFunction;
