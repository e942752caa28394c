import { defineHttpFunction } from "../../shared/http-function.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { EXPOSITION_TYPE, exposition } from "./exposition.ts";
import { repoMetrics } from "./repo-metrics.ts";

/** Metrics of the store, read from the objects that say them: nothing is lost where functions scale to zero. */
export default defineHttpFunction({
  name: "metrics",
  summary: "Shows at /metrics what is counted and measured of repositories, for Prometheus.",
  visibility: "cluster-local",
  emits: [],
  reads: [HelmRepo],
  uses: ["clock"],
  timeoutMs: 10_000,
  maxBodyBytes: 0,
  async handle({ method, path }, { kube, clock }) {
    if (path !== "/metrics") return { status: 404 };
    if (method !== "GET" && method !== "HEAD") return { status: 405, headers: { allow: "GET, HEAD" } };
    const body = exposition(repoMetrics(await kube.list(HelmRepo), clock.now()));
    return { status: 200, headers: { "content-type": EXPOSITION_TYPE }, body };
  },
});
