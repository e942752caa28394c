import { expect, it } from "vitest";
import { RepoDeleted } from "../../shared/events/repo.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { given, happened, writesOf } from "../../test/support/objects.ts";
import subject from "./function.ts";

const event = happened(RepoDeleted, { repo: "repo-1" });
const spec = { name: "charts", url: "https://x" };

it("deletes a repository, and takes off the finalizer of one that was moved in", () => {
  expect(writesOf(subject.decide(given(HelmRepo, "repo-1", { spec }), event))).toEqual(["remove helmrepos/repo-1"]);
  const finalizers = ["helmrepo.application.kubesphere.io"];
  expect(writesOf(subject.decide(given(HelmRepo, "repo-1", { metadata: { finalizers }, spec }), event))).toEqual([
    "replace helmrepos/repo-1",
    "remove helmrepos/repo-1",
  ]);
});

it("takes one that is gone for deleted", () => {
  const decision = subject.decide(undefined, event);
  expect(writesOf(decision)).toEqual([]);
  expect(decision.announce).toMatchObject([{ data: { repo: "repo-1", name: null } }]);
});
