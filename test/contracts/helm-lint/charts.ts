import type { Entry } from "../../support/archives.ts";

/** A chart that breaks a rule of `helm lint`, as files below its folder; a file without text is left out. */
export type LintCase = Readonly<Record<string, string | undefined>>;

const HEAD = "apiVersion: v2\nname: web\nversion: 1.0.0\nicon: https://example.org/web.png\n";
const DEPENDENCY = 'dependencies: [{name: db, version: 1.0.0, repository: "https://example.org"}]\n';
const CRD =
  "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: webs.example.org\n";
const DRAFT_7 = '"$schema": "http://json-schema.org/draft-07/schema#"';

function chartYaml(...changes: readonly (readonly [string | RegExp, string])[]): LintCase {
  return { "Chart.yaml": changes.reduce((text, [from, to]) => text.replace(from, to), HEAD) };
}

function more(text: string): LintCase {
  return { "Chart.yaml": HEAD + text };
}

function schema(text: string, values = "a: 1\n"): LintCase {
  return { "values.schema.json": text, "values.yaml": values };
}

/** One chart for each rule, by what is wrong with it. */
export const LINT_CASES: Readonly<Record<string, LintCase>> = {
  nothing: {},
  "no icon": chartYaml([/icon.*\n/, ""]),
  "an icon that is no URL": chartYaml([/icon.*/, "icon: web.png"]),
  "an icon that is a picture": chartYaml([/icon.*/, 'icon: "data:image/png;base64,AAAA"']),
  "a number as appVersion": more("appVersion: 7.1\n"),
  "an empty appVersion": more("appVersion:\n"),
  "a field that Helm does not know": more("engine: gotpl\n"),
  "a field in another case": more("Home: https://example.org\n"),
  "a field that stands there twice": more("version: 1.0.1\n"),
  "a maintainer's field that Helm does not know": more("maintainers: [{name: ann, phone: 1}]\n"),
  "a maintainer without name": more("maintainers: [{email: ann@example.org}]\n"),
  "a maintainer's address that is none": more("maintainers: [{name: ann, email: ann}]\n"),
  "a maintainer's page that is none": more('maintainers: [{name: ann, url: "not a page"}]\n'),
  "a maintainer's page without scheme": more("maintainers: [{name: ann, url: example.org/ann}]\n"),
  "a good maintainer": more('maintainers: [{name: ann, email: ann@example.org, url: "https://example.org"}]\n'),
  "no maintainer at all in the list": more("maintainers: [null]\n"),
  "a source that is no URL": more("sources: [here]\n"),
  "a type in the older format": { "Chart.yaml": `${HEAD.replace("v2", "v1")}type: application\n` },
  "dependencies in the older format": { "Chart.yaml": HEAD.replace("v2", "v1") + DEPENDENCY },
  "an unknown format": chartYaml(["v2", "v9"]),
  "no format": chartYaml([/apiVersion.*\n/, ""]),
  "the lowest of all versions": chartYaml(["1.0.0", "0.0.0-0"]),
  "a version with v": chartYaml(["1.0.0", "v1.0.0"]),
  "a version of two parts": chartYaml(["1.0.0", "'1.2'"]),
  "a number as version": chartYaml(["1.0.0", "1.2"]),
  "no values": { "values.yaml": undefined },
  "no templates": { "templates/a.yaml": undefined },
  "a library": { "Chart.yaml": `${HEAD}type: library\n`, "templates/a.yaml": undefined },
  "an unknown type": more("type: plugin\n"),
  "a script among the templates": { "templates/a.js": "x" },
  "a script below the templates": { "templates/tests/a.json": "{}" },
  "values that break the schema": schema('{"properties": {"a": {"type": "string"}}}'),
  "a schema that is none": schema('{"type": "text"}'),
  "a schema that says no": schema("false"),
  "a schema that is a list": schema("[]"),
  "a schema of an unknown draft": schema('{"$schema": "https://localhost:1/own#"}'),
  "a schema that refers to elsewhere": schema('{"properties": {"a": {"$ref": "https://localhost:1/a.json"}}}'),
  "a format of draft 7": schema(`{${DRAFT_7}, "properties": {"a": {"format": "uri"}}}`, 'a: "no uri"\n'),
  "a format of the newest draft": schema('{"properties": {"a": {"format": "uri"}}}', 'a: "no uri"\n'),
  "a schema without draft in its address": schema('{"$schema": "http://json-schema.org/schema#", "type": "object"}'),
  "a recursive schema": schema('{"properties": {"a": {"$ref": "#"}}}', "a: {a: {a: {}}}\n"),
  "definitions that are none": { "crds/a.yaml": "apiVersion: v1\nkind: ConfigMap\n" },
  "definitions that are no YAML": { "crds/a.yaml": "a: [\n" },
  "good definitions": { "crds/a.yaml": `# two\n---\n${CRD}---\n${CRD}`, "crds/README.md": "x" },
  "a dependency that is not there": more(DEPENDENCY),
  "a dependency that is there": {
    ...more(DEPENDENCY),
    "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n",
  },
  "a chart inside that is not declared": { "charts/db/Chart.yaml": "apiVersion: v2\nname: db\nversion: 1.0.0\n" },
  "two dependencies of one name": more("dependencies: [{name: a, alias: c}, {name: b, alias: c}]\n"),
  "values that are no YAML": { "values.yaml": "a: b: c\n" },
  "values that are a list": { "values.yaml": "- a\n" },
  "a Chart.yaml that is no YAML": { "Chart.yaml": "a: [\n" },
  "no name": chartYaml([/name.*\n/, ""]),
  deprecated: more("deprecated: true\n"),
};

/** The files of a case: the good chart with the case's changes. */
export function filesOf(lintCase: LintCase): readonly Entry[] {
  const template = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n";
  const files = { "Chart.yaml": HEAD, "values.yaml": "a: 1\n", "templates/a.yaml": template, ...lintCase };
  return Object.entries(files).flatMap(([path, body]) => (body === undefined ? [] : [{ path: `web/${path}`, body }]));
}
