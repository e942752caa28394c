import { expect, it } from "vitest";
import type { ResourceDefinition } from "../resource.ts";
import { createAccess } from "./kubernetes-access.ts";

const wish = { verb: "release", group: "openpitrix.io", resource: "apps", subresource: "versions" };
const SCOPE = "scopes.authorization.example.com";

/** An API server that knows one token, which is good for looking only, as its authorizer reads from `extra`. */
async function review(kind: ResourceDefinition, spec: object) {
  if (kind.kind === "TokenReview") {
    const user = { username: "ann", groups: ["a"], extra: { [SCOPE]: ["look"] } };
    return { authenticated: true, user };
  }
  const { extra = {} } = spec as { readonly extra?: Readonly<Record<string, readonly string[]>> };
  return { allowed: !extra[SCOPE]?.includes("look") };
}

it("asks for rights with all that is known of a person, so that a token with less power keeps it", async () => {
  const access = createAccess({ review } as unknown as Parameters<typeof createAccess>[0]);
  const user = await access.authenticate("token");
  if (!user) throw new Error("the token is nobody's");
  expect(await access.permits(user, wish)).toMatchObject({ allowed: false });
  expect(await access.permits({ name: "ann", groups: ["a"] }, wish)).toEqual({ allowed: true });
});
