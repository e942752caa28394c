import type { Laptop } from "./laptop.ts";

/** Paths of the tools as the user can type them. */
export interface TypedTools {
  readonly helm: string;
  readonly kubectl: string;
}

/** What `make run` prints: where everything is, and commands that work when pasted, in the order of an application's life. */
export function welcome(laptop: Laptop, { helm, kubectl }: TypedTools): string {
  const { kubeconfigPath, kubeUrl, natsUrl, ingressUrl, uploadsUrl } = laptop;
  const k = `${kubectl} --kubeconfig ${kubeconfigPath}`;
  return `The store is up. Ctrl-C stops it.

  kubeconfig       ${kubeconfigPath}
  Kubernetes API   ${kubeUrl}
  NATS             ${natsUrl}
  event ingress    ${ingressUrl}
  uploads          ${uploadsUrl}

Add a repository and watch its applications appear:

  ${k} apply -f - <<'END'
apiVersion: application.kubesphere.io/v1alpha1
kind: HelmRepo
metadata: {name: podinfo}
spec: {name: podinfo, url: https://stefanprodan.github.io/podinfo}
END
  ${k} get helmrepos,helmapplications,helmapplicationversions

Upload a package of your own, then find its version (state draft):

  ${helm} package knative/local/demo/charts/guestbook --destination .local/packages
  curl --data-binary @.local/packages/guestbook-2.1.0.tgz '${uploadsUrl}?workspace=demo&filename=guestbook-2.1.0.tgz'
  VERSION=$(${k} get helmapplicationversions -o jsonpath='{range .items[?(@.status.state=="draft")]}{.metadata.name}{"\\n"}{end}' | head -1); echo $VERSION

Submit, approve and release it:

  for act in submitted approved released; do
    curl -i ${ingressUrl} -H 'content-type: application/json' -H 'ce-specversion: 1.0' -H 'ce-source: /me' \\
      -H "ce-id: $act-$VERSION" -H "ce-type: io.openpitrix.version.$act" -d "{\\"version\\":\\"$VERSION\\"}"
  done

Ask for it, and see Helm install it:

  ${k} create namespace demo
  ${k} apply -f - <<END
apiVersion: application.kubesphere.io/v1alpha1
kind: HelmRequest
metadata: {name: web}
spec: {name: web, appVerId: $VERSION, namespace: demo}
END
  ${k} get helmrequests,helmreleases,deployments -n demo
  ${helm} list --namespace demo --kubeconfig ${kubeconfigPath}
`;
}
