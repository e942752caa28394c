import { expect, it } from "vitest";
import { AttachmentDeleted } from "../../shared/events/attachment.ts";
import { HelmApplication } from "../../shared/resources/helm-application.ts";
import { given, happened } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(AttachmentDeleted, { attachment: "att-1" });
const app = (spec: object) => given(HelmApplication, "app-1", { spec: { name: "web", ...spec } });

it("gives the bytes up that nobody shows", () => {
  const decision = subject.decide([app({ icon: "att-2", attachments: ["att-3"] })], event);
  expect(decision.forget).toEqual([{ bucket: "attachments", key: "att-1" }]);
  expect(decision.announce).toMatchObject([{ data: { attachment: "att-1", mediaType: null } }]);
});

it.each([{ icon: "att-1" }, { attachments: ["att-2", "att-1"] }])("keeps what an application shows: %j", (spec) => {
  const decision = subject.decide([app(spec)], event);
  expect(decision).toMatchObject({ outcome: "refuse", reason: "AttachmentInUse" });
  expect(decision.forget).toBeUndefined();
});
