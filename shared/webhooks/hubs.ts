import * as z from "zod";
import { sha256 } from "../digest.ts";
import { type Producer, payload } from "./delivery.ts";
import { addressProof } from "./tokens.ts";

const IN_ADDRESS = "the address: it ends in ?token= and SHA-256 of `<HelmRepo>/<receiver>/<token>` in hex";

const QuayPayload = z.object({ docker_url: z.string(), updated_tags: z.array(z.string()) });

/** Quay signs nothing, and its payload has neither time nor id: each delivery counts. */
export const quay: Producer = {
  title: "Quay",
  proves: IN_ADDRESS,
  register: "Repository → Settings → Notifications: push to repository, webhook POST, no template",
  proof: addressProof,
  read: (delivery) => {
    const { docker_url, updated_tags } = payload(QuayPayload, delivery);
    return updated_tags.map((version) => ({ action: "pushed", certainty: "maybe", addresses: [docker_url], version }));
  },
};

const DockerHubPayload = z.object({
  push_data: z.object({ tag: z.string(), media_type: z.string().nullish() }),
  repository: z.object({ repo_name: z.string() }),
});

/** Docker Hub signs nothing; its callback_url is not called. */
export const dockerhub: Producer = {
  title: "Docker Hub",
  proves: IN_ADDRESS,
  register: "Repository → Webhooks: webhook URL",
  proof: addressProof,
  read(delivery) {
    const { push_data, repository } = payload(DockerHubPayload, delivery);
    return [
      {
        action: "pushed",
        certainty: "maybe",
        addresses: [`docker.io/${repository.repo_name}`],
        version: push_data.tag,
        occurrence: sha256(delivery.body),
      },
    ];
  },
};
