import type { User } from "../../shared/access-port.ts";
import { defineHttpFunction, type HttpAnswer, type HttpRequest } from "../../shared/http-function.ts";
import { permitted } from "../../shared/lifecycle/permissions.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmCategory } from "../../shared/resources/helm-category.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { failed, RestError } from "../../shared/rest/answers.ts";
import { failureAnswer } from "../../shared/rest/failures.ts";
import { matchPath } from "../../shared/rest/route.ts";
import { EMITS } from "./acts.ts";
import { createBodyBudget } from "./body-budget.ts";
import { type Call, type GatewayPorts, READS } from "./call.ts";
import { workspaceOfNamed } from "./lookups.ts";
import { ROUTES, type Route } from "./routes.ts";

/** Bodies that are in memory at once; each costs about three times its size. */
const budget = createBodyBudget(128 * 1024 * 1024);

/** KubeSphere's API of the store. It reads objects, and writes only by the events that everybody sends. */
export default defineHttpFunction({
  name: "rest-gateway",
  summary: "Serves KubeSphere's REST API of the store at /kapis/openpitrix.io.",
  visibility: "public",
  emits: EMITS,
  reads: READS,
  cached: [HelmRepo, HelmApplication, HelmApplicationVersion, HelmCategory],
  uses: ["access", "outcomes", "history", "blobs", "uploads", "charts", "clock"],
  timeoutMs: 60_000,
  maxBodyBytes: 64 * 1024 * 1024,
  concurrency: 64,
  async handle(request, ports) {
    try {
      return await answer(request, ports);
    } catch (error) {
      return failureAnswer(error);
    }
  },
});

async function answer(request: HttpRequest, ports: GatewayPorts): Promise<HttpAnswer> {
  const matching = ROUTES.flatMap((route) => {
    const params = matchPath(route.pattern, request.path);
    return params ? [{ route, params }] : [];
  });
  const found = matching.find(({ route }) => route.method === request.method);
  if (!found)
    return unmatched(
      request,
      matching.map(({ route }) => route.method),
    );
  const { route, params } = found;
  const caller = await callerOf(request, ports);
  const { maxBytes } = route.contract;
  let held = 0;
  const hold = (bytes: number) => {
    if (!budget.take(bytes)) return false;
    held += bytes;
    return true;
  };
  const call: Call = { request, ports, params, maxBytes, hold, user: caller.user };
  try {
    await demand(route, call, caller.known);
    return await route.handle(call);
  } finally {
    budget.give(held);
  }
}

function unmatched({ method, path }: HttpRequest, allowed: readonly string[]): HttpAnswer {
  if (allowed.length === 0) return failed(404, `there is nothing at ${path}`);
  const answer = failed(405, `${method} is not served at ${path}`);
  return { ...answer, headers: { ...answer.headers, allow: [...new Set(allowed)].join(", ") } };
}

const ANONYMOUS: User = { name: "system:anonymous", groups: ["system:unauthenticated"] };

async function callerOf({ headers }: HttpRequest, { access }: GatewayPorts) {
  const token = /^Bearer +(\S+)$/i.exec(headers["authorization"] ?? "")?.[1];
  if (token === undefined) return { user: ANONYMOUS, known: false };
  const user = await access.authenticate(token);
  if (!user) throw new RestError(401, "the bearer token is nobody's: sign in again");
  return { user, known: true };
}

async function demand({ right }: Route, call: Call, known: boolean): Promise<void> {
  if (right === "open") return;
  if (right === "own") {
    if (known) return;
    throw new RestError(401, "sign in: this needs a bearer token");
  }
  const { version, app, repo, category, attachment } = call.params;
  const name = version ?? app ?? repo ?? category ?? attachment;
  const workspace = call.params["workspace"] ?? (await workspaceOfNamed(call));
  const wish = { verbs: [right.verb], resource: right.resource, workspace, ...(name === undefined ? {} : { name }) };
  const permission = await permitted(call.ports.access, call.user, wish);
  if (permission.allowed) return;
  throw new RestError(known ? 403 : 401, permission.message);
}
