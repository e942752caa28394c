import { expect, it } from "vitest";
import { matchPath, pathPattern } from "./route.ts";

const pattern = pathPattern("/v1/apps/{app}/versions/{version}");

it.each([
  ["/v1/apps/a/versions/b", { app: "a", version: "b" }],
  ["/v1/apps/a/versions/b/", { app: "a", version: "b" }],
  ["/v1/apps/a%2Fx/versions/b", { app: "a/x", version: "b" }],
  ["/v1/apps/a/versions", undefined],
  ["/v1/apps//versions/b", undefined],
  ["/v1/apps/a/versions/b/c", undefined],
  ["/v1/repos/a/versions/b", undefined],
  ["/v1/apps/%zz/versions/b", undefined],
  ["/v1/apps/a/versions/b//", undefined],
])("%s gives %o", (path, params) => {
  expect(matchPath(pattern, path)).toEqual(params);
});
