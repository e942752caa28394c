import { change, type Decision, refuse } from "../../shared/decision.ts";
import type { DataOf } from "../../shared/event.ts";
import { ChartFetched, ChartRefused, ChartRequested } from "../../shared/events/chart.ts";
import { defineFunction } from "../../shared/function.ts";
import { listedVersions } from "../../shared/lifecycle/listed-versions.ts";
import type { KubeReader } from "../../shared/ports.ts";
import { subjectOf } from "../../shared/resource.ts";
import { Secret } from "../../shared/resources/core.ts";
import { HelmApplicationVersion } from "../../shared/resources/helm-application-version.ts";
import { HelmRepo } from "../../shared/resources/helm-repo.ts";
import { LABEL } from "../../shared/resources/labels.ts";
import {
  chartProblem,
  type LookedFor,
  type RepositorySources,
  repositoryChart,
} from "../../shared/trust/repository-chart.ts";

/** Fetches charts for those who look into them; it alone meets the repository's credentials, its bytes are everybody's. */
export default defineFunction({
  on: ChartRequested,
  summary: "Fetches a repository's chart, checks that it is what was listed, and keeps it for those who look into it.",
  emits: [ChartFetched, ChartRefused],
  reads: [HelmRepo, HelmApplicationVersion, Secret],
  writes: [],
  uses: ["attestations", "blobs", "charts", "clock", "openpgp"],
  timeoutMs: 60_000,
  concurrency: 4,
  gather: async ({ data }, ports) => ({ chart: await find(data, ports) }),
  decide: ({ chart }, { data }): Decision<typeof ChartFetched.type | typeof ChartRefused.type, never> => {
    const subject = subjectOf(HelmApplicationVersion, { name: data.version });
    const { repo, chart: name, version } = data;
    const asked = { repo, chart: name, version };
    if (!chart.ok) {
      const { reason } = chart;
      const message = chart.message.slice(0, MAX_MESSAGE);
      return refuse(reason, message, { announce: [ChartRefused.of(subject, { ...asked, reason, message })] });
    }
    const { digest, bytes } = chart;
    return change({
      blobs: [{ bucket: "packages", key: digest, bytes }],
      announce: [ChartFetched.of(subject, { ...asked, digest })],
    });
  },
});

const MAX_MESSAGE = 1024;

interface Sources extends RepositorySources {
  readonly kube: KubeReader<typeof HelmApplicationVersion | typeof HelmRepo | typeof Secret>;
}

/** An object remembers what was accepted, also while its repository offers other bytes; else the index tells. */
async function find(
  { repo: name, chart, version }: DataOf<typeof ChartRequested>,
  sources: Sources,
): Promise<LookedFor> {
  const object = await sources.kube.get(HelmApplicationVersion, version);
  if (object?.metadata.labels?.[LABEL.repoId] === name) return repositoryChart(object, sources);
  const repo = await sources.kube.get(HelmRepo, name);
  const listed = repo ? await listedVersions(repo, chart, sources.blobs) : [];
  const found = listed.find(({ metadata }) => metadata.name === version);
  if (found) return repositoryChart(found, sources);
  return chartProblem("VersionNotFound", `repository ${name} lists no version ${version} of chart ${chart}`);
}
