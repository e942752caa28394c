import type { Laptop } from "./laptop.ts";

/** Paths of the tools as the user can type them. */
export interface TypedTools {
  readonly helm: string;
  readonly kubectl: string;
}

/** Public repository of the first example. */
export const EXAMPLE_REPOSITORY = "https://stefanprodan.github.io/podinfo";

/** What `make run` prints: where everything is, and commands that work when pasted, in the order of an application's life. */
export function welcome(laptop: Laptop, { helm, kubectl }: TypedTools): string {
  const { kubeconfigPath, kubeUrl, natsUrl, ingressUrl, uploadsUrl, httpUrls } = laptop;
  const k = `${kubectl} --kubeconfig ${kubeconfigPath}`;
  return `The store is up. Ctrl-C stops it.

  kubeconfig       ${kubeconfigPath}
  Kubernetes API   ${kubeUrl}
  NATS             ${natsUrl}
  event ingress    ${ingressUrl}
  uploads          ${uploadsUrl}${Object.entries(httpUrls)
    .map(([name, url]) => `\n  ${name.padEnd(16)} ${url}`)
    .join("")}

Add a repository and watch its applications appear:

  ${k} apply -f - <<'END'
apiVersion: application.kubesphere.io/v1alpha1
kind: HelmRepo
metadata: {name: podinfo}
spec: {name: podinfo, url: "${EXAMPLE_REPOSITORY}"}
END
  ${k} wait helmrepo/podinfo --for=condition=Ready
  ${k} get helmrepos,helmapplications,helmapplicationversions

Upload a package of your own; it becomes a version in state draft:

  ${helm} package knative/local/demo/charts/guestbook --destination .local/packages
  curl --data-binary @.local/packages/guestbook-2.1.0.tgz '${uploadsUrl}?workspace=demo&filename=guestbook-2.1.0.tgz'
  until VERSION=$(${k} get helmapplicationversions -l kubesphere.io/workspace=demo -o name | grep .); do sleep 1; done
  VERSION=\${VERSION##*/}; echo $VERSION

Submit, approve and release it:

  for act in submitted approved released; do
    curl -i ${ingressUrl} -H 'content-type: application/json' -H 'ce-specversion: 1.0' -H 'ce-source: /me' \\
      -H "ce-id: $act-$VERSION" -H "ce-type: io.openpitrix.version.$act" -H "ce-time: $(date -u +%FT%TZ)" \\
      -d "{\\"version\\":\\"$VERSION\\"}"
  done
  ${k} wait helmapplicationversion/$VERSION --for=jsonpath='{.status.state}'=active

Look at it over the REST API, as scripts and people do (npx opx --help):

  opx() { npx opx "$@" --server ${httpUrls["rest-gateway"]} --kubeconfig ${kubeconfigPath}; }
  opx app list
  opx version audits $VERSION

Ask for it, and see Helm install it:

  ${k} create namespace demo
  ${k} apply -f - <<END
apiVersion: application.kubesphere.io/v1alpha1
kind: HelmRequest
metadata: {name: web}
spec: {name: web, appVerId: $VERSION, namespace: demo}
END
  ${k} wait helmrequest/web --for=jsonpath='{.status.state}'=Accepted
  ${k} wait helmreleases --all --namespace demo --for=condition=Ready --timeout=120s
  ${k} get helmreleases,deployments --namespace demo
  ${helm} list --namespace demo --kubeconfig ${kubeconfigPath}
`;
}
