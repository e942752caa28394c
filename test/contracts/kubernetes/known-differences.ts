/** Where the laptop's API is not what a real one is, and why; checks that would meet these are not written. */
export const knownDifferences: readonly { readonly what: string; readonly why: string }[] = [
  {
    what: "No pod ever runs: logs, exec, attach, port-forward and proxy are missing or say so.",
    why: "There are no nodes; workloads are only marked ready by a stage that can be switched off.",
  },
  {
    what: "Deployments make no ReplicaSets and ReplicaSets no Pods; Jobs and StatefulSets make none either.",
    why: "Controllers are not part of the API server; readiness is played on the object itself.",
  },
  {
    what: "Answers are never protobuf or CBOR.",
    why: "Every client that asks for them takes JSON as well.",
  },
  {
    what: "Admission webhooks and admission policies are stored and not called.",
    why: "A laptop has nothing to call; charts that bring them install all the same.",
  },
  {
    what: "Objects of several versions are not converted beyond their apiVersion.",
    why: "Conversion webhooks are not served; autoscaling/v1 shows what autoscaling/v2 stores.",
  },
  {
    what: "Resource quotas and limit ranges are stored and not enforced.",
    why: "Nothing runs, so nothing can be used up.",
  },
  {
    what: "Duplicate keys in a JSON body are not reported.",
    why: "The platform's JSON parser keeps the last one silently.",
  },
];
