import { parseYaml } from "../adapters/yaml.ts";
import type { ChartMetadata } from "./chart-metadata.ts";
import { excerpt } from "./excerpt.ts";
import { type Finding, findingIf } from "./finding.ts";
import { isMapping } from "./records.ts";
import { compareVersions } from "./version.ts";

const CHART_YAML = "Chart.yaml";

/** Fields of Chart.yaml, in lower case since Helm finds them in any case. */
const FIELDS = new Set(
  [
    ...["name", "home", "sources", "version", "description", "keywords", "maintainers", "icon", "apiversion"],
    ...["condition", "tags", "appversion", "deprecated", "annotations", "kubeversion", "dependencies", "type"],
  ].values(),
);
const MAINTAINER_FIELDS = new Set(["name", "email", "url"]);
const DEPENDENCY_FIELDS = new Set(
  ["name", "version", "repository", "condition", "tags", "enabled", "import-values", "alias"].values(),
);
const STRICT_VERSION =
  /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;
const EMAIL = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@.]{2,}$/;
const LOOSE_URL =
  /^(?:(?:ftp|tcp|udp|wss?|https?):\/\/)?(?:[^\s@/]+@)?[\p{L}\p{N}](?:[\p{L}\p{N}._-]{0,250}[\p{L}\p{N}])?\.?(?::\d{1,5})?(?:[/?#]\S*)?$/iu;

type Fields = Readonly<Record<string, unknown>>;

/** What `helm lint` (4.1) says of a Chart.yaml that Helm can load: `text` as it stands, `chart` as it was read. */
export function lintMetadata(text: string, chart: ChartMetadata): readonly Finding[] {
  const parsed = parseYaml(text);
  const fields: Fields = isMapping(parsed) ? parsed : {};
  return [
    ...strangers(text, fields),
    ...apiVersionRules(fields),
    ...versionRules(fields, chart),
    ...(chart.maintainers ?? []).flatMap(maintainerRules),
    ...(chart.sources ?? []).flatMap((source) =>
      findingIf(!isRequestUrl(source), "error", CHART_YAML, `source "${excerpt(source)}" is no URL`),
    ),
    ...iconRules(chart.icon ?? ""),
    ...olderFormatRules(fields, chart),
  ];
}

/** Fields that Helm does not know, in one finding as Helm stops at the first. */
function strangers(text: string, fields: Fields): readonly Finding[] {
  const unknown = [
    ...unknownIn(fields, FIELDS),
    ...listOf(fields["maintainers"]).flatMap((each) => unknownIn(each, MAINTAINER_FIELDS)),
    ...listOf(fields["dependencies"]).flatMap((each) => unknownIn(each, DEPENDENCY_FIELDS)),
  ];
  const keys = [...text.matchAll(/^([A-Za-z][\w-]*)[ \t]*:/gm)].map(([, key = ""]) => key);
  const twins = keys.filter((key, at) => keys.indexOf(key) !== at);
  const complaints = [
    ...unknown.map((name) => `${excerpt(name)} is no field that Helm knows`),
    ...twins.map((key) => `${excerpt(key)} stands there twice`),
  ];
  return findingIf(complaints.length > 0, "warning", CHART_YAML, complaints.slice(0, 10).join("; "));
}

function unknownIn(value: unknown, known: ReadonlySet<string>): readonly string[] {
  return isMapping(value) ? Object.keys(value).filter((key) => !known.has(key.toLowerCase())) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function apiVersionRules(fields: Fields): readonly Finding[] {
  const { apiVersion } = fields;
  if (apiVersion === "v1" || apiVersion === "v2") return [];
  const why =
    apiVersion === undefined ? "apiVersion is missing" : `apiVersion "${excerpt(String(apiVersion))}" is none`;
  return findingIf(true, "error", CHART_YAML, `${why}: write v2, or v1 for charts of Helm 2`);
}

function versionRules(fields: Fields, { version }: ChartMetadata): readonly Finding[] {
  return [
    ...["version", "appVersion"].flatMap((name) => {
      const broken = Object.hasOwn(fields, name) && typeof fields[name] !== "string";
      return findingIf(broken, "error", CHART_YAML, `${name} is no text: put it in quotes`);
    }),
    ...findingIf(
      compareVersions(version, "0.0.0-0") <= 0,
      "error",
      CHART_YAML,
      `version ${version} is not above 0.0.0-0`,
    ),
    ...findingIf(
      !STRICT_VERSION.test(version),
      "warning",
      CHART_YAML,
      `version ${excerpt(version)} is no strict semantic version: write major.minor.patch, without v`,
    ),
  ];
}

function maintainerRules({ name, email, url }: NonNullable<ChartMetadata["maintainers"]>[number]): readonly Finding[] {
  if (name === "") return findingIf(true, "error", CHART_YAML, "a maintainer has no name");
  if (email && !EMAIL.test(email)) {
    return findingIf(
      true,
      "error",
      CHART_YAML,
      `"${excerpt(email)}" is no e-mail address of maintainer ${excerpt(name)}`,
    );
  }
  const wrong = url !== undefined && url !== "" && !LOOSE_URL.test(url);
  return findingIf(wrong, "error", CHART_YAML, `"${excerpt(url ?? "")}" is no URL of maintainer ${excerpt(name)}`);
}

function iconRules(icon: string): readonly Finding[] {
  if (icon === "")
    return findingIf(true, "info", CHART_YAML, "there is no icon: people find applications by their icons");
  return findingIf(!isRequestUrl(icon), "error", CHART_YAML, `icon "${excerpt(icon)}" is no URL`);
}

function olderFormatRules(fields: Fields, { apiVersion, type }: ChartMetadata): readonly Finding[] {
  if (apiVersion === "v2") return [];
  return [
    ...findingIf(!!type, "error", CHART_YAML, "type belongs to charts of apiVersion v2"),
    ...findingIf(
      listOf(fields["dependencies"]).length > 0,
      "error",
      CHART_YAML,
      "dependencies belong to charts of apiVersion v2; v1 has them in requirements.yaml",
    ),
  ];
}

function isRequestUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text) && URL.canParse(text);
}
