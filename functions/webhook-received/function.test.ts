import { describe, expect, test } from "vitest";
import type { DataOf } from "../../shared/event.ts";
import { WebhookReceived } from "../../shared/events/webhook.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, LONG_AGO } from "../../test/support/objects.ts";
import subject from "./function.ts";

type Data = DataOf<typeof WebhookReceived>;

const spec = { name: "charts", url: "oci://harbor.example.org/apps" };
const repo = given(HelmRepo, "charts", { spec });

function decided(object: HelmRepo | undefined, over: Partial<Data> = {}) {
  const data: Data = {
    repo: "charts",
    receiver: "harbor",
    producer: "harbor",
    action: "pushed",
    certainty: "maybe",
    chart: "web",
    version: "1.4.2",
    verifiedBy: "token",
    ...over,
  };
  return (subject.decide(object, happened(WebhookReceived, data)).announce ?? []).map((each) => each.data);
}

const REQUEST = { repo: "charts", reason: "pushed", force: true };

describe("a push", () => {
  test("asks for a sync of its chart and version alone, whatever the schedule says", () => {
    expect(decided(repo)).toEqual([{ ...REQUEST, chart: "web", version: "1.4.2" }]);
  });

  test("of sources, or of nothing that is named, asks for a sync of everything", () => {
    const told = { receiver: "git", producer: "github", action: "changed", certainty: "git" } as const;
    const event = happened(WebhookReceived, { repo: "charts", ...told, verifiedBy: "github" });
    const [announced] = subject.decide(repo, event).announce ?? [];
    expect(announced).toMatchObject({ type: "io.openpitrix.repo.sync.requested", subject: "helmrepos/charts" });
    expect(announced?.data).toEqual(REQUEST);
  });

  test("into a repository that is gone or going asks for nothing", () => {
    expect(decided(undefined)).toEqual([]);
    expect(decided(given(HelmRepo, "charts", { spec, metadata: { deletionTimestamp: LONG_AGO } }))).toEqual([]);
  });
});

test("a deletion asks for a look at what was deleted", () => {
  expect(decided(repo, { action: "deleted" })).toEqual([{ ...REQUEST, chart: "web", version: "1.4.2" }]);
});

describe("while a sync is under way", () => {
  const queueing = (queued: object) =>
    given(HelmRepo, "charts", { spec, status: { queued: { id: "1", reason: "pushed", ...queued } } });

  test.each([
    ["everything", {}, 0],
    ["the same chart and version", { chart: "web", version: "1.4.2" }, 0],
    ["all of the chart", { chart: "web" }, 0],
    ["another version", { chart: "web", version: "1.4.1" }, 1],
    ["another chart", { chart: "db" }, 1],
  ])("and %s waits for its end, it asks %j %d times", (_, queued, times) => {
    expect(decided(queueing(queued))).toHaveLength(times);
  });
});
