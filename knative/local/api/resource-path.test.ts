import { expect, test } from "vitest";
import { parseResourcePath } from "./resource-path.ts";

const short = (path: string): string | undefined => {
  const found = parseResourcePath(path);
  if (found === undefined) return undefined;
  const { group, version, namespace, plural, name, subresource, watch } = found;
  return [group, version, namespace, plural, name, subresource, watch ? "watch" : ""]
    .map((part) => part ?? "")
    .join("|");
};

test.each([
  ["/api/v1/pods", "|v1||pods|||"],
  ["/api/v1/namespaces/a/pods/b/log", "|v1|a|pods|b|log|"],
  ["/api/v1/namespaces/a", "|v1||namespaces|a||"],
  ["/api/v1/namespaces/a/finalize", "|v1||namespaces|a|finalize|"],
  ["/api/v1/namespaces/a/status", "|v1||namespaces|a|status|"],
  ["/apis/apps/v1/namespaces/a/deployments/b/scale", "apps|v1|a|deployments|b|scale|"],
  [
    "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
    "rbac.authorization.k8s.io|v1||clusterroles|system:node||",
  ],
  ["/api/v1/watch/namespaces/a/pods", "|v1|a|pods|||watch"],
  ["/api/v1/pods/", "|v1||pods|||"],
  ["/apis/apps/v1", undefined],
  ["/api/v1", undefined],
  ["/healthz", undefined],
  ["/api/v1//pods", undefined],
  ["/api/v1/pods/%zz", undefined],
])("%s is read as %s", (path, expected) => {
  expect(short(path)).toBe(expected);
});
