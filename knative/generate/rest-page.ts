import { DIFFERENCES } from "../../functions/rest-gateway/differences.ts";
import type { Route } from "../../functions/rest-gateway/routes.ts";
import { RIGHTS_GROUP } from "../../shared/lifecycle/permissions.ts";
import { table } from "./markdown.ts";

/** The REST API as a Markdown page: every route with the right that it needs, and where it is not KubeSphere's. */
export function restPage(routes: readonly Route[]): string {
  return [
    "# REST API",
    "KubeSphere 3.4's API of the application store, served by `rest-gateway`. `openapi.yaml` beside this page, and " +
      "`GET /kapis/openpitrix.io/openapi.json`, describe it in full. `make test ARGS=test/conformance/rest` holds a laptop to " +
      "it, or the server at `REST_URL`, with the tokens `REST_ADMIN_TOKEN` (a store administrator) and " +
      "`REST_POWERLESS_TOKEN` (no rights) and a repository that it can reach, `REST_REPOSITORY_URL`.",
    "## Routes",
    `Rights are verbs on resources of API group \`${RIGHTS_GROUP}\`, in the namespace that is called like the workspace, or ` +
      "cluster-wide where neither the path nor the object named in it has one. A trailing slash is allowed everywhere.",
    table(
      ["method", "path", "right", "what it does"],
      routes.map((route) => [route.method, `\`${route.pattern.text}\``, rightOf(route), summaryOf(route)]),
    ),
    "## Deliberate differences from KubeSphere 3.4",
    table(
      ["what", "KubeSphere 3.4", "here", "why"],
      DIFFERENCES.map(({ what, kubesphere, here, why }) => [what, kubesphere, here, why]),
    ),
  ].join("\n\n");
}

function rightOf({ right }: Route): string {
  if (right === "open") return "none";
  return right === "own" ? "by what is asked for" : `\`${right.verb} ${right.resource}\``;
}

function summaryOf({ summary, deprecated }: Route): string {
  return deprecated ? `${summary} (deprecated: better with a workspace)` : summary;
}
