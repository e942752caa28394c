import { FUNCTION_CONFIG } from "./broker.ts";
import type { Deployed } from "./deployed.ts";
import { IS_FUNCTION, inNamespace, type Manifest, PART_OF } from "./manifest.ts";
import { timingOf } from "./timing.ts";

/** Name under which kustomization.yaml finds the image and replaces it with yours. */
export const IMAGE = "dev.local/openpitrix/functions:dev";

/** The Knative Service of a function: one image for all, nothing running while nothing happens. */
export function serviceOf(deployed: Deployed): Manifest {
  const { name, function: definition, visibility } = deployed;
  const own = { "app.kubernetes.io/name": name };
  const reach = visibility === "public" ? {} : { "networking.knative.dev/visibility": visibility };
  return {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    metadata: inNamespace(name, { ...own, ...IS_FUNCTION, ...reach }),
    spec: {
      template: {
        metadata: {
          labels: { ...PART_OF, ...own, ...IS_FUNCTION },
          annotations: {
            "autoscaling.knative.dev/min-scale": "0",
            "autoscaling.knative.dev/max-scale": "10",
            "autoscaling.knative.dev/window": "30s",
          },
        },
        spec: {
          serviceAccountName: name,
          containerConcurrency: definition.concurrency,
          timeoutSeconds: timingOf(name, definition).serviceSeconds,
          containers: [container(deployed)],
          volumes: [{ name: "tmp", emptyDir: { sizeLimit: "256Mi" } }],
        },
      },
    },
  };
}

function container({ name, function: { uses } }: Deployed) {
  // Helm is a process of its own beside Node and holds a whole chart in memory.
  const memory = uses.includes("helm") ? "512Mi" : "256Mi";
  return {
    image: IMAGE,
    env: [{ name: "FUNCTION", value: name }],
    envFrom: [{ configMapRef: { name: FUNCTION_CONFIG } }],
    ports: [{ name: "http1", containerPort: 8080 }],
    readinessProbe: { httpGet: { path: "/health/readiness" } },
    livenessProbe: { httpGet: { path: "/health/liveness" } },
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { cpu: "1", memory } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  };
}
