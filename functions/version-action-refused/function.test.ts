import { expect, it } from "vitest";
import { VersionActionRefused } from "../../shared/events/version.ts";
import { happened, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

it("keeps who was refused what, once for each event", () => {
  const data = { version: "appv-1", app: "app-1", action: "pass", state: "draft", reason: "No", message: "not yet" };
  const event = happened(VersionActionRefused, { ...data, operator: "ann" });
  const time = NOW.toISOString();
  expect(subject.decide({}, event).record).toEqual([
    {
      group: "refused:app-1",
      object: "appv-1",
      key: "refused-event-1",
      data: { outcome: "refused", time, ...data, operator: "ann" },
    },
  ]);
});
