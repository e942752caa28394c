import type { Producer } from "../../shared/webhooks/delivery.ts";
import { fence, table } from "./markdown.ts";

const EXAMPLE = `apiVersion: v1
kind: Secret
metadata: {name: apps-harbor, namespace: openpitrix}
stringData: {token: <what you enter at Harbor>}
---
apiVersion: application.kubesphere.io/v1alpha1
kind: HelmRepo
metadata: {name: apps}
spec:
  name: apps
  url: oci://harbor.example.org/apps
  receivers:
    - name: harbor
      type: harbor
      secretRef: {name: apps-harbor}`;

const IN_ADDRESS = `printf '%s' "apps/quay/$TOKEN" | sha256sum   # https://<webhook-intake>/hooks/apps/quay?token=<digest>`;

/** How to make each producer tell the store of a push, as a Markdown page. */
export function webhooksPage(producers: Readonly<Record<string, Producer>>): string {
  return [
    "# Webhooks",
    "A push is in the store seconds later, without waiting for the next sync, once its producer tells `webhook-intake`. " +
      "Declare a receiver on the HelmRepo and enter its address, `https://<webhook-intake>/hooks/<HelmRepo>/<receiver>`, " +
      "at the producer. `kubectl get ksvc webhook-intake -n openpitrix` shows where it is, on the laptop `make run` does.",
    fence("yaml", EXAMPLE),
    table(
      ["`type`", "producer", "proves itself by", "where to enter it"],
      Object.entries(producers).map(([type, { title, proves, register }]) => [`\`${type}\``, title, proves, register]),
    ),
    "Keys are those of the receiver's Secret; `previousToken` (and `previousSigningKey`) hold as well while a secret is " +
      "changed. Producers that can do no better carry the secret in the address:",
    fence("sh", IN_ADDRESS),
    "A payload is about the HelmRepo if the address that it names lies below `spec.url`, below one of the receiver's " +
      "`aliases` (another name of the host, a virtual repository, the Git repository that pages are built from), or in " +
      "the GitHub or GitLab repository that such pages are served from. Nothing that a payload names is ever contacted. " +
      "Anything else is counted in the log and forgotten.",
    table(
      ["answer", "meaning"],
      [
        ["202", "taken; also where there was nothing in it for this repository"],
        ["400", "proven, but no payload of this producer; the body says what is wrong"],
        ["401", "no such receiver, or no proof, or a wrong or old one: the log of webhook-intake says which"],
        ["413", "more than 3 MiB, or more than 500 things at once"],
        ["415", "a form or packed bytes; choose JSON"],
        ["429, 503", "come again after Retry-After; whoever does not is made up for by the next sync"],
      ],
    ),
  ].join("\n\n");
}
