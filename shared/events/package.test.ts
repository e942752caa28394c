import { expect, it } from "vitest";
import { PackageUploaded } from "./package.ts";

const digest = `sha256:${"ab".repeat(32)}`;

it.each([
  [{ workspace: "demo" }, true],
  [{ workspace: "demo", app: "app-300m50zn91nwz5" }, true],
  [{ workspace: "no label!" }, false],
  [{ workspace: "demo", app: `app-${"x".repeat(63)}` }, false],
])("takes %o: %s, since workspace and application become labels", (data, taken) => {
  expect(PackageUploaded.data.safeParse({ digest, ...data }).success).toBe(taken);
});
