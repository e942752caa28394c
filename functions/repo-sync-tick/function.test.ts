import { expect, it } from "vitest";
import { RepoSyncTick } from "../../shared/events/repo.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, LONG_AGO, NOW } from "../../test/support/objects.ts";
import subject from "./function.ts";

const spec = { name: "charts", url: "https://charts.example.com" };

it("asks for a sync of every repository that is due, and of no other", () => {
  const synced = { observedGeneration: 1, syncState: [{ state: "successful", syncTime: LONG_AGO }] };
  const repos = [
    given(HelmRepo, "repo-new", { spec }),
    given(HelmRepo, "repo-hourly", { spec: { ...spec, syncPeriod: 3000 }, status: synced }),
    given(HelmRepo, "repo-never", { spec, status: synced }),
    given(HelmRepo, "repo-daily", { spec: { ...spec, syncPeriod: 86_400 }, status: synced }),
  ];
  const decision = subject.decide({ repos, now: NOW }, happened(RepoSyncTick, {}));
  expect(decision.announce?.map(({ data }) => data)).toEqual([
    { repo: "repo-new", reason: "new" },
    { repo: "repo-hourly", reason: "due" },
  ]);
  expect(decision.write).toBeUndefined();
});
