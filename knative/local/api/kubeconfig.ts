/** What a kubeconfig is made from. */
export interface KubeconfigParts {
  readonly url: string;
  readonly certificate: string;
  readonly token: string;
}

/** A kubeconfig (JSON, which is YAML too) with one cluster, one user and one context. */
export function kubeconfigText({ url, certificate, token }: KubeconfigParts): string {
  const name = "openpitrix-local";
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name, cluster: { server: url, "certificate-authority-data": Buffer.from(certificate).toString("base64") } },
    ],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: "default" } }],
    "current-context": name,
    preferences: {},
  };
  return `${JSON.stringify(config, null, 2)}\n`;
}
