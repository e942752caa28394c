import type { Receiver } from "../resources/receiver.ts";
import { artifactRegistry } from "./artifact-registry.ts";
import { artifacthub } from "./artifacthub.ts";
import { ecr, sns } from "./aws.ts";
import { cdevents, cloudevents } from "./cloudevents.ts";
import type { Producer } from "./delivery.ts";
import { acr, distribution } from "./distribution.ts";
import { gitea } from "./gitea.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { harbor } from "./harbor.ts";
import { dockerhub, quay } from "./hubs.ts";
import { artifactory, nexus } from "./repository-managers.ts";

/** Every type of producer that a receiver may name. */
export const PRODUCERS: Readonly<Record<Receiver["type"], Producer>> = {
  harbor,
  github,
  gitlab,
  gitea,
  distribution,
  quay,
  dockerhub,
  acr,
  ecr,
  sns,
  "artifact-registry": artifactRegistry,
  artifacthub,
  nexus,
  artifactory,
  cdevents,
  cloudevents,
};
