import { expect, it } from "vitest";
import { VersionRecovered } from "../../shared/events/version.ts";
import { ONE_STEP, versionIn } from "../../test/support/acts.ts";
import { happened, LONG_AGO, NOW, writtenBy } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(VersionRecovered, { version: "appv-1" }, { time: LONG_AGO });
const decide = (state: "suspended" | "passed") =>
  subject.decide({ version: versionIn(state), settings: ONE_STEP, now: NOW }, event);

it("brings a suspended version back, and none that never was in the store", () => {
  expect(writtenBy(decide("suspended"), "replaceStatus")).toMatchObject([{ status: { state: "active" } }]);
  expect(decide("passed")).toMatchObject({ outcome: "refuse", reason: "IllegalTransition" });
});
