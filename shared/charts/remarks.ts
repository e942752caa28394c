import type { ArchiveFile } from "../ports.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, findingIf } from "./finding.ts";
import { isConstraint } from "./version.ts";

/** Files that charts have no use for and that often hold what nobody else should read. */
const SECRET_FILE =
  /(?:^|\/)(?:\.env(?:\.[\w-]+)?|\.netrc|\.npmrc|\.pypirc|\.dockercfg|\.docker\/config\.json|\.aws\/credentials|\.kube\/config|kubeconfig|\.git\/.*|\.ssh\/.*|id_(?:rsa|dsa|ecdsa|ed25519)|[^/]+\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn))$/i;

/** What the store has to say about a package beyond the rules of Helm: for reviewers, who decide what it means. */
export function storeRemarks(
  chart: ChartMetadata,
  { files, readme }: { readonly files: readonly ArchiveFile[]; readonly readme?: string },
): readonly Finding[] {
  const { deprecated = false, kubeVersion = "" } = chart;
  const secrets = files.filter(({ path }) => SECRET_FILE.test(path));
  return [
    ...findingIf(deprecated, "warning", "Chart.yaml", "the chart says that it is deprecated"),
    ...findingIf(
      kubeVersion !== "" && !isConstraint(kubeVersion),
      "error",
      "Chart.yaml",
      `kubeVersion "${excerpt(kubeVersion)}" is no range of versions: Helm installs the chart nowhere`,
    ),
    ...findingIf(readme === undefined, "info", "README.md", "there is no readme: people read it before they install"),
    ...secrets
      .slice(0, 20)
      .flatMap(({ path }) =>
        findingIf(
          true,
          "warning",
          excerpt(path),
          "files called so often hold secrets: everybody who reads the store reads it",
        ),
      ),
  ];
}
