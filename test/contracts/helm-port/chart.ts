import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";

const TEMPLATES = {
  "templates/configmap.yaml": `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  color: {{ .Values.color | quote }}
`,
  "templates/objects.yaml": `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}
stringData:
  note: {{ .Values.note | quote }}
---
# Nothing but a comment.
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: {{ .Release.Namespace }}-{{ .Release.Name }}
rules: []
`,
  "templates/fail.yaml": `{{- if .Values.failWith }}
{{ fail (printf "the chart says %s" .Values.failWith) }}
{{- end }}
`,
  "templates/hook.yaml": `{{- if .Values.hook }}
apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-hook
  annotations:
    helm.sh/hook: {{ .Values.hook }}
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{ name: wait, image: "registry.invalid/never:1" }]
{{- end }}
`,
};

/** A packed chart with a ConfigMap, a Secret, a ClusterRole, and by its values a failure or a hook that hangs. */
export async function testChart(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "test-chart-"));
  try {
    const files = {
      "Chart.yaml": "apiVersion: v2\nname: contract\nversion: 1.0.0\n",
      "values.yaml": "color: blue\nnote: none\nfailWith: ''\nhook: ''\n",
      ...TEMPLATES,
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, "contract", name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }
    const packed = join(folder, "contract.tgz");
    await create({ gzip: true, cwd: folder, file: packed }, ["contract"]);
    return await readFile(packed);
  } finally {
    await rm(folder, { recursive: true });
  }
}
